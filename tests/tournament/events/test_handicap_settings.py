"""Settings of handicaps, and the handicaps that the games of an event cannot have."""

from typing import Any

import pytest

from games.models import Player
from ratings.models import Pool
from tests.events import make_event
from tests.people import Person, problem_in
from tests.tournament.handicaps import HANDICAPS, change, make_handicap_event

pytestmark = pytest.mark.django_db


def test_a_rated_game_has_a_handicap_with_a_value(organiser: Person) -> None:
    by_hand = {"handicaps": "by_hand", "handicap_kinds": [], "ruleset": "star", "board_size": "5x6"}
    Pool.objects.update(rated_games={})
    for slug, more, status in (("club", {}, 200), ("rated", {"pool": "star"}, 422)):
        event = make_handicap_event(organiser, (1500, 1400), slug=slug, **by_hand, **more)
        event.draft(1)
        answer = change(organiser, event, (1, "A", "B", "first 1 points"))
        assert answer.status_code == status
    problem_in(answer, 422, "handicap_unrated")


BOUNDS = {
    "four rings": ({"board_size": "4"}, 8),
    "ten rings, by an old table": ({"board_size": "10", "handicap_table": "v1"}, 23),
    "star": ({"ruleset": "star", "board_size": "5x6"}, 15),
}


@pytest.mark.parametrize(("settings", "most"), BOUNDS.values(), ids=BOUNDS)
def test_by_hand_no_more_points_are_given_than_can_be_overcome(
    organiser: Person, settings: dict[str, Any], most: int
) -> None:
    by_hand = {"handicaps": "by_hand", "handicap_kinds": [], "handicap_table": "", **settings}
    event = make_handicap_event(organiser, (1500, 1400), **by_hand)
    event.draft(1)
    assert change(organiser, event, (1, "A", "B", f"second {most} points")).status_code == 200
    for seat in ("first", "second"):
        answer = change(organiser, event, (1, "A", "B", f"{seat} {most + 1} points"))
        problem = problem_in(answer, 422, "handicap_conflict")
        assert f"at most {most} can be given" in problem["detail"]


def test_recommended_points_end_where_they_cannot_be_overcome(organiser: Person) -> None:
    """The rest of the difference is said; where the event has stones, these are given."""
    ratings, found = (2100, 900), []
    for slug, kinds in (("points", ["points"]), ("all", [])):
        settings = {"board_size": "4", "handicap_kinds": kinds, "handicap_table": "", "slug": slug}
        event = make_handicap_event(organiser, ratings, **settings)
        event.draft(1)
        (row,) = organiser.get(f"{event.path}/rounds/1/pairings").json()["rows"]
        found.append(row["recommended"])
    points, stones = found
    assert (points["handicap_text"], points["value"]) == ("second 5 points", 742)
    assert (points["expected"], points["limited"]) == (0.066828, True)
    assert points["reason"] == (
        "the ratings differ by 1200, of which 100 % are given; no handicap here is worth more than "
        "742 rating points by table v2, so only 7 % of the score can be expected for the weaker "
        "player"
    )
    assert (stones["handicap_text"], stones["limited"]) == ("second 3 stones", False)


SETTINGS = {
    "points without a score": (
        {"ruleset": "star-y", "handicap_kinds": ["stones", "points"]}, "handicap_kind"),
    "stones in two games": ({"games_per_pairing": 2}, "handicap_kind"),
    "the first move without the pie rule": (
        {"swap": False, "handicap_kinds": ["first_move"]}, "handicap_kind"),
    "a game without a table": (
        {"ruleset": "hex", "board_size": "11", "handicap_kinds": []}, "no_handicap_table"),
}  # fmt: skip


@pytest.mark.parametrize(("settings", "code"), SETTINGS.values(), ids=SETTINGS)
def test_refused_settings(organiser: Person, settings: dict[str, Any], code: str) -> None:
    body = {
        "name": "Cup", "starts_on": "2026-05-01", "ends_on": "2026-05-03", "ruleset": "star-star",
        "system": "dutch", "rounds": 3, **HANDICAPS, **settings,
    }  # fmt: skip
    problem_in(organiser.post("tournaments", body), 422, code)


def test_an_event_without_handicaps(organiser: Person) -> None:
    event = make_handicap_event(organiser, handicaps="none")
    event.draft(1)

    answer = change(organiser, event, (1, "A", "B", "second 1 stones"))

    problem_in(answer, 422, "no_handicaps")
    assert change(organiser, event, (1, "A", "B", "none")).status_code == 200
    problem = organiser.patch(event.path, {"handicaps": "by_hand"})
    problem_in(problem, 409, "set_up_frozen")


def test_a_player_without_a_rating_is_named_at_the_set_up(organiser: Person) -> None:
    """Recommended handicaps need ratings; with a pool, the seeds can be those of the pool."""
    event = make_event(organiser, **HANDICAPS, pool="star")
    players = [Player(name=name, seed_rating=rating) for name, rating in (("A", 1500), ("B", None))]
    event.enter(*Player.objects.bulk_create(players))

    def detail() -> list[str]:
        warnings = organiser.get(event.path).json()["warnings"]
        return [row["detail"] for row in warnings if row["code"] == "no_recommendation"]

    said = "unrated players (1): B; their games have no recommended handicap: enter their ratings"
    assert detail() == [f"{said}, or take the seeds from the pool before the start"]
    assert organiser.patch(event.path, {"seed_source": "pool"}).status_code == 200
    assert detail() == [said]
    assert organiser.patch(event.path, {"handicaps": "by_hand"}).status_code == 200
    assert detail() == []
