"""`/rules/systems`, and the settings of a tournament's pairing system."""

from typing import Any

import pytest

from games.models import JournalLine
from tests.events import SET_UP, Event, make_event, make_players, settle
from tests.people import Person, problem_in
from tournament.core.references import entry_reference
from tournament.entries.services import change_entry_state
from tournament.models import Entry, Tournament

pytestmark = pytest.mark.django_db
ROBIN = {"system": "round-robin", "tiebreaks": ["PTS", "SB"]}


class TestSetUp:
    @pytest.mark.parametrize(
        ("body", "pointer", "word"),
        [
            ({"system_options": {"cycles": 2}}, "/system_options/cycles", "it has no options"),
            (ROBIN | {"system_options": {"cycle": 2}}, "/system_options/cycle", "cycles, numbers"),
            (ROBIN | {"system_options": {"cycles": 0}}, "/system_options/cycles", "1 and 99"),
            (ROBIN | {"system_options": {"cycles": True}}, "/system_options/cycles", "whole"),
            (ROBIN | {"system_options": {"numbers": "x"}}, "/system_options/numbers", "seed, lot"),
            (
                {"system": "mcmahon", "system_options": {"bar": 1000, "floor": 2000}},
                "/system_options/bar",
                "below the floor",
            ),
            (ROBIN | {"balance_seats": False}, "/balance_seats", "seats"),
            (ROBIN | {"separations": [{"by": "club"}]}, "/separations", "fixed"),
            ({"separations": [{"by": "players"}]}, "/separations/0/players", "named"),
            (
                {"separations": [{"by": "players", "players": [10**9, 2]}]},
                "/separations",
                "no player",
            ),
            (
                {"separations": [{"by": "players", "players": [3, 3]}]},
                "/separations/0/players",
                "",
            ),
            (
                {"separations": [{"by": "club", "first_round": 3, "last_round": 2}]},
                "/separations/0/last_round",
                "before",
            ),
            ({"separations": [{"by": "club"}] * 41}, "/separations", "40"),
        ],
    )  # fmt: skip
    def test_invalid_settings_are_rejected(
        self, organiser: Person, body: dict[str, Any], pointer: str, word: str
    ) -> None:
        problem = problem_in(organiser.post("tournaments", SET_UP | body), 422)

        assert problem["errors"][0]["pointer"] == pointer
        assert word in problem["detail"]
        assert not Tournament.objects.exists()

    def test_settings_are_stored_and_journalled(self, organiser: Person) -> None:
        first, second = make_players(2)
        settings = {
            "system": "mcmahon",
            "system_options": {"band": 200, "bar": None},
            "balance_seats": False,
            "separations": [
                with_defaults({"by": "country", "preference": True, "last_round": 2}),
                with_defaults(
                    {"by": "players", "players": [first.pk, second.pk], "first_round": 2}
                ),
            ],
        }

        made = organiser.post("tournaments", SET_UP | settings).json()

        assert made == made | settings
        line = JournalLine.objects.select_related("payload").get(kind="tournament.created")
        assert line.payload.body == line.payload.body | settings


def started(organiser: Person, players: int, **fields: Any) -> Event:
    """Return a running tournament with players numbered by rating."""
    fields.setdefault("tiebreaks", ["PTS"])
    event = make_event(organiser, **fields)
    event.enter(*make_players(players))
    return event.step("open", "start")


def boards(event: Event, number: int) -> list[tuple[int, int]]:
    """Return a round's boards by pairing number."""
    pairings = event.tournament.pairings.filter(
        round__number=number,
        kind="game",
        version=event.tournament.round_set.get(number=number).version,
    ).order_by("board_number")
    return list(pairings.values_list("first__pairing_number", "second__pairing_number"))


class TestStart:
    @pytest.mark.parametrize(
        ("players", "fields", "needed"),
        [
            (5, {"system": "round-robin", "rounds": 4}, 5),
            (4, {"system": "round-robin", "rounds": 3, "system_options": {"cycles": 2}}, 6),
            (5, {"system": "knockout", "rounds": 2}, 3),
            (8, {"system": "groups-knockout", "rounds": 3}, 5),
        ],
    )
    def test_rounds_that_do_not_fit_the_number_of_players(
        self, organiser: Person, players: int, fields: dict[str, Any], needed: int
    ) -> None:
        event = make_event(organiser, tiebreaks=["PTS"], **fields)
        event.enter(*make_players(players))
        event.step("open")

        problem = problem_in(organiser.post(f"{event.path}/start"), 409, "rounds_do_not_fit")

        assert problem["needed"] == needed
        assert organiser.patch(event.path, {"rounds": needed}).status_code == 200
        assert organiser.post(f"{event.path}/start").status_code == 200

    def test_too_few_players_for_the_groups(self, organiser: Person) -> None:
        event = make_event(organiser, system="groups-knockout", rounds=5, tiebreaks=["PTS"])
        event.enter(*make_players(3))
        event.step("open")
        problem_in(organiser.post(f"{event.path}/start"), 409, "field_does_not_fit")

    def test_a_schedule_has_no_late_entries_and_no_byes(self, organiser: Person) -> None:
        event = started(organiser, 4, system="round-robin")
        (late,) = make_players(1)
        entry = event.tournament.entries.first()
        assert entry is not None

        response = organiser.post(f"{event.path}/entries", {"player_id": late.pk})
        problem_in(response, 409, "no_late_entries")
        csv = f"player\n{late.pk}\n".encode()
        response = organiser.send(
            "POST", f"{event.path}/entries/import", csv, content_type="text/csv"
        )
        problem_in(response, 409, "no_late_entries")
        bye = {"entry_id": entry.pk, "round": 2, "kind": "half_bye"}
        problem_in(organiser.post(f"{event.path}/byes", bye), 409, "no_byes")


