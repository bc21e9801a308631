"""A planted breach of each book ends the run with run, month, book, imbalance and the month's sums by kind."""

import re

import pytest

from gpurush.catalog.chips import Chip
from gpurush.industry import Industry, ModelError
from gpurush.ledger import LedgerError
from gpurush.state import SITE_ACCOUNT

MONTH, RUN = 2, 1


@pytest.fixture
def model() -> Industry:
    """Runs 3 and 11 of the baseline, in the third month."""
    model = Industry("baseline", runs=[3, 11], rng=7)
    model.run_for(MONTH)
    return model


def said(model, monkeypatch, plant) -> str:
    """What the month says after a breach in run 11, planted once the month is open."""
    monkeypatch.setattr(model, "_happen", lambda *_: plant(model.runs[RUN]))
    with pytest.raises(LedgerError) as caught:
        model.step()
    text = str(caught.value)
    assert text.startswith("run 11, 2023-03: the book of ")
    assert "\n" not in text
    assert "; transfers of the month: " in text
    assert "payroll " in text
    assert " USD" in text.split("transfers of the month: ")[1]
    return text


def test_a_dollar_made(model, monkeypatch):
    def plant(run):
        run["firms"][model.where.rows["openai"]]["cash"] += 1.0

    text = said(model, monkeypatch, plant)
    assert "book of USD does not close: all accounts together, imbalance 1;" in text


def test_a_dollar_moved_and_not_recorded(model, monkeypatch):
    def plant(run):
        run["firms"][model.where.rows["households"]]["cash"] -= 1.0
        run["firms"][model.where.rows["azure"]]["cash"] += 1.0

    text = said(model, monkeypatch, plant)
    assert "book of USD does not close: azure, imbalance 1;" in text


def test_a_gpu_made(model, monkeypatch):
    site = model.where.sites.index("outside")

    def plant(run):
        run["gpus"][SITE_ACCOUNT + site, Chip.A100] += 1.0

    text = said(model, monkeypatch, plant)
    assert "book of GPUs does not close: site outside, A100, imbalance 1;" in text
    assert " GPUs" in text.split("transfers of the month: ")[1]


def test_a_gpu_moved_to_an_account_that_nobody_uses(model, monkeypatch):
    site = model.where.sites.index("outside")
    unused = SITE_ACCOUNT + len(model.where.sites)

    def plant(run):
        run["gpus"][SITE_ACCOUNT + site, Chip.A100] -= 1.0
        run["gpus"][unused, Chip.A100] += 1.0

    assert "book of GPUs does not close" in said(model, monkeypatch, plant)


def test_a_number_that_is_not_finite_ends_the_run_with_its_address(model, monkeypatch):
    lab = list(model.story.labs).index("anthropic")

    def plant(*_):
        model.runs[RUN]["labs"][lab]["capability"] = float("nan")

    monkeypatch.setattr(model, "_happen", plant)
    with pytest.raises(ModelError) as caught:
        model.step()
    assert str(caught.value).startswith("run 11, 2023-03, anthropic: a number is not finite")


@pytest.mark.parametrize(
    ("block", "name", "who"),
    [
        ("demand", "running", "openai"),
        ("demand", "pay", "openai"),
        ("power", "gas_premium", "azure"),
        ("lease", "contract_discount", "openai"),
        ("lease", "margin", "the markets"),
    ],
)
def test_a_term_that_is_not_finite_ends_the_run_with_the_first_bill(model, monkeypatch, block, name, who):
    def plant(*_):
        model.runs[block][name][RUN] = float("nan")

    monkeypatch.setattr(model, "_happen", plant)
    with pytest.raises(ModelError, match="a number is not finite") as caught:
        model.run_for(12)
    assert re.match(rf"run 11, 2023-0\d, {who}: a number is not finite", str(caught.value))


def test_a_share_issued_and_not_booked(model, monkeypatch):
    lab = list(model.story.labs).index("anthropic")

    def plant(run):
        run["labs"][lab]["issued"] += 1.0

    text = said(model, monkeypatch, plant)
    assert "book of cap table does not close: anthropic, imbalance -1;" in text


def test_a_connection_beyond_what_is_approved(model, monkeypatch):
    site = model.where.sites.index("outside")

    def plant(run):
        run["sites"][site]["grid_mw"] += 5.0

    text = said(model, monkeypatch, plant)
    assert "book of MW does not close: outside, imbalance 5;" in text


def test_a_megawatt_drawn_and_not_connected(model, monkeypatch):
    site = model.where.sites.index("outside")
    building = model.buildings[site]
    energise = building.energise

    def too_much() -> None:
        energise()
        model.runs[RUN]["sites"][site]["facility_mw"] = model.runs[RUN]["sites"][site]["grid_mw"] + 2.0

    monkeypatch.setattr(building, "energise", too_much)
    text = said(model, monkeypatch, lambda run: None)
    assert "book of MW does not close: outside, imbalance 2;" in text


def test_without_a_breach_the_month_closes(model):
    model.step()
    assert model.month == MONTH + 1
