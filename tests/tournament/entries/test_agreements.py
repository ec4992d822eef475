"""Whether a player agrees to an entry that somebody else has made, and what their pages show."""

import pytest
from django.test import Client

from games.models import Game, JournalLine, Player
from ratings.models import Decision, Pool
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, player_of, problem_in
from tests.tournament.conftest import login
from tests.tournament.trf.files import trf_of
from tournament.entries.applications import apply
from tournament.entries.services import enter_waiting
from tournament.events.verification import verify_tournament
from tournament.models import Entry, Tournament
from tournament.players.agreements import hidden_streams

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_event(organiser, rounds=1)


def enter(event: Event, *players: Player) -> list[Entry]:
    """Enter players as their organiser does by the API, who asks nobody."""
    numbers = []
    for player in players:
        answer = event.owner.post(f"{event.path}/entries", {"player_id": player.pk})
        assert answer.status_code == 201, answer.json()
        numbers.append(answer.json()["id"])
    return list(Entry.objects.filter(pk__in=numbers).order_by("pk"))


def agreement(entry: Entry) -> str:
    entry.refresh_from_db()
    return entry.agreement


def text_of(client: Client, path: str) -> str:
    return str(client.get(path).content.decode())


def shown(ada: Person, ben: Person) -> dict[str, bool]:
    """Return which of Ada's own pages and lists show the event, of which one game is played."""
    number, opponent = player_of(ada).pk, player_of(ben).pk
    anonymous, own = Client(), login(ada)
    head = ada.get(f"players/{number}/head-to-head/{opponent}").json()
    other = ada.get(f"players/{opponent}/head-to-head/{number}").json()
    assert head["games"] == other["games"]
    return {
        "page": "/e/spring" in text_of(anonymous, f"/players/{number}"),
        "games": "There is no game" not in text_of(anonymous, f"/players/{number}/games"),
        "events": bool(anonymous.get(f"/api/v1/tournaments?player={number}").json()["results"]),
        "api": bool(anonymous.get(f"/api/v1/games?player={number}").json()["results"]),
        "versus": "1 game:" in text_of(anonymous, f"/players/{number}/versus/{opponent}"),
        "head-to-head": head["games"] == 1,
        "calendar": "Spring Open" in text_of(anonymous, f"/api/v1/players/{number}/calendar.ics"),
        "ndjson": bool(anonymous.get(f"/api/v1/players/{number}/games.ndjson").getvalue()),
        "records": b"Spring Open" in ada.get(f"players/{number}/games.rec").getvalue(),
        "my": "Spring Open</a>" in text_of(own, "/my").partition("Events that I play in")[2],
        "my games": "/reports" in text_of(own, "/my"),
    }


def play(event: Event) -> Game:
    event.step("start")
    (game,) = event.publish()
    event.rule(game)
    game.refresh_from_db()
    return game


def test_an_event_is_on_the_own_pages_of_a_player_only_if_they_agreed(
    ada: Person, ben: Person, event: Event
) -> None:
    entry, _ = enter(event, player_of(ada), player_of(ben))
    event.step("open")
    play(event)

    assert agreement(entry) == "asked"
    assert [name for name, is_shown in shown(ada, ben).items() if is_shown] == []
    answer = ada.post(f"{event.path}/entries/{entry.pk}/accept")
    assert (answer.status_code, answer.json()["agreement"]) == (200, "agreed")
    partly = shown(ada, ben)
    assert partly.pop("versus") is partly.pop("head-to-head") is False  # Ben has not agreed
    assert [name for name, is_shown in partly.items() if not is_shown] == []
    ben.post(f"{event.path}/entries/{event.tournament.entries.last().pk}/accept")
    assert [name for name, is_shown in shown(ada, ben).items() if not is_shown] == []
    problem_in(ada.post(f"{event.path}/entries/{entry.pk}/accept"), 409, "nothing_to_do")
    problem_in(ada.post(f"{event.path}/entries/{entry.pk}/decline"), 409, "agreed_already")
    assert verify_tournament(event.stream) == []


