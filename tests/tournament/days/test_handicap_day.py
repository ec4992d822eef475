"""A handicap McMahon of 16 with stones and one override, through the API, up to the ratings."""

import csv
import io
from typing import Any

import pytest

from games.models import Game
from ratings.models import Pool
from ratings.runs.services import advance_pool
from tests.events import approve_organiser
from tests.people import Person, make_person, problem_in
from tests.tournament.events.test_verify_state import verify
from tests.tournament.imports import empty_tables, without_ids

EVENT = "tournaments/stones"
SETTINGS = {
    "name": "Stones", "slug": "stones", "ruleset": "star-star", "board_size": "10",
    "system": "mcmahon", "starts_on": "2026-05-01", "ends_on": "2026-05-03", "rounds": 4,
    "pool": "star", "system_options": {"bar": 1800, "pairing_method": "slide"},
    "handicaps": "recommended", "handicap_kinds": ["stones"], "handicap_cap": 5,
}  # fmt: skip
RATINGS = (
    2050, 1910, 1840, 1790, 1650, 1640, 1520, 1510, 1505, 1380, 1360, 1330, 1210, 1090, 1070, 900,
)  # fmt: skip
STONES = {0: None, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5}
"""The stones for a difference of so many won games: of 110, 195, 280, 365, 450 the nearest."""
VALUES = {None: 0, 1: 110, 2: 195, 3: 280, 4: 365, 5: 450}
RECORD = '[Game "star-star"]\n[Board "10"]\n[Handicap "{}"]\n\nS10 resign\n'

pytestmark = pytest.mark.django_db


def post(person: Person, path: str, body: Any = None, **headers: str) -> Any:
    answer = person.post(path, body, **headers)
    assert answer.status_code < 300, answer.content
    return answer.json()


def stones_of(row: dict[str, Any]) -> int | None:
    """Return the handicap stones of a board; they are always those of the second seat."""
    if row["applied"]["handicap"] is None:
        return None
    seat, number, kind = row["applied"]["handicap"].split()
    assert (seat, kind) == ("second", "stones")
    return int(number)


def check_recommended(rows: list[dict[str, Any]], scores: dict[str, int]) -> int:
    """Check each board against the scores in won games; return how many have stones."""
    for row in rows:
        first, second = (
            scores[row["first"]["player"]["name"]],
            scores[row["second"]["player"]["name"]],
        )
        difference = first - second if stones_of(row) else abs(first - second)
        assert stones_of(row) == STONES[min(difference, 5)], row
        recommended = row["recommended"]
        assert recommended["handicap"] == row["applied"]["handicap"]
        assert recommended["opponent_rating"] - recommended["rating"] == 100 * difference
        assert (recommended["basis"], recommended["table"]) == ("scores", "v1")
    return sum(stones_of(row) is not None for row in rows)


def play(organiser: Person, number: int, scores: dict[str, int]) -> list[dict[str, Any]]:
    """Play a round: the player with stones wins at every second board, else the first seat."""
    rows: list[dict[str, Any]]
    rows = organiser.get(f"{EVENT}/rounds/{number}/pairings").json()["pairings"]
    results = []
    for row in rows:
        second_wins = stones_of(row) is not None and row["board"] % 2 == 0
        winner = row["second" if second_wins else "first"]
        scores[winner["player"]["name"]] += 1
        if row["state"] == "open":
            result = "25-26" if second_wins else "26-25"
            results.append({"board": row["board"], "result": result})
    post(organiser, f"{EVENT}/rounds/{number}/results", {"results": results, "basis": "slip"})
    post(organiser, f"{EVENT}/rounds/{number}/complete")
    return rows


