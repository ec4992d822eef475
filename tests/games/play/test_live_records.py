"""`/games/{id}/live`: the record of a game, kept at the board turn by turn."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Game, LiveRecord, Report
from tests.events import Event, make_published, settle, taken_back
from tests.people import Person, problem_in
from tournament.events.verification import verify_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person, ada: Person, ben: Person) -> Event:
    return make_published(organiser, ada, ben, rounds=1)


@pytest.fixture
def game(event: Event) -> Game:
    """A game between Ada in the first seat and Ben."""
    (game,) = event.games()
    assert game.first.name == "Ada"
    return game


def begin(person: Person, game: Game) -> Any:
    return person.post(f"games/{game.pk}/live", {})


def enter(person: Person, game: Game, number: int, *turns: str) -> Any:
    return person.post(f"games/{game.pk}/live/turns", {"number": number, "turns": [*turns]})


def take_back(person: Person, game: Game, number: int) -> Any:
    return person.delete(f"games/{game.pk}/live/turns/{number}")


def turns_of(person: Person, game: Game) -> Any:
    return person.get(f"games/{game.pk}/live").json().get("turns")


def test_a_record_is_kept_turn_by_turn_and_becomes_a_report(
    ada: Person, ben: Person, event: Event, game: Game
) -> None:
    problem_in(ben.get(f"games/{game.pk}/live"), 404, "no_live_record")
    assert begin(ada, game).status_code == 201
    made = enter(ada, game, 1, "S10")
    assert (made.status_code, made["ETag"]) == (201, ada.get(f"games/{game.pk}/live")["ETag"])
    body = enter(ada, game, 2, "T10").json()
    times = {body.pop("started_at"), body.pop("turn_since")}
    assert None not in times
    assert body == {
        "url": f"http://localhost:8000/api/v1/games/{game.pk}/live",
        "game_id": game.pk,
        "way": "kept",
        "kept_as": "first",
        "version": 3,
        "turns": ["S10", "T10"],
        "next_number": 3,
        "to_move": "first",
        "over": False,
        "winner": None,
        "score": None,
        "bounds": {"first": [2, 19], "second": [2, 19]},
        "deadline": None,
        "offer": None,
    }

    body = enter(ada, game, 3, "agreed 11-10").json()

    assert (body["over"], body["winner"], body["score"]) == (
        True,
        "first",
        {"first": 11, "second": 10},
    )
    (report,) = Report.objects.all()
    assert (report.kind, report.seat, report.by) == ("record", "first", ada.account)
    problem_in(enter(ada, game, 4, "A10"), 409, "live_over")
    problem_in(take_back(ada, game, 3), 409, "live_over")
    settle()
    assert turns_of(ben, game) == ["S10", "T10", "agreed 11-10"]
    assert ben.post(f"games/{game.pk}/confirm", {}).status_code == 202
    settle()
    game.refresh_from_db()
    assert (game.state, game.basis, game.score_first) == ("confirmed", "proof", 11)
    assert not LiveRecord.objects.exists()
    assert verify_tournament(event.stream) == []


def test_what_an_official_keeps_is_a_slip_with_a_record(
    organiser: Person, event: Event, game: Game
) -> None:
    begin(organiser, game)
    enter(organiser, game, 1, "S10", "T10", "resign")
    settle()

    game.refresh_from_db()
    assert (game.state, game.basis, game.winner) == ("confirmed", "slip", "second")
    assert game.record is not None
    assert game.record.record.endswith("S10 T10 resign\n")
    assert verify_tournament(event.stream) == []


SENT: dict[str, tuple[int, list[str], int, str, list[str]]] = {
    # number, turns: status, code, turns that stand then
    "the next": (3, ["A10"], 201, "", ["S10", "T10", "A10"]),
    "several": (3, ["A10", "S20"], 201, "", ["S10", "T10", "A10", "S20"]),
    "again": (2, ["T10"], 200, "", ["S10", "T10"]),
    "again, with more": (1, ["S10", "T10", "A10"], 201, "", ["S10", "T10", "A10"]),
    "another": (2, ["A10"], 409, "turn_differs", ["S10", "T10"]),
    "another, with more": (2, ["A10", "S20"], 409, "turn_differs", ["S10", "T10"]),
    "too early": (4, ["A10"], 409, "turn_missing", ["S10", "T10"]),
    "an occupied cell": (3, ["S10"], 422, "occupied", ["S10", "T10"]),
    "all or none": (3, ["A10", "S10"], 422, "occupied", ["S10", "T10"]),
    "no cell": (3, ["Z99"], 422, "unknown_cell", ["S10", "T10"]),
    "a comment": (3, ["{A10}"], 422, "", ["S10", "T10"]),
    "two in one": (3, ["A10 B10"], 422, "", ["S10", "T10"]),
    "nothing": (3, [], 422, "invalid", ["S10", "T10"]),
    "an impossible score": (3, ["agreed 99-1"], 422, "", ["S10", "T10"]),
    "turns after the end": (3, ["resign", "A10"], 422, "", ["S10", "T10"]),
}


def test_turns_stand_once_in_their_order(ada: Person, game: Game) -> None:
    for name, (number, turns, status, code, stands) in SENT.items():
        LiveRecord.objects.all().delete()
        begin(ada, game)
        enter(ada, game, 1, "S10", "T10")

        answer = enter(ada, game, number, *turns)

        assert answer.status_code == status, (name, answer.content)
        assert answer.json().get("code", "") in (
            {code} if code else {answer.json().get("code", "")}
        )
        assert turns_of(ada, game) == stands, name
    assert not Report.objects.exists()


def test_only_the_last_turn_is_taken_back(ada: Person, game: Game) -> None:
    begin(ada, game)
    enter(ada, game, 1, "S10", "T10")
    problem_in(take_back(ada, game, 1), 409, "not_last_turn")
    assert take_back(ada, game, 2).json()["turns"] == ["S10"]
    assert take_back(ada, game, 1).json()["version"] == 4
    for number in (1, 0):
        problem_in(take_back(ada, game, number), 409, "not_last_turn")
    assert ada.delete(f"games/{game.pk}/live").status_code == 204
    problem_in(ada.get(f"games/{game.pk}/live"), 404, "no_live_record")
    assert begin(ada, game).json()["version"] == 5  # what is stored of 1 to 4 is another record


def test_another_device_continues_and_the_first_is_told(
    ada: Person, ben: Person, organiser: Person, stranger: Person, game: Game
) -> None:
    begin(ada, game)
    enter(ada, game, 1, "S10")
    problem_in(enter(ben, game, 2, "T10"), 409, "kept_elsewhere")
    assert begin(ben, game).status_code == 200
    assert enter(ben, game, 2, "T10").status_code == 201
    for act in (enter(ada, game, 3, "A10"), take_back(ada, game, 2)):
        problem_in(act, 409, "kept_elsewhere")
    ada.client.force_login(ada.account)
    sent = {"entered": "1", "cell": "A10", "number": "3"}
    late = ada.client.post(f"/games/{game.pk}/live", sent)
    assert (late.status_code, "another device keeps" in late.json()["error"]) == (409, True)
    assert turns_of(organiser, game) == ["S10", "T10"]
    for refused in (begin(stranger, game), enter(stranger, game, 3, "A10")):
        problem_in(refused, 403, "role_missing")
    assert turns_of(stranger, game) == ["S10", "T10"]


def test_a_settled_game_has_no_live_record(ada: Person, organiser: Person, game: Game) -> None:
    begin(ada, game)
    enter(ada, game, 1, "S10")
    ruling = {"result": "11-10", "reason": "seen by the arbiter"}
    organiser.post(f"games/{game.pk}/rule", ruling, HTTP_IF_MATCH="*")
    settle()
    problem_in(ada.get(f"games/{game.pk}/live"), 404, "no_live_record")
    problem_in(begin(ada, game), 409, "game_settled")
    problem_in(enter(ada, game, 2, "T10"), 409, "game_settled")


def test_a_record_goes_on_after_an_adjournment(ada: Person, organiser: Person, game: Game) -> None:
    begin(ada, game)
    enter(ada, game, 1, "S10", "T10", "resign")
    reason = {"reason": "the resignation was a misunderstanding"}
    organiser.post(f"games/{game.pk}/adjourn", reason, HTTP_IF_MATCH="*")
    settle()
    assert take_back(ada, game, 3).json()["turns"] == ["S10", "T10"]
    assert enter(ada, game, 3, "A10", "agreed 11-10").status_code == 201
    settle()
    assert [report.kind for report in game.reports.order_by("version")] == [
        "record", "adjournment", "record",
    ]  # fmt: skip


NUMBERS = {
    # number that a form sends: the page's status, the turns that stand then
    "2": (303, ["S10", "T10"]),
    "3": (409, ["S10"]),
    "0": (422, ["S10"]),
    "-1": (422, ["S10"]),
    "x": (422, ["S10"]),
    "": (422, ["S10"]),
    "9" * 5000: (422, ["S10"]),
}


def test_the_page_takes_the_next_number(ada: Person, game: Game) -> None:
    ada.client.force_login(ada.account)
    begin(ada, game)
    for number, (status, turns) in NUMBERS.items():
        for sent in ({"action": "turns", "words": "T10"}, {"entered": "1", "cell": "T10"}):
            LiveRecord.objects.update(turns=[["S10", timezone.now().isoformat()]])
            answer = ada.client.post(f"/games/{game.pk}/live", {"number": number} | sent)
            expected = 200 if "entered" in sent else status
            assert answer.status_code == expected, (number[:9], answer.content)
            assert turns_of(ada, game) == turns


NO_TURNS = {
    # words: what is refused in a record that is kept, and in a game by turns
    "1-0": ("1-0", "1-0"),
    "S10 11-10": ("11-10", "11-10"),
    "11–10": ("11-10", "11-10"),
    "agreed 1-0": ("", "agreed 1-0"),
    "agreed 11-10": ("", "agreed 11-10"),
    "Time": ("", "Time"),
}


def test_a_typed_resignation_is_asked_about(ada: Person, game: Game) -> None:
    ada.client.force_login(ada.account)
    path = f"/games/{game.pk}/live"
    begin(ada, game)
    question = "Does Ada resign? The game ends at once, and Ben wins."
    for sent in ({"action": "turns", "words": "S10 Resign"}, {"entered": "1", "words": "resign"}):
        answer = ada.client.post(path, sent | {"number": "1"}).content.decode()
        assert "whether you resign is asked below the board" in answer
        assert (question in answer and 'id="resign" open' in answer) == ("action" in sent)
    entered = ada.client.post(path, {"entered": "1", "words": "S10", "number": "1"}).json()
    assert entered["question"] == "Does Ben resign? The game ends at once, and Ada wins."
    refused = ada.client.post(path, {"action": "resign", "number": "1"}).content.decode()
    assert "The resignation is not entered: turn 1 is S10 already" in refused
    assert ada.client.post(path, {"action": "resign", "number": "2"}).status_code == 303
    assert turns_of(ada, game) == ["S10", "resign"]


def test_a_result_is_no_turn(ada: Person, game: Game) -> None:
    ada.client.force_login(ada.account)
    begin(ada, game)
    for play, refusal in (("anywhere", "is a result, not"), ("by_turns", "is not a turn of this")):
        Game.objects.update(play=play)
        LiveRecord.objects.update(way="played" if play == "by_turns" else "kept")
        for words, refused in NO_TURNS.items():
            named = refused[play == "by_turns"]
            for way in ({"action": "turns"}, {"entered": "1"}):
                sent = way | {"number": "1", "words": words}
                if named:
                    answer = ada.client.post(f"/games/{game.pk}/live", sent)
                    assert f"{named} {refusal}" in answer.content.decode(), (sent, play)
    assert turns_of(ada, game) == []


TAPS = {
    # number, what is begun, cell: what is begun then, the beginning of the error
    "the first cell": ("2", "", "T10", "T10,", ""),
    "the same again": ("2", "T10,", "T10", "", ""),
    "where another turn stands": ("1", "", "T10", "", "turn 1 is S10 already"),
    "after a turn that is missing": ("3", "", "T10", "", "turn 2 is missing"),
}


def test_a_turn_is_begun_where_the_record_stands(ada: Person, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(game="double-star-star", swap=False)
    ada.client.force_login(ada.account)
    begin(ada, game)
    assert enter(ada, game, 1, "S10").status_code == 201
    page = ada.client.get(f"/games/{game.pk}/live").content.decode()
    assert re.search(r"Such as [*A-Z]\d*,[A-Z]\d+, or", page)
    refused = problem_in(enter(ada, game, 2, "A10", "A11"), 422, "stone_count")
    assert "with a comma between them" in refused["detail"]
    for name, (number, begun, cell, then, error) in TAPS.items():
        sent = {"entered": "1", "number": number, "cell": cell, "begun": begun}
        answer = ada.client.post(f"/games/{game.pk}/live", sent).json()
        assert answer["begun"] == then, name
        assert answer["error"].startswith(error), name
        assert bool(answer["error"]) == bool(error), name
    # Typed cells need no comma.
    for number, way in (("2", {"action": "turns"}), ("3", {"entered": "1"})):
        sent = way | {"number": number, "words": f"t4{number} A4{number}"}
        ada.client.post(f"/games/{game.pk}/live", sent)
    assert turns_of(ada, game) == ["S10", "A42,T42", "A43,T43"]


SENT_BY_OTHERS = [
    {"entered": "1", "look": "1"},
    {"entered": "1", "cell": "A10", "number": "1"},
    {"entered": "1", "about": "bounds", "cell": "A10"},
    {"action": "turns", "words": "A10", "number": "1"},
]


def test_the_page_shows_all_turns_only_to_who_may_keep_the_record(
    ada: Person, stranger: Person, anonymous: Person, game: Game
) -> None:
    begin(ada, game)
    LiveRecord.objects.update(kept_by=stranger.account)  # who has lost the role meanwhile
    stranger.client.force_login(stranger.account)
    for sent in SENT_BY_OTHERS:
        for person, status in ((stranger, 403), (anonymous, 401)):
            answer = person.client.post(f"/games/{game.pk}/live", sent)
            assert answer.status_code == status, sent
            assert b"data-keeps" not in answer.content, sent


def forms_of(page: str) -> Iterator[dict[str, str]]:
    """Return what each button of a page sends, with an answer in what is to be filled in."""
    for form in re.findall(r"<form.*?</form>", page, re.DOTALL):
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
        fields |= {"words": "A10"} if 'name="words" class' in form else {}
        fields |= {"result": "11-10"} if "<select" in form else {}
        for action in re.findall(r'name="action" value="([\w-]+)"', form):
            yield fields | {"action": action}


FORMS: dict[str, tuple[dict[str, Any] | None, set[str]]] = {
    # columns of the record, if there is one: what its page offers
    "not begun": (None, {"begin"}),
    "kept": ({}, {"turns", "resign", "take-back", "give-up"}),
    "kept by another": ({"kept_by": None}, {"begin"}),
    "own turn": (
        {"way": "played", "proposal": {"seat": "second", "result": "11-10"}},
        {"turns", "resign", "offer", "accept", "decline"},
    ),
    "turn of the other": ({"way": "played", "turns": 1}, {"offer", "claim-time"}),
}


def test_each_form_of_the_page_does_what_its_button_says(ada: Person, game: Game) -> None:
    ada.client.force_login(ada.account)
    path = f"/games/{game.pk}/live"
    for name, (columns, actions) in FORMS.items():
        LiveRecord.objects.all().delete()
        if columns is not None:
            begin(ada, game)
            turns = ["S10", "T10"][: columns.get("turns", 2)]
            enter(ada, game, 1, *turns)
            LiveRecord.objects.update(**{**columns, "turns": LiveRecord.objects.get().turns})
            play = "by_turns" if columns.get("way") == "played" else "anywhere"
            since = timezone.now() - timedelta(days=3)
            Game.objects.update(play=play, days_per_turn=2 if play == "by_turns" else None)
            LiveRecord.objects.update(turn_since=since)
        forms = [*forms_of(ada.client.get(path).content.decode())]
        for form in forms:
            if form["action"] in actions:
                with taken_back():
                    answer = ada.client.post(path, form)
                    assert answer.status_code == 303, (name, form, answer.content.decode())
        assert {form["action"] for form in forms} >= actions, name


PLACES: dict[str, tuple[dict[str, object], bool]] = {
    # columns of the game: whether its page leads to the record, which is kept there
    "open": ({}, True),
    "adjourned": ({"adjourned": True}, True),
    "reported": ({"state": "waiting"}, False),
    "in an event that is final": ({"closed": True}, False),
}


@pytest.mark.parametrize(("columns", "is_kept"), PLACES.values(), ids=PLACES)
def test_the_page_of_the_game_leads_to_its_record(
    ada: Person, game: Game, columns: dict[str, object], *, is_kept: bool
) -> None:
    Game.objects.filter(pk=game.pk).update(**columns)
    ada.client.force_login(ada.account)
    found = ada.client.get(f"/games/{game.pk}").content.decode()
    assert (f'href="/games/{game.pk}/live"' in found) == is_kept
    status = ada.client.get(f"/games/{game.pk}/live").status_code
    assert status == (200 if is_kept else 303)


DELAYS: dict[str, tuple[list[str] | None, str]] = {
    # delay: turns that a stranger sees of three, entered 20, 10 and 0 minutes ago; what pages say
    "none": (["S10", "T10", "A10"], "Turn 3 of 3"),
    "5_minutes": (["S10", "T10"], "shown 5 minutes after they were entered"),
    "15_minutes": (["S10"], "shown 15 minutes after they were entered"),
    "round": ([], "shown when the round is complete"),
    "never": (None, "not shown while the game is played"),
}


def events_of(person: Person, game: Game, query: str = "") -> list[Any]:
    """Return the id, the type and the turns of the events of a stream that ends."""
    body = person.get(f"games/{game.pk}/stream{query}").content.decode()
    found = [
        dict(line.split(": ", 1) for line in part.split("\n")) for part in body.split("\n\n")[1:-1]
    ]
    loaded = [(int(event["id"]), json.loads(event["data"])) for event in found]
    return [
        (number, data["type"], data["data"] and data["data"]["turns"]) for number, data in loaded
    ]


def test_followers_get_the_whole_record_with_each_change(
    ada: Person, organiser: Person, anonymous: Person, game: Game
) -> None:
    assert events_of(anonymous, game) == []
    steps: list[tuple[Any, Any]] = [
        (lambda: begin(ada, game), (1, "live.begun", [])),
        (lambda: enter(ada, game, 1, "S10", "T10"), (2, "turn.added", ["S10", "T10"])),
        (lambda: take_back(ada, game, 2), (3, "turn.taken_back", ["S10"])),
        (lambda: enter(ada, game, 2, "resign"), (4, "live.ended", ["S10", "resign"])),
    ]
    for act, event in steps:
        act()
        assert events_of(anonymous, game) == [event]
    ruling = {"result": "11-10", "reason": "seen by the arbiter"}
    organiser.post(f"games/{game.pk}/rule", ruling, HTTP_IF_MATCH="*")
    settle()
    assert events_of(anonymous, game) == [(0, "live.ended", None)]
    Game.objects.filter(pk=game.pk).update(public=False)
    problem_in(anonymous.get(f"games/{game.pk}/stream"), 404, "not_found")


def test_spectators_see_turns_after_the_delay(
    ada: Person, ben: Person, organiser: Person, anonymous: Person, event: Event, game: Game
) -> None:
    begin(ada, game)
    enter(ada, game, 1, "S10", "T10", "A10")
    live = LiveRecord.objects.get()
    now = timezone.now()
    live.turns = [
        [turn, (now - timedelta(minutes=minutes)).isoformat()]
        for (turn, _), minutes in zip(live.turns, (20, 10, 0), strict=True)
    ]
    live.save()
    for delay, (turns, words) in DELAYS.items():
        organiser.patch(event.path, {"live_delay": delay}, HTTP_IF_MATCH="*")
        assert turns_of(anonymous, game) == turns, delay
        since = anonymous.get(f"games/{game.pk}/live").json().get("turn_since")
        assert (since == f"{live.turn_since:%Y-%m-%dT%H:%M:%S.%fZ}") == (delay == "none")
        for page in ("", "/embed"):
            shown = anonymous.client.get(f"/games/{game.pk}{page}").content.decode()
            assert words in shown, delay
            assert "Before the first turn." not in shown
        for person in (ada, ben, organiser):
            assert turns_of(person, game) == ["S10", "T10", "A10"]
    assert verify_tournament(event.stream) == []
    Game.objects.filter(pk=game.pk).update(live_delay="round", round_complete=True)
    assert turns_of(anonymous, game) == ["S10", "T10", "A10"]