def test_turns_whose_time_runs_are_told_to_a_player_who_has_not_agreed(
    ada: Person, ben: Person, organiser: Person
) -> None:
    event = make_event(organiser, rounds=1, play="by_turns", days_per_turn=2)
    entry, _ = enter(event, player_of(ada), player_of(ben))
    event.step("open", "start")
    (game,) = event.publish()
    first = next(person for person in (ada, ben) if player_of(person) == game.first)

    def own_games(person: Person) -> tuple[bool, list[int], list[int]]:
        page, _, _ = text_of(login(person), "/my").partition("Games to report")
        games, steps = (person.get(f"me/{name}").json()["results"] for name in ("games", "next"))
        return (
            f"/games/{game.pk}/live" in page.partition("Your turn")[2],
            [row["id"] for row in games],
            [row["game_id"] for row in steps],
        )

    assert agreement(entry) == "asked"
    assert own_games(first) == (True, [game.pk], [game.pk])
    assert "/e/spring" not in text_of(Client(), f"/players/{game.first_id}")
    Entry.objects.filter(player=game.first).update(agreement="declined")
    assert own_games(first) == (False, [], [])


def test_the_approval_of_an_officer_shows_the_event(
    ada: Person, ben: Person, officer: Person, organiser: Person
) -> None:
    event = make_event(organiser, rounds=1, pool="star")
    Decision.objects.all().delete()
    enter(event, player_of(ada), player_of(ben))
    event.step("open")
    play(event)

    assert hidden_streams(player_of(ada)) == [event.stream]
    approval = {"reason": "played at the club"}
    assert officer.post("pools/star/tournaments/spring/approve", approval).status_code == 200
    assert hidden_streams(player_of(ada), player_of(ben)) == []
    officer.post("pools/star/tournaments/spring/refuse", {"reason": "not played at the club"})
    assert hidden_streams(player_of(ada)) == [event.stream]
    Pool.objects.update(policy="open")
    assert hidden_streams(player_of(ada)) == [event.stream]


def test_an_approved_event_that_is_not_rated_is_not_shown(ada: Person, organiser: Person) -> None:
    event = make_event(organiser, pool="star")
    enter(event, player_of(ada))
    assert hidden_streams(player_of(ada)) == []
    Tournament.objects.update(rated=False)
    assert hidden_streams(player_of(ada)) == [event.stream]


def test_who_declines_before_the_start_is_not_in_the_event(
    ada: Person, ben: Person, organiser: Person, event: Event
) -> None:
    entry, _ = enter(event, player_of(ada), player_of(ben))
    event.step("open")
    path = f"{event.path}/entries/{entry.pk}"

    answer = ada.post(f"{path}/decline")
    assert (answer.json()["agreement"], answer.json()["state"]) == ("declined", "refused")
    listed = ben.get(f"{event.path}/entries").json()["results"]
    assert [row["player"]["name"] for row in listed] == ["Ben"]
    problem_in(organiser.post(f"{path}/approve"), 409, "declined_by_player")
    problem_in(organiser.post(f"{path}/wait"), 409, "declined_by_player")
    body = {"player_id": player_of(ada).pk}
    problem_in(organiser.post(f"{event.path}/entries", body), 409, "entered_already")
    assert "the player has declined" in text_of(login(organiser), "/e/spring/run/entries")
    assert "the player has declined" in text_of(
        login(organiser), f"/e/spring/run/entries/{entry.pk}"
    )
    assert hidden_streams(player_of(ada)) == [event.stream]

    assert ada.post(f"{path}/accept").status_code == 200
    assert organiser.post(f"{path}/approve").status_code == 200
    kinds = JournalLine.objects.filter(stream=event.stream).values_list("kind", flat=True)
    assert [*kinds.order_by("sequence")][-3:] == [
        "entry.declined", "entry.agreed", "entry.accepted",
    ]  # fmt: skip
    assert verify_tournament(event.stream) == []


def test_who_declines_later_stays_in_the_tables(
    ada: Person, ben: Person, officer: Person, organiser: Person
) -> None:
    event = make_event(organiser, rounds=2, pool="star")
    entry, _ = enter(event, player_of(ada), player_of(ben))
    event.step("open")
    play(event)

    answer = ada.post(f"{event.path}/entries/{entry.pk}/decline")
    assert (answer.json()["agreement"], answer.json()["state"]) == ("declined", "accepted")
    assert "Ada" in text_of(Client(), "/e/spring/standings")
    assert hidden_streams(player_of(ada)) == [event.stream]
    assert organiser.post(f"{event.path}/entries/{entry.pk}/withdraw").status_code == 200
    problem_in(organiser.post(f"{event.path}/entries/{entry.pk}/return"), 409, "declined_by_player")


