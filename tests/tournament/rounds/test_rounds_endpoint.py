"""`/tournaments/{slug}/rounds`: pair, set by hand, publish, unpair, complete."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import JournalLine
from games.play.services import rule_game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, problem_in
from tests.tournament.events.test_verify_state import verify
from tournament.models import Bye, Pairing

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    """Return a running event of four players and three rounds."""
    event = make_event(organiser)
    event.enter(*make_players(4))
    return event.step("open", "start")


def entries_of(event: Event) -> list[int]:
    """Return the ids of the entries in the order of pairing numbers."""
    rows = event.tournament.entries.order_by("pairing_number")
    return list(rows.values_list("pk", flat=True))


def boards(*pairs: tuple[int, int | None], **more: Any) -> list[dict[str, Any]]:
    return [{"first_id": first, "second_id": second, **more} for first, second in pairs]


def by_hand(event: Event, who: Person, number: int, pairings: list[dict[str, Any]]) -> Any:
    body = {"reason": "as agreed", "pairings": pairings}
    return who.put(f"{event.path}/rounds/{number}/pairings", body)


def test_a_round_from_planned_to_complete(organiser: Person, event: Event) -> None:
    path = f"{event.path}/rounds/1"
    seen = []
    for action in ("pair", "unpair", "pair", "pair", "publish"):
        body = {} if action == "publish" else {"reason": "test"}
        answer = organiser.post(f"{path}/{action}", body)
        assert answer.status_code == 200
        body = organiser.get(path).json()
        seen.append((action, body["state"], body["version"], body["system"]))
    assert seen == [
        ("pair", "drafted", 1, "monrad"),
        ("unpair", "planned", 2, None),
        ("pair", "drafted", 3, "monrad"),
        ("pair", "drafted", 4, "monrad"),
        ("publish", "published", 4, "monrad"),
    ]
    for game in event.games():
        rule_game(game, by=organiser.account, reason="seen", result="1-0")
    settle()

    body = {"reason": "the last board is ruled"}
    assert organiser.post(f"{path}/complete", body).json()["state"] == "complete"

    lines = JournalLine.objects.filter(kind__startswith="round.").order_by("sequence")
    assert lines[5].payload.body["reason"] == "the last board is ruled"
    assert list(lines.values_list("kind", flat=True)) == [
        "round.paired", "round.unpaired", "round.paired", "round.paired", "round.published",
        "round.complete",
    ]  # fmt: skip
    assert Pairing.objects.count() == 6
    assert verify() == []


def test_a_preview_is_what_the_round_would_be(organiser: Person, event: Event) -> None:
    path = f"{event.path}/rounds/1"
    a, b, c, d = entries_of(event)
    hand = {"reason": "x", "pairings": boards((d, c), (b, a))}
    for method, address, body in (("POST", "pair", {}), ("PUT", "pairings", hand)):
        lines = JournalLine.objects.count()
        preview = organiser.send(method, f"{path}/{address}?dry_run=1", body).json()
        assert (organiser.get(path).json()["state"], JournalLine.objects.count()) == (
            "planned", lines,
        )  # fmt: skip
        real = organiser.send(method, f"{path}/{address}", body).json()
        assert preview == {"dry_run": True, **real}
        organiser.post(f"{path}/unpair")


def test_pairings_are_listed_by_board(anonymous: Person, organiser: Person) -> None:
    event = make_event(organiser)
    players = make_players(3)
    event.enter(*players)
    (game,) = event.step("open", "start").publish(1)
    rule_game(game, by=organiser.account, reason="seen", result="11-10")
    settle()
    entries = {entry.pairing_number: entry for entry in event.tournament.entries.all()}

    body = anonymous.get(f"{event.path}/rounds/1/pairings").json()

    def person(number: int) -> dict[str, Any]:
        entry = entries[number]
        name = f"Player {number}"
        player = {"id": entry.player_id, "name": name, "country": "POR", "club": None}
        return {"id": entry.pk, "number": number, "player": player}

    assert body == {
        "round": 1,
        "state": "published",
        "starts_on": None,
        "starts_at": None,
        "system": "monrad",
        "reason": None,
        "relaxed": [],
        "rows": [
            {
                "board": 1,
                "kind": "game",
                "by_hand": False,
                "first": person(1),
                "second": person(2),
                "game_id": game.pk,
                "state": "confirmed",
                "basis": "ruling",
                "result": "11-10",
                "termination": "ruled",
                "adjourned": False,
                "return_game": None,
                "points": None,
                "recommended": None,
                "applied": None,
            },
            {
                "board": None,
                "kind": "pairing_bye",
                "by_hand": False,
                "first": person(3),
                "second": None,
                "game_id": None,
                "state": None,
                "basis": None,
                "result": None,
                "termination": None,
                "adjourned": False,
                "return_game": None,
                "points": None,
                "recommended": None,
                "applied": None,
            },
        ],
    }


class TestByHand:
    def test_the_pairings_are_stored_as_sent(self, organiser: Person, event: Event) -> None:
        a, b, c, d = entries_of(event)

        answer = by_hand(event, organiser, 1, boards((d, a), (b, c)))

        assert answer.status_code == 200
        body = answer.json()
        assert (body["system"], body["reason"]) == ("by_hand", "as agreed")
        assert [
            (line["board"], line["first"]["id"], line["second"]["id"]) for line in body["rows"]
        ] == [(1, d, a), (2, b, c)]
        line = JournalLine.objects.select_related("payload").get(kind="round.set_by_hand")
        assert line.payload.body["violations"] == []
        assert line.payload.body["reason"] == "as agreed"

    IMPOSSIBLE = {
        "against oneself": [(0, 0), (2, 3)],
        "at two boards": [(0, 1), (0, 2)],
        "at a board and a bye": [(0, 1), (0, None), (2, 3)],
        "two players are missing": [(0, 2)],
    }

    @pytest.mark.parametrize("pairs", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
    def test_impossible_pairings_are_rejected(
        self, organiser: Person, event: Event, pairs: list[Any]
    ) -> None:
        entries = entries_of(event)
        lines = [(entries[x], None if y is None else entries[y]) for x, y in pairs]
        before = JournalLine.objects.count()

        answer = by_hand(event, organiser, 1, boards(*lines))

        problem = problem_in(answer, 422, "impossible_pairings")
        assert problem["errors"][0]["code"] in ("player_twice", "player_missing")
        assert "Player" in problem["detail"]
        assert (Pairing.objects.count(), JournalLine.objects.count()) == (0, before)

    def test_an_unknown_entry_is_named(self, organiser: Person, event: Event) -> None:
        a, b, c, _ = entries_of(event)

        answer = by_hand(event, organiser, 1, boards((a, b), (c, 999_999)))

        assert "999999" in problem_in(answer, 422, "unknown_entry")["detail"]

    @pytest.mark.parametrize("seat", ["first", "second"])
    def test_a_player_with_a_requested_bye_may_be_paired(
        self, organiser: Person, event: Event, seat: str
    ) -> None:
        a, b, c, d = entries_of(event)
        Bye.objects.create(tournament=event.tournament, entry_id=a, round=1, kind="half_bye")
        pair = (a, b) if seat == "first" else (b, a)

        answer = by_hand(event, organiser, 1, boards(pair, (c, d)))

        body = answer.json()
        assert [line["kind"] for line in body["rows"]] == ["game", "game"]
        assert [violation["code"] for violation in body["violations"]] == ["player_absent"]

    def test_a_requested_bye_is_added(self, organiser: Person, event: Event) -> None:
        a, b, c, d = entries_of(event)
        Bye.objects.create(tournament=event.tournament, entry_id=a, round=1, kind="half_bye")

        body = by_hand(event, organiser, 1, boards((b, c), (d, None))).json()

        assert [line["kind"] for line in body["rows"]] == ["game", "half_bye", "pairing_bye"]
        assert "violations" not in body

    def test_every_kind_of_bye(self, organiser: Person, event: Event) -> None:
        a, b, c, d = entries_of(event)
        lines = [
            *boards((a, b)),
            {"first_id": c, "bye": "full_bye"},
            {"first_id": d, "bye": "zero_bye"},
        ]

        body = by_hand(event, organiser, 1, lines).json()

        assert [line["kind"] for line in body["rows"]] == ["game", "full_bye", "zero_bye"]


def test_the_number_of_queries(
    anonymous: Person, organiser: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    event = make_event(organiser)
    event.enter(*make_players(6))
    event.step("open", "start").publish(1)

    with django_assert_num_queries(3):  # the tournament, the round, the pairings
        body = anonymous.get(f"{event.path}/rounds/1/pairings").json()["rows"]
    with django_assert_num_queries(2):
        anonymous.get(f"{event.path}/rounds")

    assert len(body) == 3
