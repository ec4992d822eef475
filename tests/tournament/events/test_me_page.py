"""My event: a player opens their personal link, reports, asks for byes, checks in, withdraws."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.models import Game, Token
from tests.events import FIRST_WINS, Event, make_event, make_players, settle
from tests.people import Person, make_person, make_player, player_of
from tests.tournament.conftest import login
from tests.tournament.handicaps import make_handicap_event
from tournament.entries.links import create_links, revoke_link, token_of
from tournament.models import Entry, PersonalLink, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
ME = "/e/spring/me"


@pytest.fixture(scope="module")
def played(rows_of_module: None) -> Event:
    """Ada, who has an account, and three players without, in the first of three rounds."""
    organiser = make_person("Olga")
    event = make_event(organiser, check_in="tournament", public=False)
    event.enter(player_of(make_player("Ada", 2100)), *make_players(3))
    event.step("open", "start")
    event.tournament.entries.update(checked_in_round=1)
    event.publish(1)
    create_links(event.tournament, by=organiser.account)
    return event


@pytest.fixture
def event(db: None, played: Event) -> Event:
    return played.again()


def entry_of(event: Event, name: str) -> Entry:
    return event.tournament.entries.get(player__name=name)


def secret_of(event: Event, name: str) -> str:
    return token_of(PersonalLink.objects.get(entry__player__name=name))


def open_link(event: Event, name: str, client: Client | None = None) -> Client:
    """Return a client whose session the personal link of a player has opened."""
    client = client or Client()
    client.defaults["HTTP_PREFER"] = "wait=0"  # no worker settles what it reports
    answer = client.post(ME, {"action": "open", "link": secret_of(event, name)})
    assert (answer.status_code, answer["Location"]) == (303, ME)
    return client


def text_of(client: Client, path: str = ME) -> str:
    return str(client.get(path).content.decode())


def opponent_of(event: Event, name: str) -> tuple[str, Game]:
    """Return the name of the opponent in round 1, and the game."""
    for game in event.games():
        names = [game.first.name, game.second.name]
        if name in names:
            return names[1 - names.index(name)], game
    raise AssertionError(name)


def tag_in(page: str) -> str:
    return re.findall(r'name="if_match" value="&quot;(.+?)&quot;"', page)[0]


def test_without_a_session_the_page_says_nothing_of_a_private_event(
    client: Client, stranger: Person, event: Event
) -> None:
    for reader in (client, login(stranger)):
        pages = [text_of(reader, path) for path in (ME, "/e/nowhere/me")]
        texts = [re.sub(r'e/nowhere|e/spring|value="[^"]+"', "", page) for page in pages]
        assert texts[0] == texts[1]
        assert 'name="link"' in pages[0]


def test_the_link_opens_the_page_of_its_player(event: Event) -> None:
    client = open_link(event, "Player 1")
    opponent, game = opponent_of(event, "Player 1")
    page = text_of(client)

    assert opponent in page
    assert f"/games/{game.pk}/" in page
    assert 'href="/account"' not in page


@pytest.mark.parametrize("secret", ["", "1:2:3", "\0"])
def test_a_wrong_link_opens_nothing(client: Client, event: Event, secret: str) -> None:
    answer = client.post(ME, {"action": "open", "link": secret})

    assert answer.status_code == 422
    assert 'class="rejected"' in answer.content.decode()
    assert not Token.objects.filter(name="session").exists()


def test_a_session_ends_by_logging_out_and_with_the_link(organiser: Person, event: Event) -> None:
    client, other = open_link(event, "Player 1"), open_link(event, "Player 2")
    cookie = client.cookies["sessionid"].value

    client.post("/logout")
    assert Token.objects.filter(name="session").count() == 1
    client.cookies["sessionid"] = cookie
    revoke_link(entry_of(event, "Player 2"), by=organiser.account)

    assert "Spring Open" not in text_of(client) + text_of(other)


def test_a_link_replaces_a_login_and_a_login_replaces_a_link(
    organiser: Person, event: Event
) -> None:
    client = open_link(event, "Player 1", login(organiser))
    assert "/e/spring/run" not in text_of(client)
    assert client.get("/e/spring/run").status_code in (403, 404)

    email, password = organiser.account.email, "moons of saturn"
    organiser.account.set_password(password)
    organiser.account.save()
    organiser.account.emailaddress_set.create(email=email, verified=True, primary=True)
    client.post("/login", {"login": email, "password": password})
    assert "/e/spring/run" in text_of(client, "/e/spring")


def test_the_own_link_does_not_replace_the_login(ada: Person, event: Event) -> None:
    client = open_link(event, "Ada", login(ada))

    assert not Token.objects.filter(name="session").exists()
    assert 'href="/account"' in text_of(client)


def test_both_sides_report_and_confirm(event: Event) -> None:
    _, game = opponent_of(event, "Player 1")
    first, second = open_link(event, game.first.name), open_link(event, game.second.name)
    reports = f"/games/{game.pk}/reports"

    sent = first.post(reports, {"action": "claim", "claim.result": "11-10"})
    assert (sent.status_code, sent["Location"]) == (303, f"{reports}?done=claim")
    settle()
    assert 'value="confirm"' in text_of(second)
    assert 'value="confirm"' not in text_of(first)

    sent = second.post(reports, {"action": "confirm", "version": "1"})
    settle()
    game.refresh_from_db()
    assert (sent.status_code, game.state, game.basis) == (303, "confirmed", "links")


def test_a_handicap_is_that_of_the_reader(organiser: Person) -> None:
    event = make_handicap_event(organiser, slug="gap")
    event.publish(1)
    create_links(event.tournament, by=organiser.account)
    for name, words in (("C", "your opponent has 3 stones"), ("D", "you have 3 stones")):
        client = Client()
        secret = token_of(PersonalLink.objects.get(entry__player__name=name))
        client.post("/e/gap/me", {"action": "open", "link": secret})
        assert words in text_of(client, "/e/gap/me")


def test_a_record_is_checked_before_it_is_sent(event: Event) -> None:
    _, game = opponent_of(event, "Player 1")
    client = open_link(event, "Player 1")

    form = {"action": "record", "record": FIRST_WINS}
    preview = client.post(f"/games/{game.pk}/reports?dry_run=1", form)
    assert (preview.status_code, game.reports.count()) == (200, 0)
    assert FIRST_WINS.splitlines()[-1] in preview.content.decode()

    illegal = {"action": "record", "record": FIRST_WINS.replace("T10", "S10")}
    rejected = client.post(f"/games/{game.pk}/reports", illegal)
    assert rejected.status_code == 422
    assert "S10 S10" in rejected.content.decode()


def test_byes(event: Event) -> None:
    entry = entry_of(event, "Player 1")
    client = open_link(event, "Player 1")
    form = {"action": "byes", "entry_id": entry.pk, "2": "zero_bye", "3": ""}

    assert client.post(ME, form).status_code == 303
    assert dict(entry.byes.values_list("round", "kind")) == {2: "zero_bye"}
    rejected = client.post(ME, form | {"2": "half_bye", "3": "half_bye"})
    assert rejected.status_code == 409
    assert rejected.content.decode().count('<option value="half_bye" selected>') == 2
    assert client.post(ME, form | {"entry_id": entry_of(event, "Player 2").pk}).status_code == 403
    Tournament.objects.update(half_byes_until_round=2)
    assert text_of(client).count('value="half_bye"') == 1  # in round 2, not in round 3


def test_check_in_and_withdrawal_need_the_state_that_was_shown(event: Event) -> None:
    entry = entry_of(event, "Player 1")
    client = open_link(event, "Player 1")
    form = {"entry_id": entry.pk, "if_match": f'"{tag_in(text_of(client))}"'}

    assert client.post(ME, form | {"action": "check-out"}).status_code == 303
    stale = client.post(ME, form | {"action": "withdraw", "reason": "a flight"})
    assert (stale.status_code, "a flight" in stale.content.decode()) == (412, True)
    form["if_match"] = f'"{tag_in(text_of(client))}"'
    assert client.post(ME, form | {"action": "withdraw"}).status_code == 303
    entry.refresh_from_db()
    assert (entry.state, entry.checked_in_round) == ("withdrawn", None)


def test_an_expelled_player_reads_why(organiser: Person, event: Event) -> None:
    own = open_link(event, "Player 1")
    path = f"{event.path}/entries/{entry_of(event, 'Player 1').pk}"
    organiser.post(f"{path}/withdraw", {"reason": "sent home"})
    body = {"expelled": "a second phone", "reason": "decided", "accept": ["ranks_change"]}
    assert organiser.patch(path, body).status_code == 200

    assert "are not ranked: a second phone" in text_of(own)
    number = entry_of(event, "Player 1").pairing_number
    assert "expelled: a second phone" in text_of(own, f"/e/spring/players/{number}")


def test_a_draft_is_not_shown(event: Event) -> None:
    event.finish(1)
    event.draft(2)
    page = text_of(open_link(event, "Player 1"))

    assert '<h3 id="current">Round 1' in page
    assert "/rounds/2" not in page


def test_only_the_player_reads_their_link(organiser: Person, ada: Person, event: Event) -> None:
    secret = secret_of(event, "Ada").replace("'", "&#x27;")
    for client in (login(ada), open_link(event, "Ada")):
        page = text_of(client)
        assert f'value="http://localhost:8000{ME}#{secret}"' in page
        assert '<svg viewBox="0 0 ' in page
    assert secret not in text_of(open_link(event, "Player 2"))
    assert secret not in text_of(login(organiser))

    revoke_link(entry_of(event, "Ada"), by=organiser.account)
    assert secret not in text_of(login(ada))


def test_the_number_of_queries(
    event: Event, ada: Person, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = login(ada)
    client.get(ME)
    for rounds in (1, 2):
        with django_assert_num_queries(27):
            client.get(ME)
        if rounds == 1:
            event.finish(1)
            event.tournament.entries.update(checked_in_round=2)
            event.publish(2)


def test_two_games_with_exchanged_seats(organiser: Person, ada: Person) -> None:
    event = make_event(organiser, slug="two", games_per_pairing=2)
    event.enter(player_of(ada), *make_players(1))
    event.step("open", "start").publish(1)
    client = login(ada)
    page = text_of(client, "/e/two/me")
    games = re.findall(r"/games/(\d+)/reports#by-record", page)

    assert len(set(games)) == 2
    client.defaults["HTTP_PREFER"] = "wait=0"
    for number in games:
        form = {"action": "claim", "claim.result": "11-10"}
        assert client.post(f"/games/{number}/reports", form).status_code == 303


def test_a_league_shows_the_first_open_game_and_links_to_the_others(
    organiser: Person, ada: Person
) -> None:
    options = {"system": "round-robin", "system_options": {"schedule": "league"}, "rounds": 3}
    event = make_event(organiser, slug="league", **options)
    event.enter(player_of(ada), *make_players(3))
    event.step("open", "start")
    own = [game.pk for number in (1, 2, 3) for game in event.games(number) if "Ada" in str(game)]
    page = text_of(login(ada), "/e/league/me")

    assert '<h3 id="current">Round 1' in page
    linked = [f'href="/games/{game}/reports">Report the result' in page for game in own]
    assert linked == [False, True, True]


def test_a_personal_link_opens_no_page_of_an_account(event: Event) -> None:
    client = open_link(event, "Player 1")
    number = entry_of(event, "Player 1").player_id
    paths = ("/account", "/account/name", "/my", "/my/propose", f"/players/{number}/claim", "/new")

    assert {path: client.get(path).status_code for path in paths} == dict.fromkeys(paths, 403)
    assert client.post("/account", {"action": "end-sessions"}).status_code == 403
    form = {"action": "create-token", "scopes[]": ["result:write"]}
    assert client.post("/account", form).status_code == 403
    assert Token.objects.filter(name="session").count() == 1