def test_an_organiser_who_plays_enters_in_place_of_what_others_sent(
    organiser: Person, stranger: Person, event: Event
) -> None:
    own = Player.objects.create(name="Olga", account=organiser.account, seed_rating=1900)
    apply(event.step("open").tournament, own, by=stranger.account, category="seniors")

    (entry,) = enter(event, own)

    assert (entry.state, entry.agreement, entry.category, entry.seed_rating) == (
        "accepted", "agreed", "", 1900,
    )  # fmt: skip
    assert verify_tournament(event.stream) == []


@pytest.mark.parametrize(
    ("scope", "own", "other"),
    [
        # of an organiser who plays; what is allowed in the own entry, and in that of another
        ("entry:write", {"accept", "availability", "withdraw"}, set()),
        ("tournament:write", {"availability", "withdraw"}, {"availability", "withdraw"}),
        ("result:write", set(), set()),
    ],
)
def test_what_a_token_does_for_its_person_and_as_an_official(
    ben: Person, organiser: Person, event: Event, scope: str, own: set[str], other: set[str]
) -> None:
    mine = Player.objects.create(name="Olga", account=organiser.account)
    entries = enter(event, mine, player_of(ben))
    event.step("open")
    token = organiser.with_token(scope)

    for entry, expected in zip(entries, (own, other), strict=True):
        path, allowed = f"{event.path}/entries/{entry.pk}", set()
        for act in ("accept", "availability", "withdraw"):
            send, body = (token.put, {}) if act == "availability" else (token.post, None)
            answer = send(f"{path}/{act}?dry_run=1", body)
            if answer.status_code == 403:
                assert answer.json()["code"] in ("scope_missing", "role_missing")
            else:
                assert answer.status_code in (200, 409), answer.json()  # 409: has agreed
                allowed.add(act)
        assert allowed == expected


def test_who_has_reported_a_game_withdraws_instead(ada: Person, ben: Person, event: Event) -> None:
    entry, _ = enter(event, player_of(ada), player_of(ben))
    (game,) = event.step("open", "start").publish()
    ada.post(f"games/{game.pk}/reports", {"claim": {"result": "11-10"}})
    settle()

    problem_in(ada.post(f"{event.path}/entries/{entry.pk}/decline"), 409, "agreed_already")


def test_who_keeps_a_registration_agrees_by_entering_and_answers_for_others(
    organiser: Person, stranger: Person, event: Event
) -> None:
    (own,) = make_players(1, by=organiser)
    (kept,) = make_players(1, by=stranger)
    first, second = enter(event, own, kept)
    event.step("open")

    assert (agreement(first), agreement(second)) == ("agreed", "asked")
    page = text_of(login(stranger), "/my")
    assert f"/e/spring/entries/{second.pk}/answer" in page
    assert "Entered by others" not in text_of(login(organiser), "/my")
    path = f"{event.path}/entries/{second.pk}/accept"
    problem_in(organiser.post(path), 403, "role_missing")
    assert stranger.post(path).status_code == 200
    assert hidden_streams(kept) == []


def test_who_applies_or_consents_has_agreed(
    ada: Person, ben: Person, organiser: Person, event: Event
) -> None:
    event.step("open")
    ada.post(f"{event.path}/entries/apply", {})
    (entry,) = enter(event, player_of(ben))
    (unknown,) = make_players(1)
    apply(event.tournament, unknown, by=None)
    (new,) = make_players(1)
    Player.objects.filter(pk=new.pk).update(name="New", registered_in=event.stream)
    apply(event.tournament, Player.objects.get(pk=new.pk), by=None)
    for _ in range(2):
        answer = ben.post(f"{event.path}/entries/{entry.pk}/consent")
        assert answer.json()["consented_at"] is not None

    found = dict(Entry.objects.values_list("player__name", "agreement"))
    assert found == {"Ada": "agreed", "Ben": "agreed", "Player 1": "asked", "New": "agreed"}
    lines = JournalLine.objects.filter(stream=event.stream, kind="entry.consented")
    assert [line.payload.body["entry"] for line in lines] == [entry.pk]
    problem_in(ben.post(f"{event.path}/entries/{entry.pk}/decline"), 409, "agreed_already")
    event.step("cancel")
    problem_in(ada.post(f"{event.path}/entries/{entry.pk - 1}/consent"), 409, "wrong_state")
    assert verify_tournament(event.stream) == []


