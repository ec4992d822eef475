"""`insert_rows` and `insert_values` store the same rows as `bulk_create`."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import Model

from games.imports.bulk import insert_rows, insert_values
from games.models import Game, Player, Report
from tests.people import Person
from tournament.models import Tournament

AT = datetime(2026, 5, 1, 12, 30, 5, 123456, tzinfo=UTC)

PLAYERS: list[dict[str, Any]] = [
    {"name": "Ada", "created_at": AT},
    {"name": "Ágnes Nemes Nagy", "country": "HUN", "seed_rating": 2100},
    {"name": "'); DROP TABLE x; --%s", "external_ids": {"fide": "1", "odd": [None, 1.5, "é%s"]}},
    {"name": "Ada", "seed_rating": 0, "external_ids": {}},
] * 200
"""More rows than one statement inserts."""


def stored(model: type[Model], *without: str) -> list[dict[str, Any]]:
    columns = (field.attname for field in model._meta.concrete_fields)
    names = [name for name in columns if name not in ("id", *without)]
    return list(model._default_manager.order_by("pk").values(*names))


@pytest.mark.django_db
def test_players_are_equal_to_those_of_bulk_create() -> None:
    Player.objects.bulk_create([Player(**fields) for fields in PLAYERS])
    expected = stored(Player, "created_at")
    Player.objects.all().delete()

    rows = [Player(**fields) for fields in PLAYERS]
    insert_rows(rows)

    assert stored(Player, "created_at") == expected
    by_id = Player.objects.in_bulk([row.pk for row in rows])
    assert [row.name for row in rows] == [by_id[row.pk].name for row in rows]
    assert not any(row._state.adding for row in rows)


@pytest.mark.django_db
def test_games_and_their_reports_are_equal_to_those_of_bulk_create(organiser: Person) -> None:
    first, second = Player.objects.bulk_create([Player(name="Ada"), Player(name="Bo")])
    common = {"stream": "tournament/x", "game": "hex", "first": first, "second": second}

    def games() -> list[Game]:
        plain = Game(**common, board="11")
        full = Game(
            **common, board="5", options=["a"], swap=False, rated=True, played_on=date(2026, 5, 1),
            state=Game.State.CONFIRMED, winner="first", score_first=True, score_second=-1,
            confirmed_at=AT,
        )  # fmt: skip
        return [plain, full]

    def reports(of: list[Game]) -> list[Report]:
        outcome = {"winner": None, "detail": {"é": [1, 1.5, True]}}
        common = {"version": 1, "kind": Report.Kind.RULING, "by": organiser.account}
        return [
            Report(game=game, outcome=outcome if game.winner else {}, received_at=AT, **common)
            for game in of
        ]

    Report.objects.bulk_create(reports(Game.objects.bulk_create(games())))
    expected = stored(Game, "created_at"), stored(Report, "game_id")
    Game.objects.all().delete()

    new = games()
    insert_rows(new)
    insert_rows(reports(new))

    assert (stored(Game, "created_at"), stored(Report, "game_id")) == expected
    linked = Report.objects.order_by("pk").values_list("game_id", flat=True)
    assert list(linked) == [game.pk for game in new]


@pytest.mark.django_db
def test_copies_of_one_row_differ_in_the_values_replaced() -> None:
    ids = {"a": [1]}
    template = Player(name="Ada", seed_rating=1900, external_ids=ids, created_at=AT)
    other = {"external_ids": {"a": [True]}, "country": "POR"}

    keys = insert_values(Player, [vars(template), vars(template) | other] * 300)

    rows = Player.objects.in_bulk(keys)
    assert len(rows) == 600
    stored_values = [(rows[key].country, str(rows[key].external_ids)) for key in keys]
    assert stored_values == [("", "{'a': [1]}"), ("POR", "{'a': [True]}")] * 300
    assert {(row.name, row.seed_rating, row.created_at) for row in rows.values()} == {
        ("Ada", 1900, AT)
    }


@pytest.mark.django_db
def test_rows_with_equal_values_only_are_inserted() -> None:
    assert len(set(insert_values(Player, [vars(Player(name="Ada"))] * 700))) == 700


@pytest.mark.django_db
def test_the_time_of_the_change_is_set(organiser: Person) -> None:
    days = {"starts_on": date(2026, 5, 1), "ends_on": date(2026, 5, 2)}
    rows = [Tournament(name=slug, slug=slug, rounds=3, **days) for slug in ("a", "b")]
    insert_rows(rows)
    assert all(row.changed_at for row in Tournament.objects.all())


@pytest.mark.django_db
def test_given_ids_are_used_and_must_be_free() -> None:
    insert_rows([Player(pk=number, name=f"Player {number}") for number in (70, 5)])
    assert list(Player.objects.order_by("pk").values_list("pk", "name")) == [
        (5, "Player 5"),
        (70, "Player 70"),
    ]
    with pytest.raises(IntegrityError), transaction.atomic():
        insert_rows([Player(pk=6, name="new"), Player(pk=5, name="taken")])
    assert Player.objects.count() == 2


@pytest.mark.django_db
def test_progress_is_reported() -> None:
    steps: list[tuple[str, int, int]] = []
    insert_rows([Player(name="Ada")] * 0, step="none", progress=lambda *step: steps.append(step))
    insert_rows(
        [Player(name="Ada") for _ in range(1000)],
        step="writing",
        progress=lambda *step: steps.append(step),
    )
    assert [{step for step, _, _ in steps}, {of for _, _, of in steps}] == [{"writing"}, {1000}]
    assert [done for _, done, _ in steps] == sorted({done for _, done, _ in steps})
    assert len(steps) > 1


@pytest.mark.django_db
@pytest.mark.skipif(
    connection.vendor == "sqlite", reason="SQLite does not limit the length of text"
)
def test_text_that_is_too_long_is_rejected_not_truncated() -> None:
    with pytest.raises(DataError), transaction.atomic():
        insert_rows([Player(name="x" * 1000), Player(name="short")])
    assert not Player.objects.exists()
