"""Games that are played here by turns: each side enters its own, and the end needs no report."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from django.utils.formats import date_format

from games.models import EmailLink, Game, LiveRecord, Token
from games.play.by_turns import NOTIFIED_AFTER, notify_casual_players, turns_to_notify
from games.play.proposals import expire_casual_games
from games.play.queries import expired_games
from tests.events import make_event, make_published, settle, taken_back
from tests.games.play.test_live_records import begin, enter, events_of, take_back, turns_of
from tests.games.play.test_proposals import proposal, sent_messages
from tests.people import Person, problem_in
from tests.tournament.conftest import login
from tournament.events.verification import verify_stream, verify_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(ada: Person, ben: Person) -> Game:
    """A casual game with three days for each turn; Ada moves first, and Ben has accepted."""
    sent = proposal(ben, play="by_turns", days_per_turn=3)
    body = ada.post("games", sent).json()
    assert (body["play"], body["days_per_turn"]) == ("by_turns", 3)
    answer = ben.post(f"games/{body['id']}/accept").json()
    assert (answer["state"], answer["report_by"]) == ("open", None)
    return Game.objects.get(pk=body["id"])


def act(person: Person, game: Game, action: str, **body: Any) -> Any:
    return person.post(f"games/{game.pk}/live/{action}", body)


def state_of(game: Game) -> tuple[str, str, str]:
    settle()
    game.refresh_from_db()
    return game.state, game.basis, game.winner


def test_each_side_enters_its_own_turns(
    ada: Person, ben: Person, stranger: Person, organiser: Person, game: Game
) -> None:
    body = ada.get(f"games/{game.pk}/live").json()
    assert (body["way"], body["kept_as"], body["to_move"]) == ("played", None, "first")
    problem_in(enter(ben, game, 1, "S10"), 409, "not_your_turn")
    assert enter(ada, game, 1, "S10").status_code == 201
    for same in ("S10", "s10"):
        assert enter(ada, game, 1, same).status_code == 200
    problem_in(enter(ada, game, 2, "T10"), 409, "not_your_turn")
    assert enter(ben, game, 2, "swap").json()["to_move"] == "first"
    refused = [
        (enter(ben, game, 3, "A10"), 409, "not_your_turn"),
        (enter(ada, game, 3, "A10", "S11"), 409, "not_your_turn"),
        (enter(ada, game, 4, "A10"), 409, "turn_missing"),
        (enter(ada, game, 2, "A10"), 409, "turn_differs"),
        (enter(ada, game, 3, "S10"), 422, "occupied"),
        (enter(ada, game, 3, "time"), 422, "not_a_turn"),
        (enter(ada, game, 3, "agreed 11-10"), 422, "not_a_turn"),
        (enter(stranger, game, 3, "A10"), 403, ""),
        (take_back(ben, game, 2), 409, "other_way"),
        (ada.delete(f"games/{game.pk}/live"), 409, "other_way"),
        (ada.post(f"games/{game.pk}/live", {"way": "kept"}), 409, "other_way"),
        (ada.post(f"games/{game.pk}/reports", {"claim": {"result": "11-10"}}), 409, "other_way"),
    ]
    for answer, status, code in refused:
        problem_in(answer, status, code)
    assert begin(ben, game).status_code == 200
    assert turns_of(stranger, game) == ["S10", "swap"]
    assert enter(ada, game, 3, "resign").json()["over"]
    assert state_of(game) == ("confirmed", "played", "second")
    sent = [(report.kind, report.by) for report in game.reports.order_by("version")]
    assert sent == [("record", ben.account), ("record", ada.account)]
    problem_in(enter(ada, game, 3, "resign"), 409, "game_settled")
    assert not LiveRecord.objects.exists()
    assert verify_stream(f"game/{game.pk}") == []


def test_an_offer_stands_until_the_next_turn(
    ada: Person, ben: Person, stranger: Person, game: Game
) -> None:
    enter(ada, game, 1, "S10")
    problem_in(act(ben, game, "offer", result="99-1"), 422, "claim_contradicts")
    offered = {"seat": "first", "result": "11-10"}
    assert act(ada, game, "offer", result="11:10").json()["offer"] == offered
    assert stranger.get(f"games/{game.pk}/live").json()["offer"] is None
    problem_in(act(ada, game, "accept", result="11-10"), 409, "no_offer")
    problem_in(act(ben, game, "accept", result="10-11"), 409, "no_offer")
    assert act(ben, game, "decline").json()["offer"] is None
    problem_in(act(ben, game, "decline"), 409, "no_offer")
    problem_in(act(ada, game, "withdraw"), 409, "no_offer")
    act(ada, game, "offer", result="11-10")
    problem_in(act(ben, game, "withdraw"), 409, "no_offer")
    assert act(ada, game, "withdraw").json()["offer"] is None
    problem_in(act(ben, game, "accept", result="11-10"), 409, "no_offer")
    act(ada, game, "offer", result="11-10")
    assert enter(ben, game, 2, "T10").json()["offer"] is None
    act(ada, game, "offer", result="11-10")
    assert enter(ada, game, 3, "A10").json()["offer"] == offered  # an offer with a turn
    assert enter(ben, game, 4, "R10").json()["offer"] is None
    act(ben, game, "offer", result="10-11")
    assert act(ada, game, "accept", result="10-11").json()["turns"][-1] == "agreed 10-11"
    assert state_of(game) == ("confirmed", "played", "second")


def test_players_are_told_of_offers_and_others_of_turns(
    ada: Person, ben: Person, stranger: Person, game: Game
) -> None:
    Game.objects.update(live_delay="5_minutes")
    problem_in(stranger.get(f"games/{game.pk}/stream?own=1"), 403)
    steps: list[tuple[Any, str]] = [
        (lambda: enter(ada, game, 1, "S10"), "turn.added"),
        (lambda: act(ada, game, "offer", result="11-10"), "offer.made"),
        (lambda: act(ben, game, "decline"), "offer.declined"),
        (lambda: act(ada, game, "offer", result="11-10"), "offer.made"),
        (lambda: act(ada, game, "withdraw"), "offer.withdrawn"),
        (lambda: enter(ben, game, 2, "T10"), "turn.added"),
    ]
    numbers = []
    for step, kind in steps:
        step()
        ((number, found, _),) = events_of(ben, game, "?own=1")
        assert found == kind
        assert [kind for _, kind, _ in events_of(stranger, game)] == ["live.begun"]
        numbers.append(number)
    assert numbers == sorted({*numbers})
    Game.objects.update(live_delay="never")
    assert events_of(stranger, game) == []
    assert len(events_of(ben, game, "?own=1")) == 1
    assert ben.get(f"games/{game.pk}/live").json()["version"] == numbers[-1]


def test_the_page_of_a_player_asks_and_answers(ada: Person, ben: Person, game: Game) -> None:
    path = f"/games/{game.pk}/live"
    first, second = login(ada), login(ben)
    first.post(path, {"action": "offer", "result": "11-10"})
    page = second.get(path).content.decode()
    assert "Ada wins" in page
    assert second.post(path, {"action": "decline"}).status_code == 303
    assert "The offer is declined." in first.get(path).content.decode()
    refused = second.post(path, {"action": "accept", "result": "11-10"})
    assert (refused.status_code, "offers nothing any more" in refused.content.decode()) == (
        409,
        True,
    )
    enter(ada, game, 1, "resign")
    for _ in range(2):  # before the game is settled, and after that
        late = second.post(path, {"action": "decline"})
        assert (late.status_code, "The game is over" in late.content.decode()) == (409, True)
        assert "Begin the game" not in late.content.decode()
        settle()


def test_turns_stay_when_a_game_is_decided_and_that_is_taken_back(
    organiser: Person, ada: Person, ben: Person
) -> None:
    event = make_published(organiser, ada, ben, rounds=1, play="by_turns")
    (game,) = event.games()
    enter(ada, game, 1, "S10")
    ruling = {"result": "11-10", "reason": "a wrong board"}
    organiser.post(f"games/{game.pk}/rule", ruling, HTTP_IF_MATCH="*")
    assert state_of(game)[0] == "confirmed"
    problem_in(ada.get(f"games/{game.pk}/live"), 404, "no_live_record")
    problem_in(enter(ben, game, 2, "T10"), 409, "game_settled")
    revoked = organiser.post(f"{event.path}/rounds/1/results/revoke", {"game_ids": [game.pk]})
    assert revoked.status_code in (200, 202), revoked.content
    assert state_of(game)[0] == "open"
    assert enter(ben, game, 2, "T10").json()["turns"] == ["S10", "T10"]


def test_turns_wait_while_the_pairings_are_withdrawn(
    organiser: Person, ada: Person, ben: Person, anonymous: Person
) -> None:
    event = make_published(organiser, ada, ben, rounds=1, play="by_turns")
    (game,) = event.games()
    director, page = login(organiser), "/e/spring/run/rounds/1"
    warning = "Turns are entered in 1 game, on board 1."
    assert warning not in director.get(page).content.decode()
    enter(ada, game, 1, "S10")
    assert warning in director.get(page).content.decode()
    sent = {"reason": "a wrong board"}
    answer = organiser.post(f"{event.path}/rounds/1/unpair", sent, HTTP_IF_MATCH="*")
    assert answer.status_code == 200, answer.content
    problem_in(enter(ben, game, 2, "T10"), 404, "not_found")
    for reader in (anonymous.client, login(ben)):
        for place in ("", "/live"):
            assert reader.get(f"/games/{game.pk}{place}").headers["Location"] == "/e/spring"
    late = login(ben).post(f"/games/{game.pk}/live", {"entered": "1", "words": "T10", "number": 2})
    assert (late.status_code, "pairing of this game was withdrawn" in late.json()["error"]) == (
        404,
        True,
    )
    (other,) = event.again().publish()
    assert warning not in director.get(page).content.decode()
    enter(ada, other, 1, "S10")
    assert director.get(page).content.decode().count(warning) == 2  # to withdraw, or to restore
    sent |= {"version": 1}
    organiser.post(f"{event.path}/rounds/1/restore", sent, HTTP_IF_MATCH="*")
    assert enter(ben, game, 2, "T10").json()["turns"] == ["S10", "T10"]


def test_an_adjourned_game_takes_no_turns_until_it_is_resumed(
    organiser: Person, ada: Person, ben: Person
) -> None:
    event = make_published(organiser, ada, ben, rounds=1, play="by_turns", days_per_turn=2)
    (game,) = event.games()
    enter(ada, game, 1, "S10")
    act(ada, game, "offer", result="11-10")
    reason = {"reason": "Ben is in hospital"}
    problem_in(organiser.post(f"games/{game.pk}/resume", reason), 409, "nothing_to_do")
    organiser.post(f"games/{game.pk}/adjourn", reason)
    assert state_of(game) == ("open", "", "")
    LiveRecord.objects.update(turn_since=timezone.now() - timedelta(days=9))
    for refused in (
        enter(ben, game, 2, "T10"),
        act(ada, game, "claim-time"),
        act(ada, game, "offer", result="11-10"),
    ):
        problem_in(refused, 409, "game_adjourned")
    assert not turns_to_notify().exists()
    player = login(ben)
    assert player.get(f"/games/{game.pk}/live").headers["Location"] == f"/games/{game.pk}"
    sentence = "The game is adjourned. It goes on when a director resumes it"
    for path in (f"/games/{game.pk}/reports", "/e/spring/me"):
        page = player.get(path).content.decode()
        assert (sentence in page, "is to move" in page) == (True, False)

    arbiter, path = login(organiser), f"/e/spring/run/games/{game.pk}"
    sent = {"action": "resume", "if_match": arbiter.get(path).context["if_match"], **reason}
    assert arbiter.post(path, sent).status_code == 303
    assert "resumption of report 1: Ben is in hospital" in arbiter.get(path).content.decode()
    ((_, kind, _),) = events_of(ben, game, "?own=1")
    body = ben.get(f"games/{game.pk}/live").json()
    left = datetime.fromisoformat(body["deadline"]) - timezone.now()
    assert (kind, left.days, turns_to_notify().exists()) == ("turn.added", 1, False)
    LiveRecord.objects.update(turn_since=timezone.now() - NOTIFIED_AFTER)
    assert turns_to_notify().exists()
    assert enter(ben, game, 2, "T10").json()["turns"] == ["S10", "T10"]
    assert verify_tournament(event.stream) == []


def test_time_is_lost_only_by_a_claim(ada: Person, ben: Person, game: Game) -> None:
    problem_in(act(ada, game, "claim-time"), 409, "not_your_turn")
    problem = problem_in(act(ben, game, "claim-time"), 409, "time_left")
    assert problem["deadline"] == ben.get(f"games/{game.pk}/live").json()["deadline"]
    LiveRecord.objects.update(turn_since=timezone.now() - timedelta(days=3))
    assert state_of(game) == ("open", "", "")
    Game.objects.update(days_per_turn=None)
    problem_in(act(ben, game, "claim-time"), 409, "time_left")
    Game.objects.update(days_per_turn=3)
    assert act(ben, game, "claim-time").json()["turns"] == ["time"]
    assert state_of(game) == ("confirmed", "played", "second")


def test_a_game_does_not_expire_while_turns_are_entered(game: Game) -> None:
    now = timezone.now()
    Game.objects.update(accepted_at=now - timedelta(days=99))
    assert not expired_games(now).exists()
    LiveRecord.objects.update(turn_since=now - timedelta(days=90))
    assert (expire_casual_games(), LiveRecord.objects.exists()) == (1, False)


def test_who_is_to_move_is_told_once(ada: Person, ben: Person, game: Game) -> None:
    later = {"turn_since": timezone.now() - NOTIFIED_AFTER}
    EmailLink.objects.all().delete()
    assert sent_messages() == []  # the turn has just begun
    LiveRecord.objects.update(**later)
    ((to, subject, text),) = sent_messages()
    assert (to, subject) == (["ada@example.org"], "It is your turn")
    until = date_format(later["turn_since"] + timedelta(days=3))
    assert "with Ben:\nCasual game: *Star 4\nTime for this turn: until " + until in text
    assert f" UTC\n\n    http://localhost:8000/games/{game.pk}/live\n" in text
    assert sent_messages() == []
    enter(ada, game, 1, "S10")
    LiveRecord.objects.update(**later)
    notify_casual_players()
    enter(ben, game, 2, "T10")  # before the mail is sent
    LiveRecord.objects.update(**later)
    assert [to for to, *_ in sent_messages()] == [["ada@example.org"]]
    act(ada, game, "offer", result="11-10")
    (_, _, own), (to, _, text) = sorted(sent_messages())
    assert to == ["ben@example.org"]
    assert "The last turn is 2. T10\nYour opponent offers the result 11-10.\n" in text
    assert "offers" not in own


ENDS: dict[str, tuple[str, str, str]] = {
    # how a game of Hex ends: what is entered, who hears of it, and in which words
    "resigned": ("ada resign", "ben", "Ada has resigned.\nResult 0-1: you win"),
    "on time": ("ben claim", "ada", "Ben has claimed the win on time.\nResult 0-1: you lose"),
    "agreed": ("ada offer, ben accept", "ada", "Ben agrees on your result.\nResult 0-1: you lose"),
    "to the end": (
        "ada b2, ben a1, ada b1, ben a2, ada b3",
        "ben",
        "The last turn is 5. b3\nResult 1-0: you lose",
    ),
}


def test_the_other_side_hears_of_the_beginning_and_the_end(
    ada: Person, ben: Person, staff: Person
) -> None:
    terms = {"play": "by_turns", "seat": "second", "rated": False, "pool": ""}
    sent = proposal(ada, ruleset="hex", board_size="3", days_per_turn=3, **terms)
    game = Game.objects.get(pk=ben.post("games", sent).json()["id"])
    EmailLink.objects.all().delete()
    ada.post(f"games/{game.pk}/accept")
    ((to, subject, text),) = sent_messages()
    assert (to, subject) == (["ben@example.org"], "Your proposed game has begun")
    assert "Ada has accepted the game that you proposed, and has the first turn:\n" in text
    LiveRecord.objects.update(turn_since=timezone.now() - timedelta(days=3), told_at=timezone.now())
    for name, (entered, receiver, lines) in ENDS.items():
        with taken_back():
            for number, step in enumerate(entered.split(", "), start=1):
                who, word = step.split()
                person = {"ada": ada, "ben": ben}[who]
                if word == "claim":
                    act(person, game, "claim-time")
                elif word in ("offer", "accept"):
                    act(person, game, word, result="0-1")
                else:
                    enter(person, game, number, word)
            ((to, subject, text),) = sent_messages()
            assert (to, subject) == ([f"{receiver}@example.org"], "Your game has ended")
            page = f"http://localhost:8000/games/{game.pk}"
            assert f" has ended:\nCasual game: Hex 3\n{lines}\n\n    {page}\n" in text, name
    enter(ada, game, 1, "resign")
    reason = {"reason": "it was a mistake"}
    assert staff.post(f"games/{game.pk}/annul", reason, HTTP_IF_MATCH="*").status_code == 202
    assert sent_messages() == []


SENSELESS = [
    ({"days_per_turn": 3}, "/days_per_turn"),
    ({"play": "by_turns", "main_minutes": 30}, "/main_minutes"),
]


def test_days_are_those_of_turns(ada: Person, ben: Person, organiser: Person) -> None:
    event = make_event(organiser)
    for changes, pointer in SENSELESS:
        for answer in (
            ada.post("games", proposal(ben, **changes)),
            organiser.patch(event.path, changes, HTTP_IF_MATCH="*"),
        ):
            problem = problem_in(answer, 422, "senseless_time")
            assert problem["errors"][0]["pointer"] == pointer


LINKED = {
    # whose link the organiser has issued: the basis
    ("ada", "ben"): "links",
    ("ben",): "played",
}


def test_the_games_of_an_event_by_turns(organiser: Person, ada: Person, ben: Person) -> None:
    event = make_published(organiser, ada, ben, rounds=1, play="by_turns", days_per_turn=2)
    (game,) = event.games()
    results = login(organiser).get("/e/spring/run/rounds/1/results").content.decode()
    assert "Ada is to move<br>time until " in results
    to = {"kind": "invitation", "email": "dan@example.org", "expires_at": timezone.now()}
    EmailLink.objects.create(stream=event.stream, **to)
    problem_in(begin(organiser, game), 403, "not_your_game")
    problem_in(enter(organiser, game, 1, "S10"), 403, "not_your_game")
    for names, basis in LINKED.items():
        with taken_back():
            issued = [person.account for person in (ada, ben) if person.name.lower() in names]
            Token.objects.filter(user__in=issued).update(issued_by=organiser.account)
            enter(ada, game, 1, "S10")
            enter(ben, game, 2, "resign")
            assert state_of(game) == ("confirmed", basis, "first")
            assert not EmailLink.objects.exclude(revoked_at=None).exists()
    assert verify_tournament(event.stream) == []
