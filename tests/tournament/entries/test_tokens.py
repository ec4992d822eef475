"""Tokens of one event: personal ones that directors issue, and what owners see and revoke."""

import re
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.core.accounts.services import close_account
from games.core.permissions import SCOPES
from games.models import Account, JournalLine, Role, Token
from tests.events import Event, make_running
from tests.people import Person, make_person, player_of, problem_in
from tests.tournament.conftest import login
from tournament.entries.links import create_links, token_of
from tournament.models import PersonalLink, Tournament

pytestmark = pytest.mark.django_db
PAGE = "/e/spring/run/tokens"
NEW = {"action": "create-token", "name": "board 1", "scopes[]": ["result:write"]}


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    event = make_running(organiser, 2)
    event.enter(player_of(ada))
    return event


def issue(event: Event, name: str, by: Person | None = None) -> Any:
    entry = event.tournament.entries.get(player__name=name)
    return (by or event.owner).post(f"{event.path}/entries/{entry.pk}/token")


@pytest.fixture
def personal(event: Event) -> Person:
    """A player without a login, with the token that the organiser issued."""
    secret = issue(event, "Player 1").json()["token"]
    return Person("Player 1", token=Token.objects.get(name="personal"), secret=secret)


class TestPersonalTokens:
    def test_it_reports_the_games_of_the_player_in_the_event(
        self, event: Event, personal: Person
    ) -> None:
        games = {game.first.name: game for game in event.publish()}
        (game,) = (game for game in games.values() if "Player 1" in str((game.first, game.second)))
        me = personal.get("me").json()
        assert (me["player"]["name"], me["tournament"]["slug"]) == ("Player 1", "spring")
        assert "email" not in me
        assert personal.token.scopes == [
            "entry:write",
            "record:write",
            "result:write",
            "tournament:read",
        ]
        body = {"claim": {"result": "11-10"}}
        assert personal.post(f"games/{game.pk}/reports", body).status_code == 202
        problem_in(personal.post(f"{event.path}/rounds/1/complete"), 403)
        problem_in(personal.get(f"{event.path}/tokens"), 403)

    def test_it_has_no_more_rights_than_the_token_of_the_director(
        self, organiser: Person, event: Event
    ) -> None:
        director = organiser.with_token(*SCOPES)
        soon = timezone.now() + timedelta(hours=1)
        Token.objects.filter(pk=director.token.pk).update(expiry=soon)

        weak = organiser.with_token("tournament:read", "tournament:write", "result:write")
        problem_in(issue(event, "Player 1", weak), 403, "scope_missing")
        expires_at = issue(event, "Player 1", director).json()["expires_at"]
        assert datetime.fromisoformat(expires_at) == soon

    def test_a_new_one_revokes_the_old_one(self, event: Event, personal: Person) -> None:
        other = Person("Player 2", secret=issue(event, "Player 2").json()["token"])
        new = Person("Player 1", secret=issue(event, "Player 1").json()["token"])

        assert [who.get("me").status_code for who in (personal, new, other)] == [401, 200, 200]

    def test_it_is_the_player_s_and_never_an_official_s(self, ada: Person, event: Event) -> None:
        Role.objects.create(stream=event.stream, account=ada.account, role=Role.Name.OWNER)
        issued = Person("Ada", ada.account, None, issue(event, "Ada").json()["token"])
        entry = event.tournament.entries.get(player=player_of(ada))

        assert ada.get(f"{event.path}/tokens").status_code == 200
        problem_in(issued.get(f"{event.path}/tokens"), 403, "role_missing")
        for action in ("consent", "accept"):  # which a director cannot do for a player
            answer = issued.post(f"{event.path}/entries/{entry.pk}/{action}")
            problem_in(answer, 403, "token_given_out")

    def test_it_does_not_tell_the_director_how_the_account_is_called(
        self, ada: Person, event: Event
    ) -> None:
        Account.objects.filter(pk=ada.account.pk).update(name="Countess L.")
        issued = Person("Ada", secret=issue(event, "Ada").json()["token"])

        listed = event.owner.get(f"{event.path}/tokens").json()["results"]
        me = issued.get("me").json()
        assert (me["name"], listed[0]["account"]["name"]) == ("Ada", "Ada")
        create_links(event.tournament, by=event.owner.account)
        link = PersonalLink.objects.get(entry__player=player_of(ada))
        browser = Client()
        browser.post("/e/spring/me", {"action": "open", "link": token_of(link)})
        page = browser.get("/e/spring/me").content.decode()
        assert ("<span>Ada</span>" in page, "Countess" in page) == (True, False)
        assert ada.get("me").json()["name"] == "Countess L."

    def test_a_player_with_a_closed_account_gets_none(self, ada: Person, event: Event) -> None:
        assert ada.account is not None
        close_account(ada.account, by=ada.account)
        problem_in(issue(event, "Ada"), 409, "account_inactive")
        assert not Token.objects.filter(user=ada.account).exists()


