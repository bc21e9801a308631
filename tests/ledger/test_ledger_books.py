"""Double entry: only transfers move anything, in whole units, as far as cash goes, and all of it is on record."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpurush import ledger
from gpurush.engine import LAYOUTS
from gpurush.names import Deal
from gpurush.state import CHIPS, DEALS, FOUNDRY_GPUS, SITE_ACCOUNT, Fault, Run

FIRMS_HERE = 6
CASH = 1000.0


def opened(cash=CASH, gpus=80.0):
    """A batch of one run at the month's start: six firms with cash, firm 0 with GPUs of each type."""
    runs = np.zeros(1, LAYOUTS[Run])
    runs["firms_used"] = FIRMS_HERE
    runs["firms"]["cash"][:, :FIRMS_HERE] = cash
    runs["gpus"][:, 0] = gpus
    runs["gpus"][:, FOUNDRY_GPUS] = -gpus
    ledger.open_month.all(runs)
    return runs


def lines(run):
    """The month's deal record as (kind, payer, payee, asset) -> amount; each key stands once."""
    used = run["deals"][: int(run["deals_used"])]
    keys = [tuple(int(line[name]) for name in ("kind", "payer", "payee", "asset")) for line in used]
    assert len(keys) == len(set(keys))
    return dict(zip(keys, used["amount"].tolist(), strict=True))


def closes(runs):
    ledger.check_books.all(runs)
    return bool(runs["fault"][0] == Fault.none)


def test_a_payment_takes_from_one_and_gives_to_the_other():
    runs = opened()
    assert ledger.pay(runs[0], Deal.rent, 1, 2, 300.0, 5.0) == 300.0
    assert runs["firms"]["cash"][0, 1:3].tolist() == [700.0, 1300.0]
    assert lines(runs[0]) == {(Deal.rent, 1, 2, ledger.USD): 300.0}
    assert closes(runs)


def test_a_payment_stops_where_the_cash_does_and_says_how_far_it_came():
    runs = opened()
    assert ledger.pay(runs[0], Deal.power, 1, 2, 1500.0, 0.0) == CASH
    assert ledger.pay(runs[0], Deal.power, 1, 2, 500.0, 0.0) == 0.0
    assert runs["firms"]["cash"][0, 1] == 0.0
    assert closes(runs)


@pytest.mark.parametrize(
    ("amount", "paid"), [(10.49, 10.0), (10.5, 11.0), (0.3, 0.0), (-5.0, 0.0), (999.9, 1000.0)]
)
def test_dollars_are_whole(amount, paid):
    runs = opened()
    assert ledger.pay(runs[0], Deal.gas, 1, 2, amount, 0.0) == paid
    assert closes(runs)


@pytest.mark.parametrize("amount", [float("nan"), float("inf"), -float("inf"), -(2.0**63)])
def test_a_payment_that_is_no_number_moves_nothing_and_is_a_fault_of_its_payer(amount):
    runs = opened()
    cash = runs["firms"]["cash"].copy()
    assert ledger.pay(runs[0], Deal.gas, 1, 2, amount, 0.0) == 0.0
    assert np.array_equal(runs["firms"]["cash"], cash)
    assert (runs["fault"][0], runs["fault_at"][0]) == (Fault.not_finite, 1)


def test_paying_oneself_is_no_payment():
    runs = opened()
    assert ledger.pay(runs[0], Deal.gas, 1, 1, 10.0, 0.0) == 0.0
    assert lines(runs[0]) == {}


def test_gpus_move_with_their_type():
    runs = opened()
    ledger.move(runs[0], Deal.ship, 0, SITE_ACCOUNT + 2, 3, 16.0)
    assert runs["gpus"][0, 0, 3] == 64.0
    assert runs["gpus"][0, SITE_ACCOUNT + 2, 3] == 16.0
    assert lines(runs[0]) == {(Deal.ship, 0, SITE_ACCOUNT + 2, 3): 16.0}
    assert closes(runs)


def test_lines_of_one_kind_between_the_same_two_are_merged():
    runs = opened()
    for amount in (10.0, 20.0, 30.0):
        ledger.pay(runs[0], Deal.rent, 1, 2, amount, 1.0)
    ledger.pay(runs[0], Deal.rent, 2, 1, 5.0, 1.0)
    ledger.pay(runs[0], Deal.power, 1, 2, 7.0, 0.0)
    usd = ledger.USD
    assert lines(runs[0]) == {
        (Deal.rent, 1, 2, usd): 60.0,
        (Deal.rent, 2, 1, usd): 5.0,
        (Deal.power, 1, 2, usd): 7.0,
    }
    assert runs["deals"]["quantity"][0, 0] == 3.0


def test_a_new_month_starts_an_empty_record():
    runs = opened()
    for payee in range(2, FIRMS_HERE):
        ledger.pay(runs[0], Deal.rent, 1, payee, 10.0, 0.0)
    ledger.open_month.all(runs)
    assert runs["deals_used"][0] == 0
    assert not runs["deal_slots"].any()
    assert np.array_equal(runs["firms"]["opening"], runs["firms"]["cash"])
    assert closes(runs)


def test_a_full_record_is_a_fault_and_no_line_is_overwritten_in_silence():
    runs = opened(cash=1e6)
    keys = [
        (kind, payer, payee)
        for kind in range(27)
        for payer in range(6)
        for payee in range(6)
        if payer != payee
    ]
    for kind, payer, payee in keys[: DEALS + 1]:
        ledger.pay(runs[0], kind, payer, payee, 1.0, 0.0)
    assert runs["fault"][0] == Fault.no_room_for_deal
    assert runs["deals_used"][0] == DEALS


def test_the_first_fault_is_kept():
    runs = opened()
    ledger.note(runs[0], int(Fault.not_finite), 3)
    ledger.note(runs[0], int(Fault.usd_book), 4)
    assert (runs["fault"][0], runs["fault_at"][0]) == (Fault.not_finite, 3)


firms = st.integers(0, FIRMS_HERE - 1)
payments = st.tuples(st.just("pay"), st.integers(0, 21), firms, firms, st.floats(-10.0, 900.0))
moves = st.tuples(st.just("move"), st.integers(22, 26), firms, st.integers(0, CHIPS - 1), st.integers(0, 3))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(payments, moves), max_size=60))
def test_any_sequence_of_transfers_conserves_and_is_on_record(sequence):
    runs = opened()
    run = runs[0]
    paid: Counter = Counter()
    for what, kind, one, two, much in sequence:
        if what == "pay":
            paid[kind] += ledger.pay(run, kind, one, two, much, 0.0)
        else:
            at = int(np.argmax(run["gpus"][:, two]))
            ledger.move(run, kind, at, SITE_ACCOUNT + one, two, min(8.0 * much, run["gpus"][at, two]))
    cash = run["firms"]["cash"][:FIRMS_HERE]
    assert cash.sum() == FIRMS_HERE * CASH
    assert cash.min() >= 0.0
    assert np.array_equal(cash, np.floor(cash))
    assert not run["gpus"].sum(axis=0).any()
    on_record: Counter = Counter()
    for (kind, _, _, asset), amount in lines(run).items():
        if asset == ledger.USD:
            on_record[kind] += amount
    assert +on_record == +paid
    assert closes(runs)
    assert not runs["fault"].any()
