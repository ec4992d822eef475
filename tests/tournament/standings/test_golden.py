"""Every value and every order on record, from events with byes, forfeits and withdrawals."""

import csv
from pathlib import Path

import pytest

from tournament.standings.crosstable import Crosstable
from tournament.standings.table import format_value, rank
from tournament.trf import read_trf

DATA = Path(__file__).parent / "data"
SWISS = ["001", "002", "003", "004", "005", "006", "007", "008", "009"]
ROUND_ROBIN = ["010", "011", "012"]
LISTS = {
    False: {"A": "PTS,DE,BH/C1,BH,SB", "B": "PTS,BH/C1,BH,SB,WIN,BPG"},
    True: {"A": "PTS,DE,SB,KS,WIN", "B": "PTS,SB,KS,WIN"},
}


def load(name: str) -> Crosstable:
    document = read_trf((DATA / f"{name}.trf").read_bytes(), round_robin=name in ROUND_ROBIN)
    return document.crosstable


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize("name", SWISS + ROUND_ROBIN)
def test_every_value_is_the_one_on_record(name: str) -> None:
    event, golden = load(name), table(DATA / f"{name}.tb.csv")
    for code in golden[0].keys() - {"id"}:
        codes = dict.fromkeys(["PTS", code])
        rows = rank(event, list(codes))
        got = {str(row.number): format_value(row.values[code]) for row in rows}
        assert got == {line["id"]: line[code] for line in golden}, code


@pytest.mark.parametrize("name", SWISS + ROUND_ROBIN)
def test_the_order_is_the_one_on_record(name: str) -> None:
    event, golden = load(name), table(DATA / f"{name}.standings.csv")
    for letter, codes in LISTS[event.round_robin].items():
        got = [(str(row.rank), str(row.number)) for row in rank(event, codes)]
        assert got == [(line["place"], line["id"]) for line in golden if line["list"] == letter]


@pytest.mark.parametrize(
    "line",
    table(DATA / "cases" / "expected.csv"),
    ids=lambda line: f"{line['case'][:2]}-{line['code']}-{line['id']}",
)
def test_cases_derived_by_hand(line: dict[str, str]) -> None:
    document = read_trf(
        (DATA / "cases" / f"{line['case']}.trf").read_bytes(),
        round_robin=line["type"] == "round robin",
    )
    code, _, rule = line["code"].partition(";unrated=")
    rows = rank(
        document.crosstable, list(dict.fromkeys(["PTS", code])), unrated=int(rule) if rule else None
    )
    values = {str(row.number): format_value(row.values[code]) for row in rows}
    assert values[line["id"]] == line["value"]
