"""Settings of handicaps, and the handicaps that the games of an event cannot have."""

from typing import Any

import pytest

from tests.people import Person, problem_in
from tests.tournament.handicaps import HANDICAPS, change, make_handicap_event

pytestmark = pytest.mark.django_db


UNRATED = {
    "star": ({"game": "star", "board": "5x6"}, "first 1 points"),
    "more points than the table has": ({}, "first 51 points"),
}


@pytest.mark.parametrize(("settings", "handicap"), UNRATED.values(), ids=UNRATED)
def test_a_rated_game_has_a_handicap_with_a_value(
    organiser: Person, settings: dict[str, Any], handicap: str
) -> None:
    by_hand = {"handicaps": "by_hand", "handicap_kinds": [], **settings}
    for slug, more, status in (("club", {}, 200), ("rated", {"pool": "star"}, 422)):
        event = make_handicap_event(organiser, (1500, 1400), slug=slug, **by_hand, **more)
        event.draft(1)
        answer = change(organiser, event, (1, "A", "B", handicap))
        assert answer.status_code == status
    problem_in(answer, 422, "handicap_unrated")


SETTINGS = {
    "an unknown word": ({"handicaps": "yes"}, "invalid"),
    "a share above 100": ({"handicap_share": 101}, "invalid"),
    "a cap of zero": ({"handicap_cap": 0}, "invalid"),
    "an unknown kind": ({"handicap_kinds": ["komi"]}, "invalid"),
    "points without a score": (
        {"game": "star-y", "handicap_kinds": ["stones", "points"]}, "handicap_kind"),
    "stones in two games": ({"games_per_pairing": 2}, "handicap_kind"),
    "the first move without the pie rule": (
        {"swap": False, "handicap_kinds": ["first move"]}, "handicap_kind"),
    "a game without a table": (
        {"game": "hex", "board": "11", "handicap_kinds": []}, "no_handicap_table"),
}  # fmt: skip


@pytest.mark.parametrize(("settings", "code"), SETTINGS.values(), ids=SETTINGS)
def test_refused_settings(organiser: Person, settings: dict[str, Any], code: str) -> None:
    body = {
        "name": "Cup", "starts_on": "2026-05-01", "ends_on": "2026-05-03", "game": "star-star",
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
