"""Each column that is changed behind the journal's back is named by a verification.

The cases follow from the declarations of the models: each column that is journalled, or derived, or
technical without a reason below.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from io import StringIO
from itertools import islice, product
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ObjectDoesNotExist
from django.core.management import CommandError, call_command
from django.db import DataError, IntegrityError, connection, models, transaction
from django.utils import timezone

from games.core.journal.lines import append_line, find_stored_errors, load_lines
from games.core.journal.rows import changed_rows
from games.models import (
    Account,
    Claim,
    Game,
    HiddenName,
    JournalHead,
    JournalLine,
    JournalPayload,
    Merge,
    Player,
    Report,
    Role,
)
from games.models.columns import APPS, columns_of
from games.models.time_controls import TimeControl
from games.play.proposals import answer_proposal, propose_game
from games.play.services import annul_game, rule_game, state_claim, submit
from games.rules.records.tags import read_conditions
from games.rules.seat import Seat
from ratings.batches.services import restore_batch, withdraw_batch
from ratings.handicaps.services import add_table
from ratings.lists import queries as lists
from ratings.lists.services import publish_list
from ratings.models import (
    Batch,
    BatchGame,
    Change,
    Decision,
    ListedRating,
    Opening,
    Pool,
    PublishedList,
    Rating,
    Run,
    RunRating,
    TableRow,
    TableVersion,
)
from ratings.pools.services import (
    add_officer,
    create_pool,
    decide_event,
    decide_organiser,
    edit_pool,
)
from ratings.runs.services import advance_pool
from tests.deploy.documentation import page
from tests.events import FIRST_WINS, Event, make_event, make_players, settle
from tests.games.core.forging import other_json
from tests.people import Person, make_person, make_player, player_of
from tournament.core.violations import HandPairing
from tournament.entries.byes import request_bye
from tournament.entries.links import create_links, revoke_link
from tournament.entries.services import change_entry_state, enter_player
from tournament.events.verification import (
    compare_with_journal,
    event_querysets,
    find_streams,
    verify_stream,
)
from tournament.exchange.bundle import import_bundle
from tournament.exchange.bundle_file import write_bundle
from tournament.models import (
    Bye,
    Certificate,
    Correction,
    Entry,
    Pairing,
    PersonalLink,
    Round,
    Tournament,
)
from tournament.players.claims import accept_claim
from tournament.rounds.by_hand import change_boards
from tournament.rounds.pairing import pair_round
from tournament.rounds.services import publish_round, schedule_round, unpair_round

pytestmark = pytest.mark.django_db


def play_rich_event(organiser: Person) -> Event:
    """Play an event with a row of each kind: byes, disputes, hand pairings, corrections, links."""
    event = make_event(organiser, pool="star", rounds=3, system="dutch", check_in="none")
    by = organiser.account
    people = [make_player(name, 1700 + 10 * n) for n, name in enumerate(("Ada", "Ben"))]
    entries = event.enter(*(player_of(person) for person in people), *make_players(5))
    event.step("open")
    create_links(event.tournament, by=by)
    revoke_link(entries[-1], by=by)
    event.step("start")
    request_bye(entries[-1], 1, Bye.Kind.HALF, by=by, reason="a late train")
    schedule_round(event.tournament, 1, event.tournament.starts_on, time(10), by=by)
    pair_round(event.tournament, 1, by=by)
    unpair_round(event.tournament, 1, reason="try again", by=by)
    games, ada = event.publish(1), player_of(people[0])
    (own,) = (game for game in games if ada.pk in (game.first_id, game.second_id))
    submit(state_claim(own, "1-0", "resigned", by=people[0].account))
    settle()
    for game in games:
        rule_game(game, by=by, reason="seen", record=FIRST_WINS)
    settle()
    assert organiser.post(f"{event.path}/rounds/1/complete").status_code == 200
    enter_player(event.tournament, make_players(1)[0], by=by, birth_year=1990, sex="w")
    change_entry_state(entries[2], Entry.State.WITHDRAWN, by=by)

    boards = Pairing.objects.filter(round__number=1, game__void=False).order_by("board_number")
    change = {"game_id": boards.reverse()[0].game_id, "result": "0-1"}
    body = {"scope": "standings", "reason": "read wrongly", "changes": [change]}
    preview = organiser.post(f"{event.path}/corrections?dry_run=1", body).json()
    answer = organiser.post(f"{event.path}/corrections", body | {"digest": preview["digest"]})
    assert answer.status_code in (201, 202), answer.content
    pair_round(event.tournament, 2, by=by)
    drafted = Pairing.objects.filter(round__number=2, kind="game").order_by("board_number")
    one, other = drafted[:2]
    by_hand = [
        HandPairing(one.first_id, other.first_id, board=one.board_number),
        HandPairing(one.second_id, other.second_id, board=other.board_number),
    ]
    change_boards(event.tournament, 2, by_hand, reason="friends", by=by)
    publish_round(event.tournament, 2, by=by, accept=["rematch", "colour", "score"])
    annul_game(event.games(2)[0], by=by, reason="never played")
    settle()
    return event


NOT_COMPARED = {
    "Tournament.application_key": "it is the secret of a link, and no line tells a secret",
    **{
        f"{name}.updated_at": "it is when the row was last written"
        for name in ("Player", "Game", "Tournament", "Entry")
    },
    "Entry.email": "it is where mails go, and no line tells an address",
    "Entry.language": "it is the language of these mails",
    "Game.attempts": "it counts the attempts of a task",
    "Game.live_version": "it counts changes of a live record, which no line tells",
    "Report.settled_at": "it is the mark of the task that settles the game",
    "Report.settled_as": "it is the result of that task",
    "Pool.created_at": "nothing is computed from it, and the first pool is created without a line",
    "Pool.verified_at": "it is when the ratings were last verified",
    "Pool.differences": "they are what that verification found",
    "Pool.compared_at": "it is when the games were last compared",
    "Pool.compared_line": "it is the line up to which nothing is looked at again",
    **{
        f"Account.{name}": "it is of a login, which belongs to this installation"
        for name in columns_of(Account).technical
    },
}
"""The columns of models with journalled or derived columns that no verification compares."""

WHAT_TO_DO = """
If no line names a column: pass `changed_rows(row)` to the journal line of each change of it. If
it follows from others: compute it again in the verification of its stream. If it belongs to this
installation only, declare it technical and give the reason in NOT_COMPARED. A change that the
scenario cannot try needs another row there."""


def other_values(row: models.Model, field: Any) -> Iterator[Any]:
    """Yield values of a column that differ from that of the row."""
    value = getattr(row, field.attname)
    if field.null and value is not None:
        yield None
    if field.is_relation:
        others = field.related_model._base_manager.exclude(pk=value).order_by("pk")
        yield from others.values_list("pk", flat=True)[:20]
    elif isinstance(field, models.JSONField):
        yield from other_json(value) if value else [{"forged": True}, ["forged"]]
    elif isinstance(field, models.BooleanField):
        yield not value
    elif isinstance(field, models.DateTimeField):
        yield (value or datetime(2026, 5, 1, 10, tzinfo=UTC)) + timedelta(hours=1)
    elif isinstance(field, models.DateField):
        yield from (day for day in (date(2026, 5, 2), date(2027, 1, 1)) if day != value)
    elif isinstance(field, models.TimeField):
        yield time(23, 59)
    elif isinstance(field, models.IntegerField):
        yield from (number for number in (1, 2, 7777) if number != value)
    elif isinstance(field, models.TextField) and value.startswith("{"):
        yield from (f"{value}\n", *map(json.dumps, other_json(json.loads(value))))
    else:
        words = [word for word, _ in field.choices or ()] or ["first", "second", "x", "forged"]
        yield from (word for word in ("", *words) if word != value)


def tried_columns(model: type[models.Model]) -> list[str]:
    """Return the columns whose changes a verification must find."""
    declared = columns_of(model)
    found = [*declared.journalled, *declared.derived, *declared.technical]
    return [
        name for name in found if name != "id" and f"{model.__name__}.{name}" not in NOT_COMPARED
    ]


Verify = Callable[[], list[str]]


def find_unseen(querysets: Iterable[Any], verify: Verify) -> list[str]:
    """Return the changes of these rows, one at a time, that `verify` does not name.

    Each column gets another value, in a row that has one if there is such a row; a row is deleted,
    and a copy is added.
    """
    before, unseen = verify(), []
    assert before == []
    for rows in querysets:
        name, found = rows.model.__name__, list(rows.order_by("pk"))
        if not found:
            unseen.append(f"{name} has no row")
            continue
        for column in tried_columns(rows.model):
            field: Any = rows.model._meta.get_field(column)
            filled = [row for row in found if getattr(row, field.attname)]
            others = [row for row in found if row not in filled]
            tried = try_column([*filled, *others], field, verify)
            if not tried:
                unseen.append(f"{name}.{column} cannot be changed")
            unseen += [f"{name}.{column} is {value}" for value, seen in tried if not seen]
        if not is_seen(partial(delete, found[0]), verify):
            unseen.append(f"{name} is deleted")
        if not is_seen(partial(add_copy, found[-1]), verify):
            unseen.append(f"{name} is added")
    return unseen


def try_column(rows: Iterable[models.Model], field: Any, verify: Verify) -> list[tuple[Any, bool]]:
    """Return other values of the first row that takes one, and whether each is seen.

    Of JSON each is tried, of other columns the first that the database takes.
    """
    most = None if isinstance(field, models.JSONField) else 1
    for row in rows:
        tried = (
            (value, is_seen(partial(update, row, field, value), verify))
            for value in other_values(row, field)
        )
        if taken := list(islice((pair for pair in tried if pair[1] is not None), most)):
            return taken
    return []


def is_seen(change: Callable[[], bool], verify: Verify) -> bool | None:
    """Return whether `verify` names a change, which is taken back; None if it is impossible."""
    with transaction.atomic():
        try:
            with transaction.atomic():
                was_made = change()
            found = bool(verify()) if was_made else None
        except (DataError, IntegrityError):
            found = None
        except ObjectDoesNotExist:  # the database refuses it at the end of the transaction
            found = True
        transaction.set_rollback(True)
    return found


def update(row: models.Model, field: Any, value: Any) -> bool:
    return bool(type(row)._base_manager.filter(pk=row.pk).update(**{field.attname: value}))


def delete(row: models.Model) -> bool:
    keys = row._meta.pk_fields
    where = " AND ".join(f"{connection.ops.quote_name(key.column)} = %s" for key in keys)
    table = connection.ops.quote_name(row._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {table} WHERE {where}", [getattr(row, key.attname) for key in keys]
        )
    return True


def add_copy(row: models.Model) -> bool:
    """Insert a copy of a row that differs, if it must, in columns that are not of its scope."""
    fields = [field for field in row._meta.concrete_fields if field.name != "id"]
    values = {field.attname: getattr(row, field.attname) for field in fields}
    scope = columns_of(type(row)).technical
    keys = [field for field in fields if field.name not in scope and is_unique(field)]
    choices = [[getattr(row, key.attname), *list(other_values(row, key))[:9]] for key in keys]
    for chosen in islice(product(*choices), 1000):
        changed = dict(zip((key.attname for key in keys), chosen, strict=True))
        with suppress(DataError, IntegrityError), transaction.atomic():
            type(row)._base_manager.bulk_create([type(row)(**values | changed)])
            return True
    return False


def is_unique(field: Any) -> bool:
    """Return True for a column of a key, or of a constraint of uniqueness."""
    meta, name = field.model._meta, field.name
    named = {
        *(one.name for one in meta.pk_fields),
        *(one for found in meta.constraints for one in getattr(found, "fields", ())),
        *(
            one.name
            for found in meta.constraints
            if isinstance(found, models.UniqueConstraint)
            for one in found.expressions
        ),
    }
    return bool(field.unique) or name in named


def require_seen(querysets: Iterable[Any], verify: Verify) -> None:
    unseen = find_unseen(querysets, verify)
    assert not unseen, "no verification finds that\n- " + "\n- ".join(unseen) + WHAT_TO_DO


def test_each_model_is_tried() -> None:
    tried = {*EVENT_MODELS, *POOL_MODELS, *SITE_MODELS}
    declared = {
        model
        for app in APPS
        for model in apps.get_app_config(app).get_models()
        if columns_of(model).journalled or columns_of(model).derived
    }
    assert tried == declared, WHAT_TO_DO
    names = {f"{model.__name__}.{name}" for model in declared for name in tried_columns(model)}
    assert names.isdisjoint(NOT_COMPARED)


def test_the_documentation_names_each_column_that_nothing_binds() -> None:
    named = page("howto/verify.md")
    missing = [
        name
        for name in (*NOT_COMPARED, "EmailLink.email", "Webhook.secret")
        if f"`{name}`" not in named and f"`{name.partition('.')[0]}.*`" not in named
    ]
    assert missing == []


EVENT_MODELS = (
    Tournament, Entry, Bye, Round, Certificate, Pairing, Correction, Game, Report,
    PersonalLink, Role,
)  # fmt: skip
POOL_MODELS = (
    Pool, Decision, Batch, BatchGame, Opening, Run, Change, Rating, RunRating, PublishedList,
    ListedRating, TableVersion, TableRow, Role,
)  # fmt: skip
SITE_MODELS = (Account, Player, Claim, Merge, HiddenName)


@pytest.mark.any_database
def test_each_change_of_an_event_is_named(organiser: Person) -> None:
    event = play_rich_event(organiser)
    other = make_event(organiser, slug="autumn", rounds=1)
    other.enter(*make_players(4))
    other.step("open", "start").publish(1)
    make_player("Mallory")

    querysets = list(event_querysets(event.stream))
    assert {rows.model for rows in querysets} == {*EVENT_MODELS}
    # The whole costs twice as much as the comparison that is a part of it.
    verify = (partial(find, event.stream) for find in (compare_with_journal, verify_with_others))
    require_seen(querysets, first_found(*verify))


def first_found(*verifications: Verify) -> Verify:
    """Return what runs these verifications until one finds something."""
    return lambda: next((found for verify in verifications if (found := verify())), [])


def verify_with_others(stream: str) -> list[str]:
    """Return what is found in a stream, and the others that have rows and no journal."""
    known = JournalHead.objects.filter(stream__in=find_streams()).values_list("stream", flat=True)
    return [
        *verify_stream(stream),
        *(find_streams() - {*known} - {"site", "pool/star", "tournament/x"}),
    ]


def test_each_change_of_a_casual_game_is_named(ada: Person, ben: Person) -> None:
    game = propose_game(
        opponent=player_of(ben).pk,
        seat=Seat.FIRST,
        conditions=read_conditions({"Game": "star-star", "Board": "4"}),
        time_control=TimeControl(5, 3),
        rated=False,
        pool="",
        by=ada.account,
    )
    answer_proposal(game, "accept", by=ben.account)
    submit(state_claim(game, "11-10", "agreed", by=ada.account))
    mallory = player_of(make_player("Mallory"))
    other = {"game": "hex", "board": "11", "stream": "tournament/x"}
    Game.objects.create(first=mallory, second=player_of(ben), **other)
    stream = f"game/{game.pk}"

    querysets = [Game.objects.filter(pk=game.pk), Report.objects.all()]
    require_seen(querysets, lambda: verify_with_others(stream))


def play_pool(preset: str, organiser: Person, officer: Person, staff: Person) -> Pool:
    """Return a pool with decisions, tables, an imported event, runs and a published list."""
    by, name = officer.account, f"{preset} pool"
    pool = create_pool(
        code="hex",
        name=name,
        preset=preset,
        parameters={},
        casual_games=["hex"],
        rated_games={"hex": ["11"]},
        by=staff.account,
    )
    edit_pool(pool, {"least_expected": 10, "policy": "open"}, by=staff.account)
    add_officer(pool, by, by=staff.account)
    decide_organiser(pool, organiser.account, approved=True, reason="", by=by)
    decide_event(pool, "tournament/x", approved=False, reason="unknown", by=by)
    row = {"first_move": 1, "first_stone": 2, "further_stone": 3, "point": 4}
    for board in ("10", "8"):
        add_table(pool, {("star-star", board): row}, reason="better", by=by)
    with transaction.atomic():
        empty = TableVersion.objects.create(version="v9")
        append_line(pool.stream, "table.added", {}, by=None, rows=changed_rows(empty))
    players = [*make_players(5), Player.objects.create(name="Unrated")]
    entered = players[:4], players
    events = [
        make_event(organiser, slug=slug, pool="hex", game="hex", board="11", rounds=1)
        for slug in ("one", "two")
    ]
    _play(events[0], entered[0])
    advance_pool(pool.pk)
    with transaction.atomic():
        _play(events[1], entered[1])
        content = write_bundle(events[1].tournament)
        transaction.set_rollback(True)
    events[1].tournament.delete()
    JournalLine.objects.filter(stream=events[1].stream).delete()
    JournalHead.objects.filter(stream=events[1].stream).delete()
    Role.objects.filter(stream=events[1].stream).delete()
    import_bundle(content, by=None)
    advance_pool(pool.pk)
    batch = pool.batches.get(stream=events[0].stream)
    withdraw_batch(batch, reason="in doubt", by=by)
    advance_pool(pool.pk)
    restore_batch(batch, reason="no doubt", by=by)
    advance_pool(pool.pk)
    publish_list(pool, now=timezone.now(), by=by)
    pool.refresh_from_db()
    return pool


def _play(event: Event, players: list[Player]) -> None:
    event.enter(*players)
    event.step("open", "start").play(1, "1-0")
    event.correct(event.games(1)[0], "annulled")
    event.step("review", "finalise")


@pytest.mark.any_database
@pytest.mark.parametrize("preset", ["decay", pytest.param("fide-2024", marks=pytest.mark.long)])
def test_each_change_of_a_pool_is_named(
    organiser: Person, officer: Person, staff: Person, monkeypatch: pytest.MonkeyPatch, preset: str
) -> None:
    monkeypatch.setattr(lists, "PROVISIONAL_BELOW", 1)
    pool = play_pool(preset, organiser, officer, staff)
    make_player("Mallory")
    ada, ben = Player.objects.order_by("pk")[:2]
    Game.objects.create(first=ada, second=ben, game="hex", board="11", stream="tournament/x")
    PublishedList.objects.create(
        pool=Pool.objects.get(code="star"), published_on=date(2026, 5, 1), run=pool.current_run
    )
    rows = {
        Pool: Pool.objects.filter(pk=pool.pk),
        Role: Role.objects.filter(stream=pool.stream),
        Decision: pool.decisions.all(),
        PublishedList: pool.published_lists.all(),
    }
    querysets = [rows.get(model, model._default_manager.all()) for model in POOL_MODELS]

    require_seen(querysets, first_found(partial(verify_with_others, pool.stream), said_of_ratings))


def said_of_ratings() -> list[str]:
    """Return what the command finds: nothing in a pool that it takes for due."""
    errors = StringIO()
    with suppress(CommandError):
        call_command("verify_ratings", stdout=StringIO(), stderr=errors)
    return errors.getvalue().splitlines()


def test_each_change_of_a_player_is_named(ada: Person, staff: Person) -> None:
    registered = [
        staff.post("players", {"name": name, "country": "POR"}).json()["id"]
        for name in ("Dora", "Dora B.", "Eve")
    ]
    staff.patch(f"players/{registered[2]}", {"club": "Porto"})
    Player.objects.filter(account=ada.account).delete()
    ada.post("claims", {"player_id": registered[0]})
    claim = Claim.objects.get()
    accept_claim(claim, reason="known", by=staff.account)
    merge = {"keep_id": registered[0], "merge_id": registered[1]}
    assert staff.post("merges", merge).status_code == 201
    hidden = staff.post(f"players/{registered[2]}/hide-name", {"reason": "a smear"})
    assert hidden.status_code == 200
    make_person("Mallory")

    querysets = [model._default_manager.all() for model in SITE_MODELS if model is not Account]
    require_seen(querysets, lambda: verify_stream("site"))


def test_each_change_of_the_staff_is_named(staff: Person) -> None:
    make_person("Mallory")
    rows = Account.objects.filter(is_staff=True)
    rows.update(email=None)  # which is unique, and technical: a copy has the same
    require_seen([rows], lambda: verify_stream("site"))

    Account.objects.filter(name="Mallory").update(is_staff=True)
    assert len(verify_stream("site")) == 1


def find_chain(stream: str) -> list[str]:
    return find_stored_errors(stream, list(load_lines(stream)))


@pytest.mark.parametrize("stream", ["site", "tournament/spring"])
def test_each_change_of_a_journal_is_named(organiser: Person, staff: Person, stream: str) -> None:
    staff.post("players", {"name": "Dora", "country": "POR"})
    staff.post("players", {"name": "Eve", "country": "POR"})
    make_event(organiser).step("open")
    tables = [
        (JournalHead.objects.filter(stream=stream), ("stream", "sequence", "digest")),
        (JournalLine.objects.filter(stream=stream), [
            "stream", "sequence", "previous", "digest", "actor", "at", "kind", "payload_digest",
            "rows_digest",
        ]),
        (JournalPayload.objects.filter(line__stream=stream), ("line", "body", "rows")),
    ]  # fmt: skip
    verify = first_found(partial(find_chain, stream), partial(verify_stream, stream))
    unseen = []
    for rows, names in tables:
        assert {*names, "id"} >= {*columns_of(rows.model).technical}
        for row in rows.order_by("pk"):
            for field in map(rows.model._meta.get_field, names):
                for value in other_values(row, field):
                    change = partial(update, row, field, value)
                    seen = is_seen(change, verify)
                    if seen is False:
                        unseen.append(f"{rows.model.__name__}.{field.name} is {value}")
    assert unseen == []
