"""The queue for power: waits, headroom, the board's delay, shells, turbines."""

import itertools

import numpy as np
import pytest
from small_market import economy, place, sell

from gpurush import luck
from gpurush.luck import What
from gpurush.markets import power
from gpurush.state import Asked, Stage

OWNER, MONTHS = 3, 90
STUDY, BOARD, BUILD = 4.0, 3.0, 5.0


def queue(runs=1, mw=(50.0,), board=True, headroom=1e4, variation=0.6, **site_terms):
    """One site with requests that are filed in month 0."""
    batch = economy(runs, sites=1, utilities=1)
    sell(batch)
    site = batch["sites"]
    site["owner"][:, 0], site["who"][:, 0] = OWNER, luck.name("memphis")
    site["terms"]["pue"][:, 0] = site["terms"]["it_kw_factor"][:, 0] = 1.0
    for name, value in site_terms.items():
        site["power"][name][:, 0] = value
    for q, each in enumerate(mw):
        request = site["requests"]
        request["stage"][:, 0, q], request["mw"][:, 0, q] = Stage.planned, each
        request["left"][:, 0, q], request["board"][:, 0, q], request["until"][:, 0, q] = 1.0, board, -1
        request["expected"][:, 0, q] = 1.0
    terms = batch["utilities"]["terms"]
    terms["study"][:, 0], terms["board"][:, 0], terms["construction"][:, 0] = STUDY, BOARD, BUILD
    terms["congestion"][:, 0], terms["board_threshold"][:, 0] = 0.8, 100.0
    batch["utilities"]["headroom"][:, 0] = headroom
    batch["power"]["variation"], batch["power"]["request_least"] = variation, 10.0
    return batch


def months(batch, until=MONTHS, look=None):
    """Runs the queue; the month in which each run's grid first grows, -1 for never."""
    first = np.full(len(batch), -1)
    for at in range(until):
        batch["month"] = at
        power.advance_queue.all(batch)
        site = batch["sites"][:, 0]
        first[(first < 0) & (site["grid_mw"] > 0.0)] = at
        if look is not None:
            look(batch)
    return first


def test_what_is_approved_no_longer_crowds_the_studies_of_others():
    batch = queue(mw=(50.0, 30.0), board=False, variation=0.0)
    crowd = []
    months(batch, until=9, look=lambda batch: crowd.append(float(batch["utilities"]["waiting"][0, 0])))
    assert crowd[1] == 80.0, "both are studied"
    assert crowd[5:] == [0.0] * 4, "approved, though not connected before month 9"
    assert batch["utilities"]["headroom"][0, 0] == 1e4 - 80.0
    assert power.pending(batch["sites"][0, 0], Asked.grid) == 80.0


def stage_times(runs, board=True):
    """The times that luck gives each stage, (runs, stages)."""
    stages = [(STUDY, What.study), (BUILD, What.construction)] + [(BOARD, What.board)] * board
    who = luck.name("memphis")
    return np.array(
        [[luck.waiting_time(mean, 0.6, 7, run, who, what, 0) for mean, what in stages] for run in range(runs)]
    )


def test_fixed_stages_take_their_sum():
    assert months(queue(variation=0.0)).tolist() == [STUDY + BOARD + BUILD]
    assert months(queue(variation=0.0, board=False)).tolist() == [STUDY + BUILD]


def test_at_zero_load_a_wait_is_the_sum_of_its_stages_each_in_whole_months():
    runs = 500
    waits, times = months(queue(runs)), stage_times(runs)
    total = times.sum(axis=1)
    assert np.all(waits >= total)
    assert np.all(waits < total + 3.0)
    error = total.std() / np.sqrt(runs)
    assert abs(total.mean() - (STUDY + BOARD + BUILD)) < 4.0 * error
    assert np.mean((waits - waits.mean()) ** 3) > 0.0  # Right-skewed.


def test_at_zero_load_the_mean_wait_is_the_sum_of_the_stage_means_and_half_a_month():
    # Half a month, since what comes within a month serves from the next one's start.
    runs = 500
    waits, times = months(queue(runs)), stage_times(runs)
    assert (waits - times.sum(axis=1)).mean() == pytest.approx(0.5, abs=0.15)


def test_a_boards_delay_is_added_exactly_and_shifts_nothing_else():
    runs = 64
    early, late = months(queue(runs)), months(queue(runs, approval_delay=9.0))
    assert np.all(late - early == 9)
    without = [months(queue(runs, board=False, approval_delay=delay)) for delay in (0.0, 9.0)]
    assert np.array_equal(*without)


def test_a_site_never_gets_more_than_was_approved_nor_approved_more_than_it_asked():
    def look(batch):
        site = batch["sites"][:, 0]
        assert np.all(site["grid_mw"] <= site["approved_mw"])
        assert np.all(site["approved_mw"] <= site["requested_mw"])
        assert np.all(batch["utilities"]["headroom"][:, 0] >= 0.0)

    batch = queue(64, mw=(42.0, 100.0, 500.0), headroom=200.0)
    months(batch, look=look)
    assert np.all(batch["sites"]["grid_mw"][:, 0] == 142.0)
    assert np.all(batch["utilities"]["headroom"][:, 0] == 58.0)


