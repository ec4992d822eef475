"""Mails to those who asked for them: whom, what, once, and not when it is no longer so."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from games.models import Account, Game, JournalLine, JournalPayload, LiveRecord, Player
from games.play.by_turns import NOTIFIED_AFTER
from games.play.live import append_turns
from games.play.services import rule_game
from games.tasks import send_due_links
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, make_person, player_of
from tests.tournament.conftest import login
from tournament.entries.services import withdraw_entry
from tournament.events.announcements import announce
from tournament.events.transitions import change_tournament_state
from tournament.models import Notice, PersonalLink, Subscription
from tournament.players.services import erase_player
from tournament.rounds.services import unpair_round
from tournament.subscriptions import mails
from tournament.subscriptions.notices import delete_old
from tournament.tasks import send_messages

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = "/e/spring/messages"
ALL = ["paired", "reported", "disputed", "changed", "final", "announced"]


def ask(
    person: Person, *kinds: str, client: Client | None = None, page: str = PAGE, **fields: str
) -> Client:
    """Let somebody ask for messages on the page of the event, by mail."""
    client = client or login(person)
    form = {"action": "choose", "kinds[]": kinds or ALL, "by_mail": "true", **fields}
    answer = client.post(page, form)
    assert answer.status_code == 303, answer.content.decode()
    return client


def by_link(event: Event, name: str) -> Client:
    """Return a client whose session the personal link of a player has opened."""
    client = Client()
    link = PersonalLink.objects.get(entry__player__name=name)
    client.post("/e/spring/me", {"action": "open", "link": link.token})
    return client


def send() -> list[Any]:
    """Let the time of gathering pass, and return what is sent."""
    mail.outbox.clear()
    send_messages()
    Notice.objects.update(next_attempt_at=timezone.now())
    send_messages()
    return [*mail.outbox]


def subjects_of(sent: list[Any]) -> dict[str, str]:
    return {message.to[0]: message.subject for message in sent}


def opponent_of(event: Event, name: str) -> tuple[str, int, str]:
    """Return the opponent, the board and the seat of a player in round 1."""
    for board, game in enumerate(event.games(), start=1):
        names = [game.first.name, game.second.name]
        if name in names:
            place = names.index(name)
            return names[1 - place], board, ("first", "second")[place]
    raise AssertionError(name)


def test_a_player_is_told_the_board_of_a_published_round_once(event: Event) -> None:
    ask(make_person("Ada"))
    event.publish(1)
    send_messages()
    assert mail.outbox == []  # it waits for what else happens

    (sent,) = send()

    other, board, seat = opponent_of(event, "Ada")
    title = f"Spring Open, round 1: you play against {other} on board {board}"
    assert (sent.to, sent.subject) == (["ada@example.org"], title)
    link = f"http://localhost:8000/e/spring/rounds/1/boards/{board}"
    stones = {"first": "first player (dark", "second": "second player (orange"}[seat]
    assert sent.body.startswith(f"{title}\nYou are the {stones} stones).\n\n    {link}\n")
    (html, kind), *_ = sent.alternatives
    assert kind == "text/html"
    assert f'<a href="{link}">' in html
    assert re.fullmatch(r"<\d{14}\.\d+@localhost>", sent.extra_headers["Message-ID"])
    assert send() == []


def test_a_player_is_told_that_it_is_their_turn_while_it_is(event: Event) -> None:
    event.tournament.play = Game.Play.BY_TURNS
    event.tournament.save()
    clients = {name: ask(make_person(name), "turn") for name in ("Ada", "Ben")}
    games = event.publish(1)
    game = next(game for game in games if game.first.name in clients)
    LiveRecord.objects.update(turn_since=timezone.now() - NOTIFIED_AFTER)
    # One that cannot be replayed any more comes first, and stops no other.
    broken = LiveRecord.objects.exclude(game=game)[:1].get()
    broken.turns, broken.turn_since = [["nowhere", ""]], broken.turn_since - timedelta(days=1)
    broken.save()

    (sent,) = send()

    other = game.second.name
    assert subjects_of([sent]) == {
        f"{game.first.name.lower()}@example.org": f"Spring Open: it is your turn against {other}"
    }
    assert f"\n    http://localhost:8000/games/{game.pk}/live\n" in sent.body
    LiveRecord.objects.update(told_at=None)
    send_messages()
    append_turns(game, 1, ["S10"], by=game.first.account, token=None)
    assert send() == []
    # The side that has not entered the end gets the mail.
    append_turns(game, 2, ["resign"], by=game.second.account, token=None)
    settle()
    (sent,) = send()
    title = f"Spring Open: your game with {other} has ended"
    assert subjects_of([sent]) == {f"{game.first.name.lower()}@example.org": title}
    lines = f"Spring Open, round 1, board 1: *Star 4\n{other} has resigned.\nResult 1-0: you win\n"
    assert sent.body.startswith(f"{title}\n{lines}\n    http://localhost:8000/games/{game.pk}\n")


def test_what_happens_together_is_one_mail_and_each_is_said_once(event: Event) -> None:
    ask(make_person("Ada"), "paired", "changed", "final")
    event.publish(1)
    send_messages()
    unpair_round(event.tournament, 1, reason="wrong", by=event.owner.account)
    event.publish(1)

    (sent,) = send()

    assert sent.subject.startswith("Spring Open, round 1: you play against")


def test_a_change_that_is_taken_back_at_once_is_told_to_nobody(event: Event) -> None:
    ask(make_person("Ada"), "changed")
    event.publish(1)
    assert send() == []
    path = f"{event.path}/rounds/1/pairings"
    rows = event.owner.get(path).json()["rows"]
    for first, second in (("second", "first"), ("first", "second")):
        boards = [
            {"board": row["board"], "first_id": row[first]["id"], "second_id": row[second]["id"]}
            for row in rows
        ]
        answer = event.owner.patch(path, {"boards": boards, "reason": "a slip"})
        assert answer.status_code == 200, answer.content
    assert send() == []


def test_all_who_have_an_address_hear_once_that_the_event_is_cancelled_and_why(
    event: Event,
) -> None:
    ask(make_person("Ben"), "changed")
    client = by_link(event, "Player 1")
    event.tournament.entries.filter(player__name="Player 1").update(email="one@example.org")
    ask(event.owner, "paired", client=client, email="one@example.org")
    names = {"ada@example.org", "ben@example.org", "one@example.org"}

    def change(action: str) -> None:
        reason = "the hall is flooded" if action == "cancel" else ""
        change_tournament_state(event.tournament, action, by=event.owner.account, reason=reason)

    change("cancel")
    change("resume")
    assert send() == []
    change("cancel")
    sent = send()
    assert sorted(to for one in sent for to in one.to) == sorted(names)
    assert {one.subject for one in sent} == {"Spring Open is cancelled"}
    for one in sent:
        assert one.body.startswith("Spring Open is cancelled: the hall is flooded\nDays: ")
    assert "cancelled: the hall is flooded" in client.get("/e/spring/me").content.decode()
    change("resume")
    assert subjects_of(send())["one@example.org"] == "Spring Open: Player 1 is accepted"


def test_who_has_withdrawn_hears_nothing_of_later_rounds(event: Event) -> None:
    for name in ("Ada", "Ben"):
        ask(make_person(name), "changed")
    event.publish(1)
    withdraw_entry(event.tournament.entries.get(player__name="Ada"), by=event.owner.account)
    for number, names in ((2, ["ben"]), (1, ["ada", "ben"])):
        path = f"{event.path}/rounds/{number}"
        assert event.owner.patch(path, {"starts_on": "2026-05-02"}).status_code == 200
        assert sorted(subjects_of(send())) == [f"{name}@example.org" for name in names]


def test_a_director_reads_who_has_applied(event: Event) -> None:
    other = make_event(event.owner, slug="other", name="Other").step("open")
    ask(event.owner, "application", page="/e/other/messages")
    for name in ("Ada", "Ben"):
        assert make_person(name).post(f"{other.path}/entries/apply").status_code == 201
    (sent,) = (one for one in send() if one.to == ["olga@example.org"])
    assert "Other: a new application has arrived\nUndecided: Ada, Ben\n" in sent.body


def test_a_ruling_is_told_to_the_players(event: Event) -> None:
    ask(make_person("Ada"), "changed")
    first, *_ = event.publish(1)
    rule_game(first, by=event.owner.account, reason="a slip", result="11-10")
    settle()
    names = f"{first.first.name} – {first.second.name}"
    (sent,) = send()
    assert sent.subject == f"Spring Open, round 1, board 1: {names} 11-10"
    assert "\nA director has ruled: a slip\n" in sent.body


def test_an_event_that_cannot_be_told_stops_no_other(event: Event) -> None:
    other = make_event(make_person("Olga"), slug="other", name="Other")
    other.enter(player_of(make_person("Ada")), *make_players(1))
    other.step("open", "start")
    for path in (PAGE, "/e/other/messages"):
        ask(make_person("Ada"), "paired", page=path)
    for one in (event, other):
        one.publish(1)
    line = JournalLine.objects.get(stream=event.stream, kind="round.published")
    JournalPayload.objects.filter(line=line).update(body={})

    (sent,) = send()

    assert sent.subject.startswith("Other")


def test_each_announcement_of_a_mail_is_in_it(event: Event) -> None:
    ask(make_person("Ada"), "announced")
    for text in ("Lunch is at noon", "The plan: https://example.org/plan"):
        announce(event.tournament, text, by=event.owner.account)

    (sent,) = send()

    assert sent.subject == "Spring Open: the directors announce (and 1 more)"
    assert "Lunch is at noon" in sent.body
    assert "The plan: https://example.org/plan" in sent.body


@pytest.mark.parametrize("case", ["unpaired", "unpaired at once", "stopped", "closed", "withdrawn"])
def test_nothing_is_sent_that_is_no_longer_so(event: Event, case: str) -> None:
    client = ask(make_person("Ada"), "paired", "changed")
    event.publish(1)
    if case != "unpaired at once":
        send_messages()
        assert Notice.objects.count() == 1

    if case.startswith("unpaired"):
        unpair_round(event.tournament, 1, reason="wrong", by=event.owner.account)
    elif case == "stopped":
        client.post(PAGE, {"action": "stop"})
    elif case == "closed":
        Account.objects.filter(name="Ada").update(is_active=False)
    else:
        ask(make_person("Ada"), "final", client=client)

    assert send() == []
    assert not Notice.objects.exists()


def test_a_report_is_told_to_the_opponent_and_a_dispute_to_all(event: Event) -> None:
    ada, ben = make_person("Ada"), make_person("Ben")
    for person in (ada, ben):
        ask(person, "reported", "disputed")
    ask(event.owner, "dispute", "complete", "application")
    first, *_ = games = event.publish(1)
    assert {first.first.name, first.second.name} == {"Ada", "Ben"}

    body = {"claim": {"result": "11-10"}}
    assert ada.post(f"games/{first.pk}/reports", body).status_code == 202
    settle()
    assert subjects_of(send()) == {
        "ben@example.org": f"Spring Open, round 1, board 1: the result of {first.first.name} – "
        f"{first.second.name} is reported, not yet confirmed"
    }
    assert "\nReported: 11-10. Confirm it, or contradict.\n" in mail.outbox[-1].body

    ben.post(f"games/{first.pk}/reports", {"claim": {"result": "10-11"}})
    settle()
    disputed = subjects_of(send())
    assert {*disputed} == {"ada@example.org", "ben@example.org", "olga@example.org"}
    assert "/e/spring/run/disputes" in mail.outbox[-1].body + mail.outbox[0].body
    both = "Disputed: the two reports give different results\nAda has reported 11-10\nBen has"
    assert all(f"\n{both} reported 10-11\n" in message.body for message in mail.outbox)

    ben.post(f"games/{first.pk}/dispute", {"reason": "We drew"})
    settle()
    send()
    contested = "Disputed: one side disputes what the other reported\nAda has reported 11-10\n"
    assert f"\n{contested}Ben disputes it: We drew\n" in mail.outbox[0].body

    for game in games:
        rule_game(game, by=event.owner.account, reason="a slip", result="11-10")
    settle()
    assert subjects_of(send()) == {"olga@example.org": "Spring Open: all results of round 1 are in"}


def test_a_player_without_a_login_confirms_an_address_and_stops_with_one_click(
    event: Event,
) -> None:
    client = by_link(event, "Player 1")
    form = {"action": "choose", "kinds[]": ["paired"], "by_mail": "true"}
    wrong = client.post(PAGE, form | {"email": "ada@example,org"})
    assert (wrong.status_code, Subscription.objects.count()) == (422, 0)
    assert 'value="ada@example,org"' in wrong.content.decode()
    assert client.post(PAGE, form).status_code == 422  # no address at all

    mail.outbox.clear()
    ask(event.owner, "paired", client=client, email="Someone@example.org")
    send_due_links()
    page = re.findall(r"http://localhost:8000(/messages/\S+)", mail.outbox[0].body)[0]
    event.publish(1)
    assert send() == []  # the address is not confirmed

    stranger = Client(enforce_csrf_checks=True)
    assert stranger.post(page, {"action": "confirm"}).status_code == 303
    unpair_round(event.tournament, 1, reason="wrong", by=event.owner.account)
    event.publish(1)
    (sent,) = send()
    link = PersonalLink.objects.get(entry__player__name="Player 1")
    assert (sent.to, f"/e/spring/me#{link.token}" in sent.body) == (["someone@example.org"], True)

    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = (
        sent.extra_headers["List-Unsubscribe"].strip("<>").removeprefix("http://localhost:8000")
    )
    stopped = stranger.post(address, {"List-Unsubscribe": "One-Click"})
    assert (stopped.status_code, Subscription.objects.get().by_mail) == (200, False)
    event.finish(1)
    event.publish(2)
    assert send() == []


def test_an_address_is_corrected_at_once_and_nobody_is_asked_again_and_again(event: Event) -> None:
    client = by_link(event, "Player 1")
    form = {"action": "choose", "kinds[]": ["paired"], "by_mail": "true"}

    def choose(number: int) -> int:
        return client.post(PAGE, form | {"email": f"{number}@example.org"}).status_code

    assert [choose(1), choose(1)] == [303, 409]
    assert "link to <strong>1@example.org</strong>" in client.get(PAGE).content.decode()
    assert [choose(number) for number in range(2, 7)] == [303] * 4 + [409]
    assert Subscription.objects.get().email == "5@example.org"
    client.post(PAGE, {"action": "stop"})
    assert choose(7) == 409


def test_an_address_that_an_application_has_confirmed_is_not_asked(event: Event) -> None:
    client = by_link(event, "Player 1")
    event.tournament.entries.filter(player__name="Player 1").update(email="one@example.org")
    assert 'value="one@example.org"' in client.get(PAGE).content.decode()
    mail.outbox.clear()
    ask(event.owner, client=client, email="one@example.org")
    send_due_links()
    assert mail.outbox == []
    assert Subscription.objects.get().is_confirmed


def test_only_players_and_officials_choose(event: Event, stranger: Person) -> None:
    assert Client().get(PAGE).status_code in (302, 303, 401)
    assert login(stranger).get(PAGE).status_code == 403
    of_player, of_official = (
        {*re.findall(r'name="kinds\[\]" value="(\w+)"', login(who).get(PAGE).content.decode())}
        for who in (make_person("Ada"), event.owner)
    )
    assert (of_player, of_official) == ({*ALL}, {"dispute", "complete", "application"})


def test_the_standings_are_told_in_the_language_of_the_reader(event: Event) -> None:
    client = login(make_person("Ada"))
    client.cookies["django_language"] = "de"
    ask(make_person("Ada"), "final", client=client)
    event.play(1)
    for number in (2, 3):
        event.play(number)
    change_tournament_state(event.tournament, "review", by=event.owner.account)
    change_tournament_state(event.tournament, "finalise", by=event.owner.account)

    (sent,) = send()

    assert sent.subject == "Spring Open: die Ergebnisse sind endgültig"
    assert len(re.findall(r"^[1-4]\. ", sent.body, re.M)) == 4


def test_a_mail_that_fails_is_tried_again_with_the_same_id(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(make_person("Ada"), "paired")
    event.publish(1)
    send_messages()
    Notice.objects.update(next_attempt_at=timezone.now())
    ids = []

    def fail(self: Any, messages: Any) -> int:
        ids.append(messages[0].extra_headers["Message-ID"])
        raise ConnectionResetError

    with monkeypatch.context() as patched:
        patched.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", fail)
        assert send_messages() == 0
    notice = Notice.objects.get()
    assert (notice.attempts, notice.next_attempt_at > timezone.now()) == (1, True)

    (sent,) = send()
    assert ids == [sent.extra_headers["Message-ID"]]


def test_mails_leave_at_the_stated_rate_and_by_one_worker(
    event: Event, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(mails.time, "sleep", pauses.append)
    settings.MAIL_RATE = 1
    for name in ("Ada", "Ben"):
        ask(make_person(name), "paired")
    event.publish(1)

    assert len(send()) == 2
    assert len(pauses) == 2
    assert all(0.5 < pause <= 1 for pause in pauses)

    mails.broker.ask(lambda b: b.set(mails.SENDER, 1), lambda: None)
    assert mails.send_due_mails() == 0
    mails.broker.ask(lambda b: b.delete(mails.SENDER), lambda: None)


def test_addresses_are_deleted_with_the_person_and_after_the_event(event: Event) -> None:
    ask(make_person("Ada"))
    client = by_link(event, "Player 1")
    ask(event.owner, client=client, email="one@example.org")

    erase_player(Player.objects.get(name="Player 1"), by=None)
    assert [row.account.name for row in Subscription.objects.all()] == ["Ada"]

    at = timezone.now()
    event.tournament.state = "cancelled"
    event.tournament.save()
    applicants = event.tournament.entries.exclude(email="")
    event.tournament.entries.update(email="one@example.org")
    delete_old(at=at + timedelta(days=29))
    assert (Subscription.objects.count(), applicants.count()) == (1, 4)
    delete_old(at=at + timedelta(days=31))
    assert not Subscription.objects.exists()
    assert not applicants.exists()
