"""Each journalled column of an event that is changed behind the journal's back is named."""

from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from games.models import Claim, Game, Merge, Player, Report
from games.models.columns import columns_of
from games.models.time_controls import TimeControl
from games.play.proposals import answer_proposal, propose_game
from games.play.services import annul_game, rule_game, state_claim, submit
from games.rules.records.tags import read_conditions
from games.rules.seat import Seat
from ratings.handicaps.services import add_table
from ratings.lists import queries as lists
from ratings.lists.services import publish_list
from ratings.models import ListedRating, TableRow, TableVersion
from ratings.pools.services import (
    add_officer,
    create_pool,
    decide_event,
    decide_organiser,
    edit_pool,
)
from ratings.runs.services import advance_pool
from ratings.runs.verification import pool_querysets
from tests.events import FIRST_WINS, Event, make_event, make_players, settle
from tests.people import Person, make_player, player_of
from tournament.core.violations import HandPairing
from tournament.entries.byes import request_bye
from tournament.entries.links import create_links, revoke_link
from tournament.entries.services import change_entry_state, enter_player
from tournament.events.verification import event_querysets, verify_stream
from tournament.models import Bye, Entry, Pairing
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
    change = {"game": boards.reverse()[0].game_id, "result": "0-1"}
    body = {"scope": "standings", "reason": "read wrongly", "changes": [change]}
    preview = organiser.post(f"{event.path}/corrections/preview", body).json()
    answer = organiser.post(f"{event.path}/corrections", body | {"digest": preview["digest"]})
    assert answer.status_code in (200, 202), answer.content
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


def other_values(row: models.Model, field: Any) -> Iterator[Any]:
    """Yield values of a column that differ from that of the row."""
    value = getattr(row, field.attname)
    if field.is_relation:
        others = field.related_model._base_manager.exclude(pk=value)
        yield from others.values_list("pk", flat=True)[:40]
        if field.null and value is not None:
            yield None
    elif isinstance(field, models.JSONField):
        forged = (["forged"], {"forged": True}) if field.default is list else ({"forged": True},)
        yield from forged
    elif isinstance(field, models.BooleanField):
        yield not value
    elif isinstance(field, models.DateTimeField):
        yield (value or row_time(row)) + timedelta(hours=1)
    elif isinstance(field, models.DateField):
        yield from (date(2026, 5, 2), date(2026, 4, 30), date(2027, 1, 1))
    elif isinstance(field, models.TimeField):
        yield time(23, 59)
    elif isinstance(field, models.IntegerField):
        yield from (number for number in (1, 2, 7777, None) if number != value)
    else:
        yield from (text for text in ("x", "forged") if text != value)


def row_time(row: models.Model) -> datetime:
    return datetime.fromisoformat("2026-05-01T10:00:00+00:00")


def forge(row: models.Model, name: str) -> bool:
    """Change a column of a row by an UPDATE to a value that its table takes."""
    field: Any = row._meta.get_field(name)
    for value in other_values(row, field):
        try:
            with transaction.atomic():
                type(row)._base_manager.filter(pk=row.pk).update(**{field.attname: value})
                return True
        except IntegrityError:
            continue
    return False


def changes_not_named(
    querysets: Iterable[Any], verify: Callable[[], list[str]], part: str = "journalled"
) -> tuple[list[str], list[str]]:
    """Return the columns whose change `verify` does not name, and the models without rows."""
    missed, without_rows, before = [], [], verify()
    for rows in querysets:
        model = rows.model
        if not rows.exists():
            without_rows.append(model.__name__)
        for name in getattr(columns_of(model), part):
            with transaction.atomic():
                was_forged = any(forge(row, name) for row in rows.order_by("pk")[:20])
                if not was_forged or verify() == before:
                    missed.append(f"{model.__name__}.{name}")
                transaction.set_rollback(True)
    return missed, without_rows


def test_each_change_of_an_event_is_named(organiser: Person) -> None:
    event = play_rich_event(organiser)
    make_player("Mallory")
    assert verify_stream(event.stream) == []

    found = changes_not_named(event_querysets(event.stream), lambda: verify_stream(event.stream))

    assert found == ([], [])


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
    Game.objects.create(first=mallory, second=player_of(ben), game="hex", board="11")
    stream = f"game/{game.pk}"
    assert verify_stream(stream) == []

    found = changes_not_named(
        [Game.objects.filter(pk=game.pk), Report.objects.all()], lambda: verify_stream(stream)
    )

    assert found == ([], [])


def test_each_change_of_a_pool_is_named(
    organiser: Person, officer: Person, staff: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "PROVISIONAL_BELOW", 1)
    pool = create_pool(
        code="hex",
        name="Hex",
        preset="decay",
        parameters={},
        casual_games=["hex"],
        by=staff.account,
    )
    edit_pool(pool, {"least_expected": 10, "policy": "open"}, by=staff.account)
    add_officer(pool, officer.account, by=staff.account)
    decide_organiser(pool, organiser.account, approved=True, reason="", by=officer.account)
    decide_event(pool, "tournament/x", approved=False, reason="unknown", by=officer.account)
    row = {"first_move": 1, "first_stone": 2, "further_stone": 3, "point": 4}
    for reason in ("better", "better still"):
        add_table(pool, {("star-star", "10"): row}, reason=reason, by=officer.account)
    event = make_event(organiser, pool="hex", game="hex", board="11", rounds=1)
    event.enter(*make_players(2))
    event.step("open", "start").play(1, "1-0")
    event.step("review", "finalise")
    advance_pool(pool.pk)
    publish_list(pool, now=timezone.now(), by=officer.account)
    assert verify_stream("pool/hex") == []
    TableVersion.objects.create(version="v9")

    querysets = [*pool_querysets("pool/hex"), TableVersion.objects.all(), TableRow.objects.all()]
    found = changes_not_named(querysets, lambda: verify_stream("pool/hex"))
    assert found == ([], [])
    make_player("Mallory")
    listed = [ListedRating.objects.all()]
    found = changes_not_named(listed, lambda: verify_stream("pool/hex"), "derived")
    assert found == ([], [])


def test_each_change_of_a_player_is_named(ada: Person, staff: Person) -> None:
    registered = [
        staff.post("players", {"name": name, "country": "POR"}).json()["id"]
        for name in ("Dora", "Dora B.", "Eve")
    ]
    staff.patch(f"players/{registered[2]}", {"club": "Porto"})
    Player.objects.filter(account=ada.account).delete()
    ada.post("claims", {"player": registered[0]})
    claim = Claim.objects.get()
    accept_claim(claim, reason="known", by=staff.account)
    staff.post("merges", {"keep": registered[0], "merge": registered[1]})
    assert verify_stream("site") == []

    found = changes_not_named(
        [Player.objects.all(), Claim.objects.all(), Merge.objects.all()],
        lambda: verify_stream("site"),
    )

    assert found == ([], [])
