"""`/tournaments/{slug}/rounds`: pair, set by hand, publish, unpair, complete."""

from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.models import Game, JournalLine
from games.play.services import rule_game
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, problem_in, statuses
from tournament.models import Bye, Entry, Pairing, Round

pytestmark = pytest.mark.django_db
ACTIONS = ("pair", "publish", "unpair", "complete", "reopen")


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
    return [{"first": first, "second": second, **more} for first, second in pairs]


def by_hand(event: Event, who: Person, number: int, pairings: list[dict[str, Any]]) -> Any:
    body = {"reason": "as agreed", "pairings": pairings}
    return who.put(f"{event.path}/rounds/{number}/pairings", body)


class TestPermissions:
    @pytest.mark.parametrize("action", ACTIONS)
    def test_actions(self, everyone: dict[str, Person], event: Event, action: str) -> None:
        found = statuses(everyone, "POST", f"{event.path}/rounds/1/{action}", {})

        assert found == {
            "organiser": 200 if action == "pair" else 409,
            "player": 403,
            "stranger": 403,
            "anonymous": 401,
        }

    def test_set_pairings_by_hand(self, everyone: dict[str, Person], event: Event) -> None:
        a, b, c, d = entries_of(event)
        body = {"reason": "as agreed", "pairings": boards((a, b), (c, d))}

        assert statuses(everyone, "PUT", f"{event.path}/rounds/1/pairings", body) == {
            "organiser": 200,
            "player": 403,
            "stranger": 403,
            "anonymous": 401,
        }

    @pytest.mark.parametrize("path", ["rounds", "rounds/1"])
    def test_see_rounds(self, everyone: dict[str, Person], event: Event, path: str) -> None:
        assert statuses(everyone, "GET", f"{event.path}/{path}") == dict.fromkeys(everyone, 200)

    def test_see_pairings(self, everyone: dict[str, Person], event: Event) -> None:
        path = f"{event.path}/rounds/1/pairings"
        event.publish(1)

        assert statuses(everyone, "GET", path) == dict.fromkeys(everyone, 200)

    @pytest.mark.parametrize(
        ("scopes", "stream", "status"),
        [
            (["tournament:write"], "tournament/spring", 200),
            (["tournament:write"], "tournament/autumn", 403),
            (["result:write", "tournament:read"], "", 403),
        ],
    )
    def test_token_permissions(
        self, organiser: Person, event: Event, scopes: list[str], stream: str, status: int
    ) -> None:
        owner = organiser.with_token(*scopes, stream=stream)

        assert owner.post(f"{event.path}/rounds/1/pair").status_code == status


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

    assert organiser.post(f"{path}/complete").json()["state"] == "complete"

    lines = JournalLine.objects.filter(kind__startswith="round.").order_by("sequence")
    assert list(lines.values_list("kind", flat=True)) == [
        "round.paired", "round.unpaired", "round.paired", "round.paired", "round.published",
        "round.complete",
    ]  # fmt: skip
    assert Pairing.objects.count() == 6


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
        player = entry.player_id
        return {"entry": entry.pk, "number": number, "player": {"id": player, "name": name}}

    assert body == {
        "round": 1,
        "state": "published",
        "starts_on": None,
        "starts_at": None,
        "system": "monrad",
        "reason": None,
        "relaxed": [],
        "pairings": [
            {
                "board": 1,
                "kind": "game",
                "by_hand": False,
                "first": person(1),
                "second": person(2),
                "game": game.pk,
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
                "kind": "pairing-bye",
                "by_hand": False,
                "first": person(3),
                "second": None,
                "game": None,
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


class TestConflicts:
    def test_an_open_result_blocks_and_names_its_board(
        self, organiser: Person, event: Event
    ) -> None:
        first, _ = event.publish(1)
        rule_game(first, by=organiser.account, reason="seen", result="1-0")
        settle()
        a, b, c, d = entries_of(event)

        for answer in (
            organiser.post(f"{event.path}/rounds/2/pair"),
            by_hand(event, organiser, 2, boards((a, b), (c, d))),
        ):
            problem = problem_in(answer, 409, "round_open")
            assert [(e["round"], e["board"]) for e in problem["errors"]] == [(1, 2)]
            assert "2" in problem["detail"].partition("boards:")[2]
        problem = problem_in(organiser.post(f"{event.path}/rounds/1/complete"), 409, "results_open")
        assert [(e["round"], e["board"]) for e in problem["errors"]] == [(1, 2)]

    @pytest.mark.parametrize("state", ["open", "waiting", "disputed"])
    def test_an_unconfirmed_game_blocks_completion(
        self, organiser: Person, event: Event, state: str
    ) -> None:
        games = event.publish(1)
        Game.objects.filter(pk__in=[game.pk for game in games]).update(state="confirmed")
        Game.objects.filter(pk=games[1].pk).update(state=state)

        problem = problem_in(organiser.post(f"{event.path}/rounds/1/complete"), 409, "results_open")

        assert [error["board"] for error in problem["errors"]] == [2]

    def test_the_previous_round_must_be_complete(self, organiser: Person, event: Event) -> None:
        for game in event.publish(1):
            rule_game(game, by=organiser.account, reason="seen", result="1-0")
        settle()

        problem_in(organiser.post(f"{event.path}/rounds/2/pair"), 409, "round_open")

    @pytest.mark.parametrize(
        ("states", "action", "status"),
        [
            (("planned",), "publish", 409),
            (("planned",), "unpair", 409),
            (("planned",), "complete", 409),
            (("drafted",), "complete", 409),
            (("published", "complete", "locked"), "pair", 409),
            (("locked",), "unpair", 409),
            (("published", "complete", "locked"), "publish", 409),
            (("complete", "locked"), "complete", 409),
            (("drafted",), "pair", 200),
            (("drafted",), "unpair", 200),
            (("drafted",), "publish", 200),
        ],
    )
    def test_every_action_in_every_state(
        self, organiser: Person, event: Event, states: tuple[str, ...], action: str, status: int
    ) -> None:
        for state in states:
            Round.objects.filter(tournament=event.tournament, number=1).update(state=state)
            answer = organiser.post(f"{event.path}/rounds/1/{action}")
            assert (state, answer.status_code) == (state, status)
            if status == 409:
                problem_in(answer, 409, "wrong_state")

    @pytest.mark.parametrize("state", ["registration", "review", "final", "cancelled"])
    def test_the_event_must_be_running(self, organiser: Person, event: Event, state: str) -> None:
        event.tournament.state = state
        event.tournament.save()

        for action in ACTIONS:
            problem_in(organiser.post(f"{event.path}/rounds/1/{action}"), 409, "wrong_state")

    def test_an_unknown_round(self, organiser: Person, event: Event) -> None:
        draft = make_event(organiser, slug="draft")
        for path in (f"{event.path}/rounds/4", f"{event.path}/rounds/0", f"{draft.path}/rounds/1"):
            problem_in(organiser.get(path), 404)
            problem_in(organiser.post(f"{path}/pair"), 404)

    def test_no_legal_pairing(self, organiser: Person) -> None:
        event = make_event(organiser, rounds=2)
        event.enter(*make_players(2))
        event.step("open", "start").play(1)

        problem = problem_in(organiser.post(f"{event.path}/rounds/2/pair"), 409, "no_legal_pairing")

        assert sorted(error["number"] for error in problem["errors"]) == [1, 2]

    def test_no_player_is_present(self, organiser: Person, event: Event) -> None:
        Entry.objects.update(state="withdrawn")

        assert organiser.post(f"{event.path}/rounds/1/pair").status_code in (200, 409)


class TestByHand:
    def test_the_pairings_are_stored_as_sent(self, organiser: Person, event: Event) -> None:
        a, b, c, d = entries_of(event)

        answer = by_hand(event, organiser, 1, boards((d, a), (b, c)))

        assert answer.status_code == 200
        body = answer.json()
        assert (body["system"], body["reason"]) == ("by-hand", "as agreed")
        assert [
            (line["board"], line["first"]["entry"], line["second"]["entry"])
            for line in body["pairings"]
        ] == [(1, d, a), (2, b, c)]
        line = JournalLine.objects.select_related("payload").get(kind="round.set_by_hand")
        assert line.payload.body["violations"] == []
        assert line.payload.body["reason"] == "as agreed"

    VIOLATIONS = {
        "a rematch": ([(0, 1), (2, 3)], "rematch"),
        "two byes": ([(0, 2), (1, None), (3, None)], "several-byes"),
    }

    @pytest.mark.parametrize(("pairs", "code"), VIOLATIONS.values(), ids=VIOLATIONS)
    def test_a_violation_is_stored_and_listed(
        self, organiser: Person, event: Event, pairs: list[Any], code: str
    ) -> None:
        entries = entries_of(event)
        by_hand(event, organiser, 1, boards((entries[0], entries[1]), (entries[2], entries[3])))
        organiser.post(f"{event.path}/rounds/1/publish")
        for game in event.games():
            rule_game(game, by=organiser.account, reason="seen", result="1-0")
        settle()
        organiser.post(f"{event.path}/rounds/1/complete")

        lines = [(entries[x], None if y is None else entries[y]) for x, y in pairs]
        answer = by_hand(event, organiser, 2, boards(*lines))

        assert answer.status_code == 200
        assert code in [violation["code"] for violation in answer.json()["violations"]]
        line = JournalLine.objects.filter(kind="round.set_by_hand").order_by("-sequence")[0]
        assert code in [violation["code"] for violation in line.payload.body["violations"]]

    IMPOSSIBLE = {
        "against oneself": [(0, 0), (2, 3)],
        "at two boards": [(0, 1), (0, 2)],
        "at a board and a bye": [(0, 1), (0, None), (2, 3)],
        "two byes of one entry": [(0, None), (0, None)],
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
        assert problem["errors"][0]["code"] in ("player-twice", "player-missing")
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
        Bye.objects.create(tournament=event.tournament, entry_id=a, round=1, kind="half-bye")
        pair = (a, b) if seat == "first" else (b, a)

        answer = by_hand(event, organiser, 1, boards(pair, (c, d)))

        body = answer.json()
        assert [line["kind"] for line in body["pairings"]] == ["game", "game"]
        assert [violation["code"] for violation in body["violations"]] == ["player-absent"]

    def test_a_requested_bye_is_added(self, organiser: Person, event: Event) -> None:
        a, b, c, d = entries_of(event)
        Bye.objects.create(tournament=event.tournament, entry_id=a, round=1, kind="half-bye")

        body = by_hand(event, organiser, 1, boards((b, c), (d, None))).json()

        assert [line["kind"] for line in body["pairings"]] == ["game", "half-bye", "pairing-bye"]
        assert "violations" not in body

    @pytest.mark.parametrize("bye", ["half-bye", "zero-bye", "full-bye", "pairing-bye"])
    def test_every_kind_of_bye(self, organiser: Person, event: Event, bye: str) -> None:
        a, b, c, d = entries_of(event)
        lines = [*boards((a, b)), {"first": c, "bye": bye}, {"first": d, "bye": "zero-bye"}]

        body = by_hand(event, organiser, 1, lines).json()

        assert [line["kind"] for line in body["pairings"]] == ["game", bye, "zero-bye"]

    @pytest.mark.parametrize(
        ("body", "pointer"),
        [
            ({}, "/reason"),
            ({"reason": "x", "pairings": []}, "/pairings"),
            ({"reason": "x", "pairings": {}}, "/pairings"),
            ({"reason": "x", "pairings": "1-2"}, "/pairings"),
            ({"reason": "x", "pairings": [1]}, "/pairings/0"),
            ({"reason": "x", "pairings": [[]]}, "/pairings/0"),
            ({"reason": "x", "pairings": [{}]}, "/pairings/0/first"),
            ({"reason": "x", "pairings": [{"first": "a"}]}, "/pairings/0/first"),
            ({"reason": "x", "pairings": [{"first": 10**30}]}, "/pairings/0/first"),
            ({"reason": "x", "pairings": [{"first": 1, "second": -1}]}, "/pairings/0/second"),
            ({"reason": "x", "pairings": [{"first": 1, "second": []}]}, "/pairings/0/second"),
            ({"reason": "x", "pairings": [{"first": 1, "bye": "game"}]}, "/pairings/0/bye"),
            ({"reason": "x", "pairings": [{"first": 1, "bye": []}]}, "/pairings/0/bye"),
            ({"reason": "", "pairings": [{"first": 1}]}, "/reason"),
            ({"reason": "x" * 241, "pairings": [{"first": 1}]}, "/reason"),
            ({"reason": ["x"], "pairings": [{"first": 1}]}, "/reason"),
            ([], ""),
        ],
    )
    def test_an_invalid_body(
        self, organiser: Person, event: Event, body: object, pointer: str
    ) -> None:
        answer = organiser.put(f"{event.path}/rounds/1/pairings", body)

        problem = problem_in(answer, 422, "invalid")
        assert problem["errors"][0]["pointer"] == pointer

    def test_too_many_boards(self, organiser: Person, event: Event) -> None:
        answer = by_hand(event, organiser, 1, boards(*[(1, 2)] * 10_001))

        problem_in(answer, 422, "invalid")


@pytest.mark.parametrize("action", ["pair", "publish", "unpair", "complete", "pairings"])
def test_a_dry_run_changes_nothing(organiser: Person, event: Event, action: str) -> None:
    path = f"{event.path}/rounds/1"
    a, b, c, d = entries_of(event)
    if action != "pair":
        organiser.post(f"{path}/pair")
    if action == "complete":
        organiser.post(f"{path}/publish")
        for game in event.games():
            rule_game(game, by=organiser.account, reason="seen", result="1-0")
        settle()
    before = (
        list(Round.objects.values()),
        Pairing.objects.count(),
        Game.objects.count(),
        JournalLine.objects.count(),
    )

    if action == "pairings":
        body = {"reason": "x", "pairings": boards((d, c), (b, a))}
        answer = organiser.put(f"{path}/pairings?dry_run=1", body)
    else:
        answer = organiser.post(f"{path}/{action}?dry_run=1")

    assert answer.status_code == 200
    assert (
        answer.json()["state"]
        == {
            "pair": "drafted",
            "publish": "published",
            "unpair": "planned",
            "complete": "complete",
            "pairings": "drafted",
        }[action]
    )
    assert before == (
        list(Round.objects.values()),
        Pairing.objects.count(),
        Game.objects.count(),
        JournalLine.objects.count(),
    )


@pytest.mark.parametrize("count", [2, 6])
def test_the_number_of_queries_does_not_grow(
    anonymous: Person,
    organiser: Person,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    event = make_event(organiser)
    event.enter(*make_players(count))
    event.step("open", "start").publish(1)

    with django_assert_num_queries(3):  # the tournament, the round, the pairings
        body = anonymous.get(f"{event.path}/rounds/1/pairings").json()["pairings"]
    with django_assert_num_queries(2):
        anonymous.get(f"{event.path}/rounds")

    assert len(body) == count // 2


def test_a_game_has_the_conditions_of_the_event(anonymous: Person, organiser: Person) -> None:
    event = make_event(organiser, board="6", swap=False, rated=False, confirm_hours=3)
    event.enter(*make_players(2))
    (game,) = event.step("open", "start").publish(1)

    body = anonymous.get(f"games/{game.pk}").json()

    assert {
        key: body[key] for key in ("tournament", "round", "board", "ruleset", "board_size", "swap")
    } == {
        "tournament": {"slug": "spring", "name": "Spring Open"},
        "round": 1,
        "board": 1,
        "ruleset": "star-star",
        "board_size": "6",
        "swap": False,
    }
    assert (body["rated"], body["state"], game.confirm_hours) == (False, "open", 3)
