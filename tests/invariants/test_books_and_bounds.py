"""What holds in every run and month: books, megawatts, cap tables, whole units, finite numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_industry import play

from gpurush.names import Binding
from gpurush.scenario import load
from gpurush.state import CHIPS, FOUNDRY_GPUS, Fault, Lease

BASELINE = load("baseline")
PRIORS = sorted(path for path, number in BASELINE.numbers.items() if number.varies)
HAIR = 1e-6


@settings(max_examples=12, deadline=None)
@given(st.dictionaries(st.sampled_from(PRIORS), st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=40))
def test_books_close_wherever_in_their_ranges_the_numbers_stand(chosen):
    overrides = {}
    for path, at in chosen.items():
        number = BASELINE.get(path)
        overrides[path] = number.low + at * (number.high - number.low)
    model = play(runs=2, months=12, overrides=overrides)
    assert model.month == 12
    assert not model.runs["fault"].any()


def test_no_run_has_a_fault(batch):
    assert batch.recording.finite.all()
    assert np.all(batch.model.runs["fault"] == Fault.none)


def test_money_is_whole_dollars_and_never_negative(batch):
    for state in batch.states:
        cash = state["firms"]["cash"]
        assert np.array_equal(cash, np.floor(cash))
        assert cash.min() >= 0.0
        assert len(set(cash.sum(axis=1) - batch.states[0]["firms"]["cash"].sum(axis=1))) == 1


def test_gpus_are_whole_and_only_the_foundry_has_given_more_than_it_got(batch):
    for state in batch.states:
        gpus = state["gpus"]
        assert np.array_equal(gpus, np.floor(gpus))
        assert not gpus.sum(axis=1).any()
        others = np.delete(gpus, FOUNDRY_GPUS, axis=1)
        assert others.min() >= 0.0


def test_deal_record_is_whole_and_explains_every_change_of_cash(batch):
    rows, runs, months = batch.recording.deal_rows, batch.recording.deal_run, batch.recording.deal_month
    assert np.array_equal(rows["amount"], np.floor(rows["amount"]))
    assert rows["amount"].min() > 0.0
    flows = np.zeros((len(batch.states), len(batch.recording.runs), len(batch.recording.accounts)))
    usd = rows["asset"] < 0
    np.add.at(flows, (months[usd], runs[usd], rows["payee"][usd]), rows["amount"][usd])
    np.subtract.at(flows, (months[usd], runs[usd], rows["payer"][usd]), rows["amount"][usd])
    cash = np.stack([state["firms"]["cash"] for state in batch.states])
    firms = cash.shape[2]
    assert np.array_equal(np.diff(cash, axis=0), flows[1:, :, :firms])
    assert not flows[:, :, firms:].any()


def test_cap_tables_sum_to_the_shares_issued(batch):
    for state in batch.states:
        labs = state["labs"][:, : len(batch.model.story.labs)]
        assert np.array_equal(labs["shares"].sum(axis=2), labs["issued"])
        assert labs["shares"].min() >= 0.0


def test_no_site_draws_more_than_is_connected_approved_and_asked_for(batch):
    rows = batch.recording.site_rows
    assert np.all(rows["facility_mw"] <= rows["grid_mw"] + rows["onsite_mw"] + HAIR)
    assert np.all(rows["grid_mw"] <= rows["approved_mw"] + HAIR)
    assert np.all(rows["approved_mw"] <= rows["requested_mw"] + HAIR)
    assert np.all(batch.model.runs["utilities"]["headroom"] >= -HAIR)


def test_no_site_runs_more_than_was_delivered(batch):
    rows = batch.recording.site_rows
    assert np.all(rows["gpus_energised"] <= rows["gpus_delivered"])
    assert np.all(rows["gpus_busy"] <= rows["gpus_energised"] + HAIR)
    assert np.all(rows["h100e_stranded"] >= -HAIR)
    dark = rows["h100e_stranded"] > HAIR
    assert np.all(rows["binding_limit"][dark] != Binding.nothing)


def test_sites_run_whole_nodes_and_racks(batch):
    for state in batch.states[::6]:
        used = len(batch.model.where.sites)
        units = state["sites"]["running"][:, :used] / state["chips"]["unit"][:, None, :CHIPS]
        assert np.allclose(units, np.round(units), atol=1e-9)


def test_a_lab_holds_all_its_compute_somewhere(batch):
    for state in batch.states:
        labs = state["labs"][:, : len(batch.model.story.labs)]
        found = sum(labs[kind]["held"].sum(axis=2) for kind in ("projects", "products"))
        found += labs["big_run"] + labs["reserved"] + labs["idle"]
        assert found == pytest.approx(labs["running"], rel=1e-9, abs=1e-6)


def test_clouds_lease_out_no_more_than_they_run(batch):
    for state in batch.states:
        clouds = state["clouds"][:, : len(batch.model.story.clouds)]
        running = np.zeros((len(state), clouds.shape[1], CHIPS))
        delivered = np.zeros_like(running)
        runs = np.arange(len(state))
        for s in range(len(batch.model.where.sites)):
            owner = state["sites"]["owner"][:, s]
            for k in range(clouds.shape[1]):
                mine = owner == clouds["firm"][:, k]
                running[mine, k] += state["sites"]["running"][mine, s]
        for j in range(state["contracts"].shape[1]):
            contract = state["contracts"][:, j]
            there = contract["state"] == Lease.delivering
            at = runs[there], contract["lessor"][there], contract["chip"][there]
            np.add.at(delivered, at, contract["delivered"][there])
        assert delivered.sum() > 0.0
        assert (delivered <= running + 1e-6).all()
        assert clouds["free"].min() >= 0.0
