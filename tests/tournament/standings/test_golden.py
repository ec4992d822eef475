"""All values and standings of the golden events, with byes, forfeits and withdrawals."""

from dataclasses import replace

import pytest

from tests.tournament.standings.golden import DATA, ROUND_ROBIN, SWISS, load, read_csv
from tournament.standings.table import rank
from tournament.trf import read_trf

LISTS = {
    False: {"A": "PTS,DE,BH/C1,BH,SB", "B": "PTS,BH/C1,BH,SB,WIN,BPG"},
    True: {"A": "PTS,DE,SB,KS,WIN", "B": "PTS,SB,KS,WIN"},
}

BY_HAND = read_csv(DATA / "cases" / "expected.csv")


@pytest.mark.parametrize("name", SWISS + ROUND_ROBIN)
def test_values_of_golden_events(name: str) -> None:
    event, golden = load(name), read_csv(DATA / f"{name}.tb.csv")
    for code in golden[0].keys() - {"id"}:
        codes = dict.fromkeys(["PTS", code])
        rows = rank(event, list(codes))
        values = {str(row.number): row.values_as_json()[code] or "" for row in rows}
        assert values == {line["id"]: line[code] for line in golden}, code


@pytest.mark.parametrize("name", SWISS + ROUND_ROBIN)
def test_standings_of_golden_events(name: str) -> None:
    event, golden = load(name), read_csv(DATA / f"{name}.standings.csv")
    for letter, codes in LISTS[event.round_robin].items():
        ranks = [(str(row.rank), str(row.number)) for row in rank(event, codes)]
        assert ranks == [(line["place"], line["id"]) for line in golden if line["list"] == letter]


@pytest.mark.parametrize(
    ("case", "kind"), sorted({(line["case"], line["type"]) for line in BY_HAND})
)
def test_cases_derived_by_hand(case: str, kind: str) -> None:
    source = (DATA / "cases" / f"{case}.trf").read_bytes()
    trf = read_trf(source, round_robin=kind == "round robin")
    due = {
        (line["code"], line["id"]): line["value"]
        for line in BY_HAND
        if (line["case"], line["type"]) == (case, kind)
    }

    found = {}
    for name in {name for name, _ in due}:
        code, _, unrated = name.partition(";unrated=")
        crosstable = replace(trf.crosstable, unrated=int(unrated or 0))
        rows = rank(crosstable, list(dict.fromkeys(["PTS", code])))
        found |= {(name, str(row.number)): row.values_as_json()[code] or "" for row in rows}
    assert {key: found[key] for key in due} == due