def override(organiser: Person, anonymous: Person) -> dict[str, Any]:
    """Change the handicap of a published board of round 2; its record must have the new one."""
    path = f"{EVENT}/rounds/2/pairings"
    rows = organiser.get(path).json()["pairings"]
    row = next(row for row in rows if row["applied"]["handicap"] and row["board"] % 2 == 1)
    recommended = row["applied"]["handicap"]
    given = f"second {stones_of(row) + 1} stones"
    change = {
        "board": row["board"], "first": row["first"]["entry"], "second": row["second"]["entry"],
        "handicap": given,
    }  # fmt: skip
    body = {"reason": "the rating is too high", "boards": [change]}

    assert organiser.patch(path, body).status_code == 200

    after = anonymous.get(path).json()
    changed: dict[str, Any] = after["pairings"][row["board"] - 1]
    assert (after["system"], after["reason"]) == ("mcmahon", None)
    assert anonymous.get(f"{EVENT}/certificates/2").status_code == 200
    assert changed["recommended"] == row["recommended"]
    assert changed["applied"] == {"handicap": given, "by_hand": True, "reason": body["reason"]}
    assert anonymous.get(f"games/{row['game']}").status_code == 404
    conditions = anonymous.get(f"games/{changed['game']}").json()
    assert (conditions["handicap"], conditions["swap"]) == (
        {"seat": "second", "stones": stones_of(changed)},
        False,
    )
    ruling = {"record": RECORD.format(recommended), "reason": "their record"}
    problem = problem_in(organiser.post(f"games/{changed['game']}/rule", ruling), 422)
    assert problem["errors"][0]["pointer"] == "/record/handicap"
    slip = {"board": row["board"], "result": "26-25"}
    post(organiser, f"{EVENT}/rounds/2/results", {"results": [slip], "basis": "slip"})
    change["handicap"] = "none"
    problem_in(organiser.patch(path, body | {"accept": ["game-reported"]}), 409, "handicap_fixed")
    return changed


def check_ratings(anonymous: Person, boards: list[dict[str, Any]]) -> None:
    """Check that each game was rated with the handicap applied, by the formula of the system."""
    for row in boards:
        (rated,) = anonymous.get(f"games/{row['game']}/rating-changes").json()["results"]
        assert rated["state"] == "rated"
        for change in rated["changes"]:
            part = VALUES[stones_of(row)] * (1 if change["seat"] == "second" else -1)
            assert float(change["handicap_part"]) == part
            lead = float(change["before"]) - float(change["opponent_before"]) + part
            assert float(change["expected"]) == pytest.approx(
                1 / (1 + 10 ** (-lead / 400)), abs=1e-6
            )


def test_a_handicap_mcmahon(organiser: Person, anonymous: Person) -> None:
    approve_organiser(organiser)
    Pool.objects.update(handicap_table="v1")
    post(organiser, "tournaments", SETTINGS)
    lines = ["name,seed_rating", *(f"P{rating},{rating}" for rating in RATINGS)]
    content = "\n".join(lines).encode()
    post(organiser, f"{EVENT}/entries/import", content, content_type="text/csv")
    for action in ("open", "start"):
        post(organiser, f"{EVENT}/{action}")
    scores = {f"P{rating}": min(rating, 1800) // 100 - 9 for rating in RATINGS}
    boards: list[dict[str, Any]] = []
    handicaps = 0
    for number in range(1, 5):
        path = f"{EVENT}/rounds/{number}"
        drafted = post(organiser, f"{path}/pair", {})["pairings"]
        handicaps += check_recommended(drafted, scores)
        published = post(organiser, f"{path}/publish", {})["pairings"]
        assert [row["applied"] for row in published] == [row["applied"] for row in drafted]
        changed = override(organiser, anonymous) if number == 2 else None
        boards += play(organiser, number, scores)
        assert changed is None or changed["applied"] in [row["applied"] for row in boards]
    assert handicaps >= 8
    for action in ("review", "finalise"):
        post(organiser, f"{EVENT}/{action}")

    table = csv.DictReader(io.StringIO(anonymous.get(f"{EVENT}/standings.csv").content.decode()))
    assert {row["name"]: int(row["MMS"]) for row in table} == scores
    pool = Pool.objects.get(code="star")
    advance_pool(pool.pk)
    check_ratings(anonymous, boards)
    assert verify() == []

    # Another installation has the same handicaps, games and ratings.
    pairings = anonymous.get(f"{EVENT}/rounds/2/pairings").json()
    rated = anonymous.get("pools/star/ratings?provisional=true").json()["results"]
    conditions = list(Game.objects.order_by("pk").values_list("place", "swap", "handicap"))
    bundle = organiser.get(f"{EVENT}/bundle.zip").content
    empty_tables()
    staff = make_person("Site", is_staff=True)
    post(staff, "tournaments/import/bundle", bundle, content_type="application/zip")
    advance_pool(pool.pk)

    found = anonymous.get(f"{EVENT}/rounds/2/pairings").json()
    assert without_ids(found) == without_ids(pairings)
    found = anonymous.get("pools/star/ratings?provisional=true").json()["results"]
    assert without_ids(found) == without_ids(rated)
    assert list(Game.objects.order_by("pk").values_list("place", "swap", "handicap")) == conditions
    assert staff.get(f"{EVENT}/bundle.zip").content == bundle
