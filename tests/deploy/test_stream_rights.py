"""Which listeners may go on: the rights of their requests are checked again."""

from typing import Any

import pytest
from django.test import Client, RequestFactory
from pytest_django import DjangoAssertNumQueries

from deploy.streams import Listener
from games.core.accounts.services import end_sessions
from games.core.permissions import SCOPES
from games.models import Account, Role
from tests.events import Event, make_running
from tests.people import Person
from tournament.webhooks.stream import Subscription, find_refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(organiser: Person) -> Event:
    event = make_running(organiser, 2)
    event.tournament.public = False
    event.tournament.save()
    return event


def listener_of(event: Event, person: Person | None = None, *, cookie: str = "") -> dict[str, Any]:
    """Return the environment of a listener with the token of a person or a session's cookie."""
    headers = {"Authorization": f"Bearer {person.secret}"} if person else {}
    if cookie:
        headers["Cookie"] = cookie
    request = RequestFactory().get(f"/api/v1/{event.path}/stream", headers=headers)
    return dict(request.environ)


def refused_of(stream: str, listeners: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the environments of those who may not listen any more."""
    return [listeners[number] for number in find_refused(stream, dict(enumerate(listeners)))]


def test_strangers_may_not_listen_to_a_private_event(
    organiser: Person, stranger: Person, event: Event
) -> None:
    own, others = listener_of(event, organiser), [listener_of(event, stranger), listener_of(event)]

    assert refused_of(event.stream, [own, *others]) == others


def test_everybody_may_listen_to_a_public_event_which_is_found_by_one_look(
    organiser: Person, stranger: Person, event: Event,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:  # fmt: skip
    event.tournament.public = True
    event.tournament.save()
    listeners = [listener_of(event, organiser), listener_of(event, stranger), listener_of(event)]

    for some in (listeners[:1], listeners):
        with django_assert_num_queries(2):
            assert refused_of(event.stream, some) == []
    assert refused_of(event.stream, []) == []


def test_a_revoked_token(organiser: Person, event: Event) -> None:
    other = organiser.with_token(*SCOPES)
    kept, revoked = listener_of(event, organiser), listener_of(event, other)
    assert refused_of(event.stream, [kept, revoked]) == []

    assert other.token is not None
    other.token.delete()

    assert refused_of(event.stream, [kept, revoked]) == [revoked]


def test_a_role_that_is_taken_away(stranger: Person, event: Event) -> None:
    role = Role.objects.create(stream=event.stream, account=stranger.account, role="scorer")
    listener = listener_of(event, stranger)
    assert refused_of(event.stream, [listener]) == []

    role.delete()

    assert refused_of(event.stream, [listener]) == [listener]


def test_a_session_that_is_closed(organiser: Person, event: Event) -> None:
    client = Client()
    assert organiser.account is not None
    client.force_login(organiser.account)
    listener = listener_of(event, cookie=f"sessionid={client.cookies['sessionid'].value}")
    assert refused_of(event.stream, [listener]) == []

    end_sessions(organiser.account, by=organiser.account)

    assert refused_of(event.stream, [listener]) == [listener]


def test_a_deactivated_account(organiser: Person, event: Event) -> None:
    listener = listener_of(event, organiser)
    Account.objects.filter(pk=organiser.account.pk).update(is_active=False)

    assert refused_of(event.stream, [listener]) == [listener]


def test_an_event_that_is_deleted(organiser: Person, event: Event) -> None:
    listener = listener_of(event, organiser)

    assert refused_of("tournament/nowhere", [listener]) == [listener]


@pytest.mark.parametrize("path", ["me/stream", "stream"])
def test_the_feeds_of_an_account_and_of_the_site(
    organiser: Person, event: Event, path: str
) -> None:
    """Everybody may listen to the site, and only the account to its own feed."""
    feed = f"account/{organiser.account.pk}" if path == "me/stream" else "site"
    own, without = (
        dict(RequestFactory().get(f"/api/v1/{path}", headers=headers).environ)
        for headers in ({"Authorization": f"Bearer {organiser.secret}"}, {})
    )

    assert refused_of(feed, [own, without]) == ([without] if path == "me/stream" else [])
    organiser.token.delete()
    assert refused_of(feed, [own]) == ([own] if path == "me/stream" else [])


def test_players_and_officials_may_listen_to_what_players_see(
    organiser: Person, stranger: Person, event: Event
) -> None:
    event.publish()
    (game,) = event.games()
    path = f"/api/v1/games/{game.pk}/stream?own=1"
    own, other = (
        dict(RequestFactory().get(path, headers={"Authorization": f"Bearer {one.secret}"}).environ)
        for one in (organiser, stranger)
    )

    assert refused_of(f"own-live/{game.pk}", [own, other]) == [other]


def test_a_listener_gets_what_a_wide_feed_repeats_once() -> None:
    async def send(message: Any) -> None:
        """Send nothing."""

    listener = Listener(Subscription("site", 5, 9, "", {}), send)

    assert listener.unsent([(4, b"4"), (6, b"6"), (9, b"9")]) == b"69"
    assert listener.unsent([(6, b"6"), (7, b"7"), (9, b"9"), (10, b"10")]) == b"710"
