"""`tournaments/{slug}/tokens`: the owner sees and revokes the tokens of the event."""

from datetime import datetime

import pytest
from pytest_django import DjangoAssertNumQueries

from games.core.accounts.services import close_account
from games.core.permissions import SCOPES
from games.models import JournalLine, Role, Token
from tests.events import Event, make_event, make_players, make_published
from tests.people import (
    Person,
    add_second_factor,
    make_person,
    player_of,
    problem_in,
    statuses,
)


@pytest.fixture
def event(organiser: Person) -> Event:
    return make_event(organiser).step("open")


@pytest.fixture
def personal(organiser: Person, event: Event) -> Person:
    """A player without a login, with the token that the organiser issued."""
    (entry,) = event.enter(*make_players(1))
    secret = organiser.post(f"{event.path}/entries/{entry.pk}/token").json()["token"]
    return Person("Player 1", token=Token.objects.get(name="personal"), secret=secret)


def test_the_owner_sees_the_tokens_of_the_event_and_no_others(
    organiser: Person, ada: Person, stranger: Person, event: Event, personal: Person
) -> None:
    event.enter(player_of(ada))
    own = ada.with_token("result:write", stream=event.stream)
    stranger.with_token("result:write", stream="tournament/autumn")
    personal.get("me")

    response = organiser.get(f"{event.path}/tokens")

    results = response.json()["results"]
    account = personal.token.user
    personal_account = {"id": account.pk, "name": account.name}
    assert [(token["id"], token["account"], token["player"]["name"]) for token in results] == [
        (personal.token.token_key, personal_account, "Player 1"),
        (own.token.token_key, {"id": ada.account.pk, "name": "Ada"}, "Ada"),
    ]
    assert [token["scopes"] for token in results] == [
        ["record:write", "result:write", "tournament:read"],
        ["result:write"],
    ]
    assert results[0]["last_used_at"] is not None
    for token in results:
        created, expires = (
            datetime.fromisoformat(token[name]) for name in ("created_at", "expires_at")
        )
        assert (expires - created).days in (89, 90)
    for secret in ("@example.org", personal.secret, own.secret, own.token.digest):
        assert secret not in response.content.decode()


def test_a_player_with_a_closed_account_gets_no_token(
    organiser: Person, ada: Person, event: Event
) -> None:
    (entry,) = event.enter(player_of(ada))
    assert ada.account is not None
    close_account(ada.account, by=ada.account)

    problem_in(organiser.post(f"{event.path}/entries/{entry.pk}/token"), 409, "account_inactive")
    assert not Token.objects.filter(user=ada.account).exists()


def test_who_sees_and_revokes_the_tokens_of_an_event(
    everyone: dict[str, Person], organiser: Person, ada: Person, event: Event, personal: Person
) -> None:
    event.enter(player_of(ada))
    director = make_person("Dina")
    Role.objects.create(stream=event.stream, account=director.account, role=Role.Name.DIRECTOR)
    other_owner = make_person("Omar")
    make_event(other_owner, slug="autumn")
    people = {
        "director": director,
        "owner of another event": other_owner,
        "personal token": personal,
        "owner, with a token of another event": organiser.with_token(
            *SCOPES, stream="tournament/autumn"
        ),
        **everyone,
    }
    denied = dict.fromkeys(people, 403) | {"anonymous": 401}
    path = f"{event.path}/tokens"

    assert statuses(people, "GET", path) == denied | {"organiser": 200}
    reader = organiser.with_token(*(set(SCOPES) - {"tournament:write"}))
    assert reader.get(path).status_code == 200
    revoke = f"{path}/{personal.token.token_key}"
    problem_in(reader.delete(revoke), 403, "scope_missing")
    people.pop("organiser")
    assert statuses(people, "DELETE", revoke) == {name: denied[name] for name in people}
    assert personal.get("me").status_code == 200


def test_a_revoked_token_is_401_and_the_journal_says_who_revoked_it(
    organiser: Person, event: Event, personal: Person
) -> None:
    path = f"{event.path}/tokens/{personal.token.token_key}"

    assert organiser.delete(f"{path}?dry_run=1").status_code == 200
    assert personal.get("me").status_code == 200
    assert organiser.delete(path).status_code == 204

    problem_in(personal.get("me"), 401)
    problem_in(organiser.delete(path), 404, "not_found")
    line = JournalLine.objects.filter(stream=event.stream).order_by("sequence").last()
    assert (line.kind, line.actor) == ("token.revoked", f"account/{organiser.account.pk}")
    assert personal.secret not in str(line.payload.body)


@pytest.mark.parametrize("stream", ["", "tournament/autumn"])
def test_the_owner_revokes_no_token_that_is_not_of_the_event(
    organiser: Person, stranger: Person, event: Event, stream: str
) -> None:
    other = stranger.with_token("result:write", stream=stream)

    problem_in(organiser.delete(f"{event.path}/tokens/{other.token.token_key}"), 404)

    assert other.get("me").status_code == 200


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_four_queries(
    organiser: Person, event: Event, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for entry in event.enter(*make_players(count)):
        organiser.post(f"{event.path}/entries/{entry.pk}/token")

    with django_assert_num_queries(4):  # the token, the event, the role in it, the page
        assert len(organiser.get(f"{event.path}/tokens").json()["results"]) == count


@pytest.mark.parametrize("is_staff", [False, True])
def test_an_issued_token_is_the_player_s_and_never_an_official_s(
    organiser: Person, ada: Person, ben: Person, *, is_staff: bool
) -> None:
    event = make_published(organiser, ada, ben)
    owned = {"stream": event.stream, "account": ada.account, "role": Role.Name.OWNER}
    if is_staff:
        ada.account.is_staff = True
        ada.account.save()
        add_second_factor(ada.account)
    else:
        Role.objects.create(**owned)
    entry = event.tournament.entries.get(player=player_of(ada))
    secret = organiser.post(f"{event.path}/entries/{entry.pk}/token").json()["token"]
    issued = Person("Ada", ada.account, None, secret)
    (game,) = event.games()
    ruling = {"result": "1-0", "termination": "forfeit", "reason": "absent"}
    assert ada.get(f"{event.path}/tokens").status_code == 200

    problem_in(issued.get(f"{event.path}/tokens"), 403, "role_missing")
    problem_in(issued.post(f"games/{game.pk}/rule", ruling), 403, "role_missing")
    assert issued.get(f"games/{game.pk}/reports").status_code == 200
    assert (
        issued.post(f"games/{game.pk}/reports", {"claim": {"result": "11-10"}}).status_code == 202
    )