def test_files_ask_the_players_whom_they_do_not_register(
    ada: Person, organiser: Person, event: Event
) -> None:
    lines = "name,country\nAda,POR\nEva,SWE\n"
    answer = organiser.send(
        "POST", f"{event.path}/entries/import", lines.encode(), content_type="text/csv"
    )
    assert answer.status_code == 201, answer.json()
    found = dict(Entry.objects.values_list("player__name", "agreement"))
    assert found == {"Ada": "asked", "Eva": "agreed"}

    event.step("open", "start").play(1)
    text = trf_of(event.tournament, through=1)
    ada_id, eva_id = (Player.objects.get(name=name).pk for name in ("Ada", "Eva"))
    chosen = f"?players=1:{ada_id},2:{eva_id}&slug=again&ruleset=star-star&board_size=4"
    if "Eva" in text.partition("Ada")[0]:
        chosen = f"?players=1:{eva_id},2:{ada_id}&slug=again&ruleset=star-star&board_size=4"
    answer = organiser.send(
        "POST", f"tournaments/import{chosen}", text.encode(), content_type="text/plain"
    )
    assert answer.status_code in (200, 201), answer.json()
    again = Entry.objects.filter(tournament__slug="again")
    assert dict(again.values_list("player__name", "agreement")) == {"Ada": "asked", "Eva": "agreed"}


@pytest.mark.parametrize(("state", "after"), [("accepted", "refused"), ("withdrawn", "withdrawn")])
def test_a_place_that_somebody_declines_is_filled(
    ada: Person, organiser: Person, state: str, after: str
) -> None:
    event = make_event(organiser, places=1, fills_places=True)
    (entry,) = enter(event, player_of(ada))
    event.step("open")
    enter_waiting(event.tournament, *make_players(1), by=organiser.account)
    Entry.objects.filter(pk=entry.pk).update(state=state, consented_at="2026-01-01T00:00:00Z")

    assert ada.post(f"{event.path}/entries/{entry.pk}/decline").json()["state"] == after

    rows = event.tournament.entries.order_by("ordinal").values_list("state", "consented_at")
    assert list(rows) == [(after, None), ("accepted", None)]


def test_a_private_event_is_in_no_list_of_a_player_who_was_not_asked(
    ada: Person, event: Event
) -> None:
    Tournament.objects.update(public=False)
    event.tournament.refresh_from_db()
    (entry,) = enter(event, player_of(ada))
    event.step("open")

    assert ada.get("tournaments").json()["results"] == []
    assert "Spring Open" not in text_of(login(ada), "/")
    assert "Spring Open" in text_of(login(ada), f"/e/spring/entries/{entry.pk}/answer")
    ada.post(f"{event.path}/entries/{entry.pk}/accept")
    assert "Spring Open" in text_of(login(ada), "/")


def test_the_question_on_the_pages(
    ada: Person, stranger: Person, organiser: Person, event: Event
) -> None:
    (entry,) = enter(event, player_of(ada))
    path = f"/e/spring/entries/{entry.pk}/answer"
    browser = login(ada)
    assert path not in text_of(browser, "/my")  # anybody enters anybody in a draft
    assert browser.get(path).status_code == 404
    event.step("open")

    assert path in text_of(browser, "/my")
    assert path in text_of(browser, "/e/spring/me")
    assert browser.get(path).context["is_own"]
    for other, status in ((login(stranger), 403), (login(organiser), 403), (Client(), 303)):
        assert other.get(path).status_code == status
    assert login(stranger).post(path, {"action": "accept"}).status_code == 403
    assert agreement(entry) == "asked"
    answered = browser.post(path, {"action": "decline"})
    assert answered["Location"] == f"{path}?done=decline"
    page = text_of(browser, answered["Location"])
    assert "You have declined the entry." in page
    assert 'value="decline"' not in page
    assert "Entered by others" not in text_of(browser, "/my")
    assert browser.post(path, {"action": "accept"}).status_code == 303
    assert "You have agreed to the entry." in text_of(browser, f"{path}?done=accept")


def test_a_merged_registration_is_the_same_player(ada: Person, event: Event) -> None:
    (merged,) = make_players(1)
    enter(event, merged)
    merged.merged_into = player_of(ada)
    merged.save()

    assert hidden_streams(player_of(ada)) == [event.stream]