def test_without_headroom_a_request_waits_until_there_is_some():
    batch = queue(mw=(50.0,), headroom=20.0, variation=0.0)
    batch["utilities"]["terms"]["headroom_growth"] = 2.0
    # 20 MW and 2 a month: 50 MW are there in the 15th month, after study and board.
    assert months(batch).tolist() == [14 + BUILD]


def test_a_crowded_headroom_lengthens_the_study():
    batch = queue(mw=(), headroom=100.0)
    batch["power"]["queue_slowdown"] = 0.5
    utility = batch["utilities"][0, 0]
    slow = []
    for waiting in (0.0, 80.0, 180.0, 1e6):
        utility["waiting"] = waiting
        slow.append(power.slowdown(utility, batch[0]))
    assert slow == pytest.approx([1.0, 1.0, 1.5, 2.0])


def planning(wanted, grid=0.0, cash=1e12, **terms):
    batch = queue(mw=())
    site = batch["sites"]
    site["wanted_mw"][:, 0], site["grid_mw"][:, 0], site["shell_mw"][:, 0] = wanted, grid, grid
    site["requested_mw"][:, 0] = site["approved_mw"][:, 0] = grid
    site["terms"]["shell_cost"][:, 0], site["terms"]["extension_build"][:, 0] = 1e7, 20.0
    batch["firms"]["cash"][0, OWNER] = cash
    return batch


def asked(batch, kind):
    request = batch["sites"]["requests"][0, 0]
    return request["mw"][(request["stage"] != Stage.empty) & (request["asked"] == kind)].sum()


def test_connection_and_shell_are_asked_for_together_once():
    batch = planning(80.0)
    for _ in range(2):
        power.request_power.all(batch)
    assert asked(batch, Asked.grid) == asked(batch, Asked.shell) == 80.0
    assert batch["firms"]["owed_shell"][0, OWNER] == 80.0 * 1e7


def test_a_request_that_lifts_the_site_to_the_threshold_goes_to_the_board():
    for wanted, board in ((99.0, False), (100.0, True)):
        batch = planning(wanted)
        power.request_power.all(batch)
        assert batch["sites"]["requests"]["board"][0, 0, 0] == board


def test_a_site_cannot_pass_the_board_by_asking_in_parts():
    batch = planning(60.0)
    power.request_power.all(batch)
    batch["month"], batch["sites"]["wanted_mw"] = 3, 120.0
    power.request_power.all(batch)
    assert asked(batch, Asked.grid) == 120.0
    assert batch["sites"]["requests"]["board"][0, 0].any()


def test_a_shell_that_cash_did_not_allow_is_ordered_when_it_does():
    batch = planning(80.0, cash=4e8)
    power.request_power.all(batch)
    assert asked(batch, Asked.shell) == 20.0
    batch["month"], batch["firms"]["cash"] = 3, 1e12
    power.request_power.all(batch)
    assert asked(batch, Asked.shell) == 80.0


def test_money_that_orders_have_claimed_builds_nothing():
    batch = planning(80.0, cash=8e8)
    batch["firms"]["committed"][0, OWNER] = 8e8
    power.request_power.all(batch)
    assert asked(batch, Asked.shell) == 0.0
    assert asked(batch, Asked.grid) == 80.0
    batch = planning(80.0, cash=8e8)
    batch["firms"]["committed"][0, OWNER] = 4e8
    power.request_power.all(batch)
    assert asked(batch, Asked.shell) == 20.0, "half of what is left, at 10 M USD a MW"


def test_expected_waits_are_means_of_the_stages_left_and_never_past():
    batch = queue(variation=0.6)
    site, expected = batch["sites"][0, 0], []
    for at in range(60):
        batch["month"] = at
        power.advance_queue.all(batch)
        request = site["requests"][0]
        if request["stage"] == Stage.empty:
            break
        expected.append(power.expected_wait(site, request, batch[0]))
    assert expected[0] == STUDY + BOARD + BUILD
    assert all(later <= sooner for sooner, later in itertools.pairwise(expected))
    assert min(expected) >= 1.0


def hungry(gas=35.0, rent=2.5, gpus=40_000.0):
    """Chips for 56 MW at a site with 8 MW from the grid, and a request that comes in 20 months."""
    batch = queue(mw=(150.0,), gas_mw=gas, gas_delivery=2.0, variation=0.0)
    site = batch["sites"]
    site["shell_mw"][:, 0], site["grid_mw"][:, 0] = 150.0, 8.0
    site["wanted_mw"][:, 0], site["requests"]["left"][:, 0, 0] = 150.0, 20.0
    site["requests"]["expected"][:, 0, 0] = 20.0
    site["requests"]["stage"][:, 0, 0] = Stage.construction
    place(batch, 0, 1, gpus)
    terms = batch["power"]
    terms["gas_block"], terms["gas_energy"], terms["gas_premium"] = 2.5, 175.0, 20_000.0
    terms["gas_permit_risk"], batch["utilities"]["terms"]["tariff"] = 50_000.0, 62.3
    batch["rent"], batch["transfer"]["cash_cost"] = rent, 0.4
    return batch


