"""Queries that are compiled once find what Django's own find, with as many statements."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F
from django.db.models.functions import Upper
from django.db.transaction import TransactionManagementError

from games.compiled_queries import CompiledQuery, count_rows, refresh_row
from games.models import Game, Player
from tests.cases import each_case

NAMES = ("Ada", "Ben", "\t0", "O'Neil %s", "")


@pytest.fixture
def players(db: None) -> list[Player]:
    return Player.objects.bulk_create(Player(name=name, country="POR") for name in NAMES)


def players_named(name: str) -> Any:
    return Player.objects.filter(name=name, country="POR").annotate(same=F("name"))


@pytest.mark.parametrize("name", [*NAMES, "Cleo"])
def test_it_finds_what_django_finds(players: list[Player], name: str) -> None:
    query = CompiledQuery(players_named, str)

    for _ in range(2):
        found = query.rows(name)
        assert [vars(player) | {"_state": None} for player in found] == [
            vars(player) | {"_state": None} for player in players_named(name)
        ]
        assert query.first(name) == players_named(name).first()
    assert all(not player._state.adding and player._state.db == "default" for player in found)


def test_a_column(players: list[Player]) -> None:
    query = CompiledQuery(
        lambda key, country: (
            Player.objects.filter(pk__lte=key, country=country)
            .order_by("pk")
            .values_list("name", flat=True)
        ),
        int,
        str,
    )

    assert query.rows(players[1].pk, "POR") == ["Ada", "Ben"]
    assert query.rows(players[2].pk, "POR") == ["Ada", "Ben", "\t0"]
    assert query.rows(players[2].pk, "ESP") == []


def test_columns(players: list[Player]) -> None:
    query = CompiledQuery(
        lambda name: players_named(name).values_list(Upper("name"), "pk", "same", "country"), str
    )

    assert query.rows("Ada") == [("ADA", players[0].pk, "Ada", "POR")]


@each_case("key", [0, -1, 2**31, 2**63 - 1, 2**63, 10**30])
def test_a_number_that_no_row_has(players: list[Player], key: int) -> None:
    query = CompiledQuery(lambda pk: Player.objects.filter(pk=pk), int)
    small = CompiledQuery(lambda year: Player.objects.filter(birth_year=year), int)

    assert query.first(players[0].pk) == players[0]
    assert (query.first(key), small.first(key)) == (None, None)


def test_related_rows_are_loaded(players: list[Player], django_assert_num_queries: Any) -> None:
    ada, ben, *_ = players
    game = Game.objects.create(
        first=ada, second=ben, game="star-star", board="4", created_at="2026-05-01T10:00Z"
    )
    query = CompiledQuery(
        lambda pk: Game.objects.select_related("first", "second", "record").filter(pk=pk), int
    )

    for _ in range(2):
        with django_assert_num_queries(1):
            found = query.first(game.pk)
            assert found is not None
            assert (found.first.name, found.second.name, found.record) == ("Ada", "Ben", None)
    assert found.created_at == Game.objects.get().created_at


@pytest.mark.django_db(transaction=True)
def test_a_row_is_locked_in_a_transaction_only() -> None:
    player = Player.objects.create(name="Ada")
    query = CompiledQuery(lambda pk: Player.objects.select_for_update().filter(pk=pk), int)

    with transaction.atomic():
        assert query.first(player.pk) == player
    with pytest.raises(TransactionManagementError):
        query.first(player.pk)


def test_a_value_that_is_not_compared_as_stated(db: None) -> None:
    query = CompiledQuery(lambda name: Player.objects.filter(name__startswith=name), str)

    with pytest.raises(ValueError, match="other values"):
        query.first("A")


def test_a_time_and_a_count(players: list[Player]) -> None:
    at = datetime(2026, 5, 1, 10, 30, 0, 250, tzinfo=UTC)
    for days, player in enumerate(players):
        Player.objects.filter(pk=player.pk).update(created_at=at + timedelta(days=days))

    def created_since(since: Any) -> Any:
        return Player.objects.filter(created_at__gte=since).order_by("pk")

    query = CompiledQuery(created_since, datetime)
    count = CompiledQuery(lambda since: count_rows(created_since(since)), datetime)
    for days in (-1, 0, 3, 5):
        since = (at + timedelta(days=days)).astimezone(timezone(timedelta(hours=5)))
        assert query.rows(since) == list(created_since(since)) == players[max(days, 0) :]
        assert count.only(since) == created_since(since).count()


def test_a_row_is_read_again(players: list[Player], django_assert_num_queries: Any) -> None:
    ada, ben, cleo, *_ = players
    Player.objects.filter(pk=ada.pk).update(name="Ada L.", club="X", merged_into=ben)
    assert ada.merged_into is None

    with django_assert_num_queries(2):
        refresh_row(ada, "name", "merged_into_id")
        assert (ada.name, ada.club, ada.merged_into) == ("Ada L.", "", ben)
    Player.objects.filter(pk=ben.pk).update(name="Benno")
    refresh_row(ada, "merged_into")
    assert ada.merged_into is not None
    assert ada.merged_into.name == "Benno"
    Player.objects.filter(pk=ada.pk).update(merged_into=cleo)
    refresh_row(ada)
    assert (ada.club, ada.merged_into) == ("X", cleo)
    Player.objects.filter(pk=ada.pk).delete()
    with pytest.raises(Player.DoesNotExist):
        refresh_row(ada)
