"""The tables that a recording becomes: keys, columns, types, units, values."""

import dataclasses

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import synthetic_recording as made

from gpurush.engine import FIELDS
from gpurush.names import Binding, Bound, Deal
from gpurush.results.columns import TABLES
from gpurush.results.deals import UNITS, deals_table
from gpurush.results.reader import Results
from gpurush.results.recording import Recording, month_ends, quarter_ends, year_ends
from gpurush.results.tables import agents_table, runs_table
from gpurush.rows import AgentRow, MarketRow, SiteRow

PROMISED = {
    "agents": """run date agent cash_usd debt_usd equity_raised_usd valuation_usd runway_months revenue_usd
        capex_usd compute_spend_usd research_spend_usd inference_spend_usd h100e_owned h100e_leased
        h100e_energised h100e_stranded facility_mw research_share researchers h100e_per_researcher
        capability""",
    "sites": """run date site owner gpus_delivered gpus_energised h100e_energised h100e_stranded grid_mw
        onsite_mw facility_mw binding_limit shadow_h100e_per_mw""",
    "markets": """run date market item price_usd orders need shipped backlog fill_rate lead_time_months
        book_to_bill""",
    "deals": "run date kind payer payee amount_usd quantity unit",
    "runs": "run seed finite",
}


@pytest.mark.parametrize("table", PROMISED)
def test_promised_columns_are_there(results: Results, table: str) -> None:
    assert set(PROMISED[table].split()) <= set(results.read(table).columns)


def test_types(results: Results) -> None:
    for name in ("agents", "sites", "markets", "deals"):
        for column, kind in results.read(name).dtypes.items():
            if column == "run":
                assert kind == np.int64
            elif column == "date":
                assert pd.api.types.is_datetime64_dtype(kind)
            elif isinstance(kind, pd.CategoricalDtype):
                continue
            else:
                assert kind == (np.float64 if str(column).endswith("_usd") else np.float32), column


def test_round_trip(results: Results, recording: Recording) -> None:
    at = recording.agents.index("xai")
    frame = results.agents.query("agent == 'xai' and run == 7")
    rows = recording.agent_rows[:, 7, at]
    assert len(frame) == recording.months
    np.testing.assert_array_equal(frame["cash_usd"], rows["cash_usd"])
    np.testing.assert_array_equal(frame["h100e_energised"], rows["h100e_energised"].astype(np.float32))
    np.testing.assert_array_equal(frame["runway_months"], rows["runway_months"].astype(np.float32))
    assert list(frame["bound_by"]) == [Bound(number).name for number in rows["bound_by"]]
    assert set(frame["kind"]) == {"lab"}
    site = results.sites.query("site == 'memphis' and run == 3")
    assert list(site["binding_limit"]) == [
        Binding(n).name for n in recording.site_rows[:, 3, 0]["binding_limit"]
    ]
    assert set(site["owner"]) == {"xai"}
    price = results.markets.query("market == 'gpu' and item == 'H100' and run == 3")["price_usd"]
    np.testing.assert_array_equal(price, recording.market_rows[:, 3, 1]["price_usd"])


def test_rows_are_sorted_and_complete(results: Results, recording: Recording) -> None:
    agents = results.agents
    assert len(agents) == 20 * 60 * len(recording.agents)
    assert not agents.duplicated(["run", "date", "agent"]).any()
    assert agents["run"].is_monotonic_increasing
    assert agents.groupby("run")["date"].apply(lambda dates: dates.is_monotonic_increasing).all()
    assert not results.deals.duplicated(["run", "date", "kind", "payer", "payee", "unit"]).any()


def test_categories_are_whole_enumerations(results: Results) -> None:
    assert list(results.agents["bound_by"].cat.categories) == [member.name for member in Bound]
    assert list(results.deals["kind"].cat.categories) == [member.name for member in Deal]


def test_unit_and_meaning_in_the_metadata(results: Results) -> None:
    for table, row in (("agents", AgentRow), ("sites", SiteRow), ("markets", MarketRow)):
        schema = pq.read_schema(results.folder / f"{table}.parquet")
        assert schema.metadata[b"table"].decode() == table
        for name, field in FIELDS[row].items():
            metadata = schema.field(name).metadata
            assert metadata[b"unit"].decode() == field.unit
            assert metadata[b"meaning"].decode() == field.meaning
    runs = pq.read_schema(results.folder / "runs.parquet")
    assert runs.field("labs.xai.cash").metadata[b"unit"] == b"USD"
    assert b"cash at the start" in runs.field("labs.xai.cash").metadata[b"meaning"]