class TestOfTheEvent:
    def test_the_owner_sees_them_and_no_others(
        self, organiser: Person, ada: Person, stranger: Person, event: Event, personal: Person
    ) -> None:
        own = ada.with_token("result:write", stream=event.stream)
        stranger.with_token("result:write", stream="tournament/autumn")

        response = organiser.get(f"{event.path}/tokens")

        results = response.json()["results"]
        account = personal.token.user
        assert [
            (row["id"], row["account"]["name"], row["player"]["name"], row["scopes"])
            for row in results
        ] == [
            (personal.token.token_key, account.name, "Player 1", personal.token.scopes),
            (own.token.token_key, "Ada", "Ada", ["result:write"]),
        ]
        for secret in ("@example.org", personal.secret, own.secret, own.token.digest):
            assert secret not in response.content.decode()

    def test_a_revoked_one_ends_and_the_journal_says_who_revoked_it(
        self, organiser: Person, event: Event, personal: Person
    ) -> None:
        path = f"{event.path}/tokens/{personal.token.token_key}"

        assert organiser.delete(path).status_code == 204

        problem_in(personal.get("me"), 401)
        problem_in(organiser.delete(path), 404, "not_found")
        line = JournalLine.objects.filter(stream=event.stream).latest("sequence")
        assert (line.kind, line.actor) == ("token.revoked", f"account/{organiser.account.pk}")
        assert personal.secret not in str(line.payload.body)

    @pytest.mark.parametrize("stream", ["", "tournament/autumn"])
    def test_the_owner_revokes_no_other(
        self, organiser: Person, stranger: Person, event: Event, stream: str
    ) -> None:
        other = stranger.with_token("result:write", stream=stream)
        problem_in(organiser.delete(f"{event.path}/tokens/{other.token.token_key}"), 404)
        assert other.get("me").status_code == 200

    @pytest.mark.parametrize("count", [1, 3])
    def test_the_list_takes_five_queries(
        self, event: Event, count: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        for name in ("Ada", "Player 1", "Player 2")[:count]:
            issue(event, name)

        with django_assert_num_queries(5):  # the token, the event, the role, the page, the names
            assert len(event.owner.get(f"{event.path}/tokens").json()["results"]) == count


class TestPage:
    @pytest.fixture
    def browser(self, organiser: Person, event: Event) -> Client:
        return login(organiser)

    def send(self, browser: Client, **form: object) -> HttpResponse:
        return browser.post(PAGE, form)

    def test_only_owners_see_and_use_it(self, event: Event) -> None:
        director = make_person("Dora")
        Role.objects.create(stream=event.stream, account=director.account, role="director")
        browser = login(director)
        assert browser.get(PAGE).status_code == 403
        for form in (NEW, {"action": "player-token", "entry_id": 1}):
            assert self.send(browser, **form).status_code == 403
        assert not Token.objects.exclude(user=director.account).filter(name="board 1").exists()

    def test_a_token_is_shown_once_and_revoked(self, browser: Client, event: Event) -> None:
        shown = self.send(browser, **NEW, expires_at="")
        (secret,) = re.findall(r'class="secret">([^<]+)<', shown.content.decode())
        assert shown.headers["Cache-Control"] == "private, no-store"
        me = Person("Olga", secret=secret).get("me").json()
        assert (me["tournament"]["slug"], me["scopes"]) == ("spring", ["result:write"])
        page = browser.get(PAGE).content.decode()
        assert (secret in page, "board 1" in page) == (False, True)

        token = Token.objects.get(stream=event.stream)
        done = self.send(browser, action="revoke-token", token_id=token.token_key)
        assert done.headers["Location"] == f"{PAGE}?done=revoke-token"
        assert not Token.objects.filter(stream=event.stream).exists()

    def test_a_token_ends_in_the_time_of_the_event(self, browser: Client, event: Event) -> None:
        Tournament.objects.update(time_zone="Pacific/Auckland")
        day = f"{timezone.now() + timedelta(days=2):%Y-%m-%d}"

        self.send(browser, **NEW, expires_at=f"{day}T12:00")

        expiry = Token.objects.get(stream=event.stream).expiry
        assert f"{expiry.astimezone(ZoneInfo('Pacific/Auckland')):%Y-%m-%d %H:%M}" == f"{day} 12:00"

    def test_a_token_of_a_player_who_takes_part(self, browser: Client, event: Event) -> None:
        withdrawn = event.tournament.entries.get(player__name="Player 2")
        event.owner.post(f"{event.path}/entries/{withdrawn.pk}/withdraw")
        names = [entry.player.name for entry in browser.get(PAGE).context["entries"]]
        assert names == ["Ada", "Player 1"]
        entry = event.tournament.entries.get(player__name="Ada")
        shown = self.send(browser, action="player-token", entry_id=entry.pk).content.decode()
        (secret,) = re.findall(r'class="secret">([^<]+)<', shown)
        assert Person("Ada", secret=secret).get("me").json()["player"]["name"] == "Ada"

    @pytest.mark.parametrize(
        "form", [{"scopes[]": []}, {"scopes[]": ["*"]}, {"expires_at": "2001-01-01T00:00"}]
    )
    def test_a_wrong_form_creates_none(
        self, browser: Client, event: Event, form: dict[str, Any]
    ) -> None:
        assert self.send(browser, **NEW | form).status_code == 422
        assert not Token.objects.filter(stream=event.stream).exists()