def test_turbines_are_rented_when_speed_is_worth_more_than_they_cost():
    batch = hungry()
    power.order_gas(batch["sites"][0, 0], batch[0])
    assert asked(batch, Asked.gas) == 35.0
    power.order_gas(batch["sites"][0, 0], batch[0])
    assert asked(batch, Asked.gas) == 35.0
    months(batch, until=3)
    assert batch["sites"]["gas_mw"][0, 0] == 35.0


def test_no_turbine_when_rent_hardly_covers_the_cash_cost():
    batch = hungry(rent=0.45)
    power.order_gas(batch["sites"][0, 0], batch[0])
    assert asked(batch, Asked.gas) == 0.0


def test_the_break_even_rent_of_a_turbine():
    """Gain and cost of a MW-month: kW per MW over kW per H100e x hours x margin, against rental and energy premium."""
    saved, per_mw_month = 18.0, 1000.0 / 1.4 * 730.0
    cost = 20_000.0 + 730.0 * (175.0 - 62.3) + 50_000.0 / saved
    margin = cost / per_mw_month
    for factor, ordered in ((0.99, 0.0), (1.01, 35.0)):
        batch = hungry(rent=0.4 + factor * margin)
        power.order_gas(batch["sites"][0, 0], batch[0])
        assert asked(batch, Asked.gas) == ordered


def test_no_turbine_where_gas_is_barred():
    batch = hungry(gas=0.0)
    power.request_power.all(batch)
    assert asked(batch, Asked.gas) == 0.0


def test_no_turbine_when_the_grid_feeds_every_chip():
    batch = hungry(gpus=4_000.0)
    power.order_gas(batch["sites"][0, 0], batch[0])
    assert asked(batch, Asked.gas) == 0.0


def test_turbines_go_back_when_the_grid_comes():
    batch = hungry()
    site = batch["sites"]
    site["gas_mw"][:, 0], site["grid_mw"][:, 0], site["facility_mw"][:, 0] = 35.0, 158.0, 56.0
    power.order_gas(site[0, 0], batch[0])
    assert site["gas_mw"][0, 0] == 0.0


def test_turbines_never_exceed_the_most_that_may_be_rented():
    batch = hungry(gas=36.5)
    power.order_gas(batch["sites"][0, 0], batch[0])
    power.order_gas(batch["sites"][0, 0], batch[0])
    assert asked(batch, Asked.gas) <= 36.5


def test_a_building_is_fitted_out_as_far_as_half_the_cash_goes_and_from_its_month_on():
    batch = planning(100.0, cash=1e9)
    site = batch["sites"]
    site["retrofit"][:, 0], site["terms"]["shell_mw"][:, 0], site["terms"]["shell_build"][:, 0] = (
        2,
        150.0,
        3.0,
    )
    power.fit_out(site[0, 0], batch[0])
    assert asked(batch, Asked.shell) == 0.0
    batch["month"] = 2
    power.fit_out(site[0, 0], batch[0])
    assert asked(batch, Asked.shell) == 50.0


def test_an_imposed_date_of_connection_does_not_pass_by_the_headroom():
    batch = queue(mw=(50.0,), headroom=20.0)
    batch["sites"]["requests"]["until"][:, 0, 0] = 6
    months(batch, until=12)
    assert batch["sites"]["grid_mw"][0, 0] <= batch["sites"]["approved_mw"][0, 0]


def test_nobody_builds_for_what_the_utility_has_no_headroom():
    batch = queue(mw=(), board=False, headroom=0.0, variation=0.0)
    batch["power"]["window"], batch["power"]["building_share"], batch["sites"]["retrofit"] = 1.0, 1.0, -1
    batch["sites"]["terms"]["shell_cost"][0, 0], batch["sites"]["terms"]["extension_build"][0, 0] = 1e6, 2.0
    built = []
    for at in range(24):
        batch["month"], batch["sites"]["wanted_mw"][0, 0] = at, 300.0 if at < 10 else 600.0
        power.advance_queue.all(batch)
        power.request_power.all(batch)
        built.append(
            float(batch["sites"]["shell_mw"][0, 0] + power.pending(batch["sites"][0, 0], Asked.shell))
        )
    assert built[:10] == [300.0] * 10, "ordered with the request, before anybody knows that it will wait"
    assert built[10:] == [300.0] * 14, "the request waits for headroom: no more is built beside it"
    assert power.pending(batch["sites"][0, 0], Asked.grid) == 600.0, "but asked for it is"
    batch["utilities"]["headroom"] = 1e4
    for at in range(24, 26):
        batch["month"] = at
        power.advance_queue.all(batch)
        power.request_power.all(batch)
    assert power.pending(batch["sites"][0, 0], Asked.shell) == 300.0, "approved: now it is built"