def test_nothing_undefined_is_a_number(recording: Recording) -> None:
    rows = recording.agent_rows.copy()
    rows["runway_months"][0, 2, 0] = np.inf
    rows["runway_months"][1, 2, 0] = np.nan
    rows["h100e_owned"][2, 2, 0] = 1e300
    table = agents_table(dataclasses.replace(recording, agent_rows=rows))
    at = 2 * recording.months * len(recording.agents)
    assert [table["runway_months"][at + m * len(recording.agents)].as_py() for m in (0, 1)] == [None, None]
    assert table["h100e_owned"][at + 2 * len(recording.agents)].as_py() is None
    finite = runs_table(dataclasses.replace(recording, agent_rows=rows), 0)["finite"].to_pylist()
    assert finite == [run != 2 for run in range(20)]


def test_columns_with_nulls_are_null_in_the_file(results: Results) -> None:
    column = pq.read_table(results.folder / "agents.parquet", columns=["runway_months"])["runway_months"]
    assert column.null_count > 0
    assert not pa.compute.is_nan(column).to_pandas().any()


def test_runs(results: Results) -> None:
    runs = results.runs
    assert list(runs["run"]) == list(range(20))
    assert (runs["seed"] == 0).all()
    assert runs["finite"].dtype == bool
    assert runs["finite"].all()
    assert runs["labs.xai.cash"].dtype == np.float64
    assert runs["releases"].dtype == np.int64


def line(kind: Deal, payer: int, payee: int, asset: int, amount: float, quantity: float = 0.0) -> np.ndarray:
    out = np.zeros(1, made.deals([0], 0, 1)[0].dtype)
    for name, value in zip(out.dtype.names, (kind, payer, payee, asset, amount, quantity), strict=True):
        out[name] = value
    return out


def deal_recording(recording: Recording) -> Recording:
    lines = [
        (0, line(Deal.rent, 0, 6, -1, 100.0, 8.0)),
        (1, line(Deal.rent, 0, 6, -1, 50.0, 8.0)),
        (2, line(Deal.rent, 0, 6, -1, 25.0, 4.0)),
        (3, line(Deal.rent, 0, 6, -1, 10.0, 1.0)),
        (0, line(Deal.place, 0, 28, 1, 64.0)),
        (2, line(Deal.place, 0, 28, 1, 8.0)),
        (2, line(Deal.place, 0, 28, 2, 72.0)),
        (2, line(Deal.equity, 20, 0, -1, 0.0)),
    ]
    months = np.array([month for month, _ in lines], dtype=np.int64)
    return dataclasses.replace(
        recording,
        deal_rows=np.concatenate([row for _, row in lines]),
        deal_run=np.full(len(lines), 5, dtype=np.int64),
        deal_month=months,
    )


def test_deals_by_month(recording: Recording) -> None:
    frame = deals_table(deal_recording(recording)).to_pandas()
    assert len(frame) == 7
    assert set(frame["run"]) == {5}
    rent = frame[frame["kind"] == "rent"]
    assert list(rent["amount_usd"]) == [100.0, 50.0, 25.0, 10.0]
    assert set(rent["unit"]) == {UNITS[Deal.rent]}
    assert list(rent["date"].dt.strftime("%Y-%m-%d")) == [
        "2023-01-31",
        "2023-02-28",
        "2023-03-31",
        "2023-04-30",
    ]


def test_deals_by_quarter(recording: Recording) -> None:
    frame = deals_table(deal_recording(recording), "quarter").to_pandas()
    rent = frame[frame["kind"] == "rent"]
    assert list(rent["amount_usd"]) == [175.0, 10.0]
    assert list(rent["quantity"]) == [20.0, 1.0]
    assert list(rent["date"].dt.strftime("%Y-%m-%d")) == ["2023-03-31", "2023-06-30"]
    placed = frame[frame["kind"] == "place"]
    assert dict(zip(placed["unit"], placed["quantity"], strict=True)) == {"H100": 72.0, "B200": 72.0}
    assert (placed["amount_usd"] == 0.0).all()
    assert set(placed["payee"]) == {recording.accounts[28]}
    assert "equity" not in set(frame["kind"])


def test_quarters_sum_to_the_months(recording: Recording) -> None:
    months, quarters = (deals_table(recording, period).to_pandas() for period in ("month", "quarter"))
    assert (
        months["amount_usd"].sum()
        == quarters["amount_usd"].sum()
        == recording.deal_rows["amount"][recording.deal_rows["asset"] < 0].sum()
    )
    assert len(quarters) < len(months)
    assert ((months["amount_usd"] != 0) | (months["quantity"] != 0)).all()


def test_calendar() -> None:
    assert [str(day)[:10] for day in month_ends("2023-12", 3)] == ["2023-12-31", "2024-01-31", "2024-02-29"]
    assert quarter_ends("2023-02", 6).tolist() == [1, 1, 4, 4, 4, 5]
    assert year_ends("2023-11", 16) == [("2023", 0, 1), ("2024", 2, 13), ("2025-02", 14, 15)]


def test_every_column_has_a_meaning() -> None:
    for table in TABLES.values():
        assert all(column.meaning for column in table.columns)
        assert set(table.keys) <= {column.name for column in table.columns}