class TestRoundRobin:
    def test_a_withdrawn_player_loses_their_games_by_forfeit(self, organiser: Person) -> None:
        event = started(organiser, 4, system="round-robin")
        event.play(1)
        withdrawn = event.tournament.entries.get(pairing_number=4)
        change_entry_state(withdrawn, Entry.State.WITHDRAWN, by=organiser.account)

        event.draft(2)
        published = organiser.post(f"{event.path}/rounds/2/publish").json()

        assert boards(event, 2) == [(4, 3), (1, 2)]
        assert [(row["state"], row["result"]) for row in published["rows"]] == [
            ("confirmed", "0-1f"),
            ("open", None),
        ]
        lines = JournalLine.objects.filter(stream=event.stream).order_by("sequence")
        assert [line.kind for line in lines][-3:] == [
            "round.published",
            "report.ruling",
            "game.confirmed",
        ]
        open_boards = [row["board"] for row in published["rows"] if not row["result"]]
        results = [{"board": board, "result": "1-0"} for board in open_boards]
        body = {"results": results, "basis": "slip"}
        assert organiser.post(f"{event.path}/rounds/2/results", body).status_code == 200
        assert organiser.post(f"{event.path}/rounds/2/complete").status_code == 200
        notes = organiser.get(f"{event.path}/rounds/2/pairings").json()["notes"]
        entries = [entry_reference(withdrawn)]
        assert notes == [{"code": "forfeit", "entries": entries, "values": {}}]
        versions = organiser.get(f"{event.path}/rounds/2/versions").json()["results"]
        assert [version["notes"] for version in versions] == [notes]
        version = organiser.get(f"{event.path}/rounds/2/versions/1").json()
        assert version["notes"] == notes

    def test_a_game_played_early_is_not_paired_again(self, organiser: Person) -> None:
        event = started(organiser, 4, system="round-robin")
        entries = list(event.tournament.entries.order_by("pairing_number"))
        pairings = [
            {"first_id": entries[0].pk, "second_id": entries[1].pk},
            {"first_id": entries[2].pk, "second_id": entries[3].pk},
        ]
        body = {"reason": "the hall is closed later", "pairings": pairings}
        organiser.put(f"{event.path}/rounds/1/pairings", body)
        organiser.post(f"{event.path}/rounds/1/publish")
        finish(event, organiser, 1)

        problem = problem_in(organiser.post(f"{event.path}/rounds/2/pair"), 409, "no_legal_pairing")

        assert [error["number"] for error in problem["errors"]] == [4, 3]


def finish(event: Event, organiser: Person, number: int) -> None:
    """Rule every game of a published round for its first seat, and complete it."""
    from games.play.services import rule_game

    for game in event.games(number):
        rule_game(game, by=organiser.account, reason="seen", result="11-10")
    settle()
    organiser.post(f"{event.path}/rounds/{number}/complete")


class TestSeparations:
    def test_a_rule(self, organiser: Person) -> None:
        players = make_players(4)
        apart = {"by": "players", "players": [players[0].pk, players[1].pk]}
        event = make_event(organiser, separations=[with_defaults(apart)])
        event.enter(*players)
        event.step("open", "start")
        event.publish()
        assert boards(event, 1) == [(1, 3), (4, 2)]

    def test_a_rule_blocks_and_a_preference_does_not(self, organiser: Person) -> None:
        event = started(organiser, 4, separations=[with_defaults({"by": "country"})])
        problem_in(organiser.post(f"{event.path}/rounds/1/pair"), 409, "no_legal_pairing")

        change = {"separations": [{"by": "country", "preference": True}]}
        assert organiser.patch(event.path, change).status_code == 200
        response = organiser.post(f"{event.path}/rounds/1/pair").json()

        assert [finding["code"] for finding in response["notes"]] == ["preference_given_up"] * 2


def with_defaults(separation: dict[str, Any]) -> dict[str, Any]:
    """Return a separation as the API stores it."""
    return {"preference": False, "players": [], "first_round": 1, "last_round": 0} | separation


def test_seats_alternate_by_board_without_seat_balance(organiser: Person) -> None:
    event = started(organiser, 4, balance_seats=False)
    event.play(1)
    event.publish(2)
    assert boards(event, 1)[0][0] == 1
    assert boards(event, 2)[0][0] == 1


def test_a_ruling_does_not_block_pairing_by_tiebreaks_that_need_proofs(organiser: Person) -> None:
    event = make_event(organiser, rounds=2, tiebreaks=["PTS", "MARGIN/L+5", "STARS"])
    event.enter(*make_players(4))
    event.step("open", "start").play(1)

    response = organiser.post(f"{event.path}/rounds/2/pair")

    assert response.status_code == 200, response.content
    assert len(response.json()["rows"]) == 2
