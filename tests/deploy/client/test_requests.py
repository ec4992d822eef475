"""The Python client against the service: types, pages, problems, tags, keys."""

import asyncio
import ssl
from collections.abc import Callable
from typing import Any, cast

import pytest

from deploy.client import AsyncClient, Client, Problem
from deploy.client.exchange import connection_options
from deploy.client.operations import me, players, tournaments
from deploy.client.types import TournamentRequest
from tests.events import SET_UP, make_event, make_players
from tests.people import Person, make_person

pytestmark = pytest.mark.django_db
Connect = Callable[..., Client]
NEW = cast(TournamentRequest, SET_UP | {"slug": "autumn"})


def test_an_event_is_created_and_read(connect: Connect, organiser: Person) -> None:
    with connect(organiser) as client:
        created = client.send(tournaments.create_tournament(NEW))
        assert (created.status, created.body["slug"]) == (201, "autumn")
        assert created.location == "/api/v1/tournaments/autumn"
        client.call(tournaments.open_tournament("autumn", if_match=created.etag or None))
        rows = client.call(players.import_players("name,country\nAda,POR\nBen,CAN\n"))
        assert "lines" in rows
        number = client.call(players.players(name="Ada"))["results"][0]["id"]
        entry = client.call(tournaments.enter_player("autumn", {"player": number}))
        client.call(tournaments.withdraw_entry("autumn", entry["id"]))
        table = client.call(tournaments.standings_csv("autumn"))
        assert table.startswith("rank,id,name,")
        assert client.call(tournaments.player_cards("autumn"))[:4] == b"%PDF"


def test_all_rows_of_a_list_are_read(connect: Connect, organiser: Person) -> None:
    names = [player.name for player in make_players(5)]
    with connect(organiser) as client:
        assert [row["name"] for row in client.rows(players.players(limit=2))] == names


def test_a_problem_has_its_code_and_its_errors(connect: Connect, organiser: Person) -> None:
    with connect() as stranger, pytest.raises(Problem) as caught:
        stranger.call(me.me())
    assert (caught.value.status, caught.value.code) == (401, "login_needed")
    with connect(organiser) as client, pytest.raises(Problem) as caught:
        client.call(tournaments.create_tournament(cast(Any, dict(NEW) | {"rounds": "many"})))
    assert caught.value.code == "invalid"
    assert caught.value.errors[0]["pointer"] == "/rounds"
    assert caught.value.request_id


def test_an_unchanged_object_is_not_sent_again(connect: Connect, organiser: Person) -> None:
    with connect(organiser) as client:
        make_event(organiser)
        first = client.send(tournaments.tournament("spring"))
        again = client.send(tournaments.tournament("spring", if_none_match=first.etag))
        assert (first.status, again.status, again.body) == (200, 304, None)
        changed = {"place": "Lisbon"}
        client.call(tournaments.edit_tournament("spring", cast(Any, changed), if_match=first.etag))
        with pytest.raises(Problem) as caught:
            client.call(
                tournaments.edit_tournament("spring", cast(Any, changed), if_match=first.etag)
            )
    assert (caught.value.status, caught.value.code) == (412, "stale")


def test_a_repeated_write_acts_once(connect: Connect, organiser: Person) -> None:
    operation = players.register_player({"name": "Ada"}, idempotency_key="one")
    with connect(organiser) as client:
        first, second = client.send(operation), client.send(operation)
        assert first.body == second.body
        assert second.headers["idempotent-replayed"] == "true"
        assert len(list(client.rows(players.players(name="Ada")))) == 1


@pytest.mark.django_db(transaction=True)
def test_the_asynchronous_client_does_the_same(live_server: Any) -> None:
    organiser = make_person("Olga")
    names = [player.name for player in make_players(3)]

    async def use() -> tuple[list[str], str]:
        async with AsyncClient(live_server.url, organiser.secret, trust_env=False) as client:
            found = [row["name"] async for row in client.rows(players.players(limit=2))]
            with pytest.raises(Problem) as caught:
                await client.call(tournaments.tournament("none"))
        return found, caught.value.code

    assert asyncio.run(use()) == (names, "not_found")


def test_only_a_client_that_never_needs_certificates_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("http://localhost:8000", {}, ""),
        ("HTTP://localhost", {"trust_env": False}, "http://proxy"),
        ("https://example.org", {}, ""),
        ("http://localhost", {}, "http://proxy"),
        ("http://localhost", {"follow_redirects": True}, ""),
        ("http://localhost", {"trust_env": False, "proxy": "https://proxy"}, ""),
    ]
    found = []
    for url, options, proxy in cases:
        monkeypatch.setenv("HTTPS_PROXY", proxy)
        added = connection_options(url, "", 1, options)
        found.append(added["verify"].verify_mode if "verify" in added else None)

    assert found == [ssl.CERT_REQUIRED, ssl.CERT_REQUIRED, None, None, None, None]
