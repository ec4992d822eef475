"""Each journalled column of an event that is changed behind the journal's back is named."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, models, transaction

from games.columns import columns_of
from games.services.reports import submit_claim
from games.services.rulings import annul_game, rule_game
from tests.events import FIRST_WINS, Event, make_event, make_players, settle
from tests.people import Person, make_player, player_of
from tournament.models import Bye, Entry, Pairing
from tournament.queries.event_rows import event_querysets
from tournament.services.boards import change_boards
from tournament.services.byes import request_bye
from tournament.services.entries import change_entry_state, enter_player
from tournament.services.links import create_links, revoke_link
from tournament.services.pairings import pair_round
from tournament.services.reversals import unpair_round
from tournament.services.rounds import publish_round, schedule_round
from tournament.services.verification import verify_tournament
from tournament.services.violations import HandPairing

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
    submit_claim(own, "1-0", "resigned", by=people[0].account)
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


def test_each_change_of_a_journalled_column_is_named(organiser: Person) -> None:
    event = play_rich_event(organiser)
    make_player("Mallory")
    assert verify_tournament(event.stream) == []

    missed, without_rows = [], []
    for rows in event_querysets(event.stream):
        model = rows.model
        if not rows.exists():
            without_rows.append(model.__name__)
        for name in columns_of(model).journalled:
            with transaction.atomic():
                was_forged = any(forge(row, name) for row in rows.order_by("pk")[:20])
                if not was_forged or verify_tournament(event.stream) == []:
                    missed.append(f"{model.__name__}.{name}")
                transaction.set_rollback(True)

    assert (missed, without_rows) == ([], [])
