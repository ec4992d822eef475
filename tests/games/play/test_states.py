"""What can be done with a game in each state, and why not."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Game
from games.play import states
from games.play.states import find_proposal_refusal, find_state_conflicts
from tests.events import FIRST_WINS, Event, make_published, settle
from tests.people import Person

pytestmark = pytest.mark.django_db

SETTLED = ("game_settled", "", "game_settled", "nothing_to_do")
OPEN = ("", "", "", "nothing_to_do")
CONFLICTS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    # the game; why a side may not report, an arbiter not rule, adjourn, resume it
    "open": ({}, OPEN),
    "waiting": ({"state": "waiting"}, OPEN),
    "disputed": ({"state": "disputed"}, OPEN),
    "confirmed": ({"state": "confirmed"}, SETTLED),
    "annulled": ({"state": "annulled"}, SETTLED),
    "adjourned": ({"adjourned": True}, ("", "", "nothing_to_do", "")),
    "of a complete round": (
        {"round_complete": True, "state": "annulled"},
        ("game_settled", "correction_needed", "game_settled", "nothing_to_do"),
    ),
    "open in a complete round": ({"round_complete": True}, OPEN),
    "void": ({"void": True}, ("game_void",) * 4),
    "of a final event": ({"closed": True}, ("tournament_final",) * 4),
    "final and confirmed": ({"closed": True, "state": "confirmed"}, ("tournament_final",) * 4),
    "casual": ({"stream": ""}, ("", "", "casual_game", "nothing_to_do")),
    **{
        state: ({"state": state, "stream": ""}, ("game_not_accepted",) * 4)
        for state in ("proposed", "declined", "cancelled", "expired")
    },
}


@pytest.mark.parametrize(("fields", "expected"), CONFLICTS.values(), ids=CONFLICTS)
def test_what_the_state_of_a_game_forbids(
    fields: dict[str, Any], expected: tuple[str, ...]
) -> None:
    game = Game(pk=17, **{"stream": "tournament/spring", **fields})
    found = (
        next(find_state_conflicts(game, **of), None)
        for of in (
            {"by_side": True},
            {"by_side": False},
            {"by_side": False, "adjourns": True},
            {"by_side": False, "resumes": True},
        )
    )
    assert tuple(conflict.code if conflict else "" for conflict in found) == expected


def allowed(person: Person, game: Game) -> str:
    body = person.get(f"games/{game.pk}?actions=1").json()["allowed_actions"]
    marks = {"safe": "", "unsafe": "!"}
    return " ".join(
        row["operation"].removesuffix("_game") + marks[row["level"]]
        for row in body
        if row["level"] != "forbidden"
    )


def test_what_each_may_do_with_a_game(
    organiser: Person, ada: Person, ben: Person, stranger: Person, anonymous: Person
) -> None:
    event: Event = make_published(organiser, ada, ben, rounds=1)
    (game,) = event.games()
    arbiter = "rule! annul! adjourn!"
    assert [allowed(person, game) for person in (organiser, ada, ben)] == [
        arbiter, "report", "report",
    ]  # fmt: skip
    assert allowed(stranger, game) == allowed(anonymous, game) == ""
    assert organiser.get(f"games/{game.pk}")["ETag"].count(".") == 2
    assert ada.get(f"games/{game.pk}")["ETag"].count(".") == 0

    ada.post(f"games/{game.pk}/reports", {"record": FIRST_WINS})
    settle()
    answers = "report confirm dispute"
    assert [allowed(person, game) for person in (ada, ben)] == ["report", answers]

    organiser.post(f"games/{game.pk}/adjourn", {"reason": "late"})
    settle()
    assert [allowed(person, game) for person in (organiser, ben)] == [
        "rule! annul! resume!", "report",
    ]  # fmt: skip

    organiser.post(f"games/{game.pk}/rule", {"result": "1-0", "reason": "seen"})
    settle()
    assert [allowed(person, game) for person in (organiser, ada)] == ["rule! annul!", ""]
    refused = ben.post(f"games/{game.pk}/confirm", {}).json()
    assert {row["code"] for row in refused["allowed_actions"]} == {"game_settled", "role_missing"}
    (adjourn,) = (
        row
        for row in organiser.get(f"games/{game.pk}?actions=1").json()["allowed_actions"]
        if row["operation"] == "adjourn_game"
    )
    assert (adjourn["level"], adjourn["code"]) == ("forbidden", "game_settled")


@pytest.mark.parametrize(
    ("state", "action", "seats", "code"),
    [
        ("proposed", "accept", ["second"], ""),
        ("proposed", "accept", ["first"], "own_proposal"),
        ("proposed", "decline", ["first"], "own_proposal"),
        ("proposed", "cancel", ["first"], ""),
        ("proposed", "cancel", ["second"], "not_your_proposal"),
        ("open", "accept", ["second"], "not_proposed"),
        ("declined", "cancel", ["first"], "not_proposed"),
    ],
)
def test_who_answers_a_proposal(state: str, action: str, seats: list[str], code: str) -> None:
    game = Game(pk=17, state=state, proposed_by="first")
    refusal = find_proposal_refusal(game, action, seats)
    assert (refusal.code if refusal else "") == code


def test_a_proposal_expires_in_the_moment_of_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game(pk=17, state="proposed", proposed_by="first", created_at=timezone.now())
    deadline = game.created_at + timedelta(days=7)
    found = []
    for now in (deadline - timedelta(microseconds=1), deadline):
        monkeypatch.setattr(states.timezone, "now", lambda now=now: now)
        found.append(find_proposal_refusal(game, "accept", ["second"]))
    assert found[0] is None
    assert found[1] is not None
    assert found[1].code == "proposal_expired"
