"""TRF files and bundles for tests: build them, import them with and without the API."""

import io
import zipfile
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from django.db import connection, transaction

from games.core.uploads.progress import no_progress
from games.core.uploads.services import SentFile, complete_import
from games.models import Account, Game, JournalHead, JournalLine, Player, Report, Role
from games.play.services import rule_game
from games.rules.seat import Seat
from ratings.models import Batch, Change, Opening, Pool, PublishedList, Run
from ratings.runs.services import advance_pool
from tests.events import Event, make_event, make_players, settle
from tests.people import Person, make_player, player_of
from tournament.entries.byes import request_bye
from tournament.exchange.bundle_file import MEMBER
from tournament.exchange.trf import TRF_IMPORTER
from tournament.models import Bye, NameReport, Notice, Tournament
from tournament.rounds.pairing import pair_round
from tournament.rounds.services import unpair_round
from tournament.standings.crosstable import Competitor, Crosstable, Kind, RoundResult
from tournament.trf import TrfFile, TrfHeader

TRF_ADDRESS = "tournaments/import?ruleset=star-star&board_size=10"
HEADER = TrfHeader(name="Random Open", start="2026/05/01", end="2026/05/03")
ADA = Competitor(number=1, name="Ada", rating=1900, federation="POR", fide_id="1234567")
NAMESAKE = Competitor(number=2, name="Ada", rating=1800, federation="POR")
PROOF = '[Game "star-star"]\n[Board "4"]\n1. S20 T10 2. A10 R10 3. *10 S10 agreed 11-10'
EMPTIED = (
    Change, Opening, PublishedList, Run, Batch, Tournament, Report, Game, JournalLine,
    JournalHead, Player, NameReport, Notice,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ImportedTrf:
    """The tournament of a TRF file and the differences that the import lists."""

    tournament: Tournament
    rounds: list[dict[str, Any]]
    ranks: list[dict[str, Any]]
    left_out: list[str]


def import_trf(content: bytes | str, *, by: Account, **settings: Any) -> ImportedTrf:
    """Import a file without the API, by default as an event of *Star with ten rings."""
    parameters = {"ruleset": "star-star", "board_size": "10"} | settings
    data = content.encode() if isinstance(content, str) else content
    sent = SentFile(content=data, by=by, parameters=parameters)
    read = TRF_IMPORTER.read(sent, no_progress)
    with transaction.atomic():
        saved = TRF_IMPORTER.save(sent, read, no_progress)
    body = complete_import(TRF_IMPORTER, sent, read, saved).body
    tournament = Tournament.objects.get(slug=body["tournament"]["slug"])
    return ImportedTrf(tournament, body["rounds"], body["ranks"], body["left_out"])


def post_trf(person: Person, content: bytes | str, query: str = "") -> dict[str, Any]:
    """Import a file by the API and return the answer."""
    body = content.encode() if isinstance(content, str) else content
    answer = person.post(TRF_ADDRESS + query, body, content_type="text/plain")
    assert answer.status_code in (200, 201), answer.content
    return dict(answer.json())


def two_players(first: Competitor, second: Competitor, rounds: int = 1) -> TrfFile:
    """Return an event of two players and one game, won by the first seat."""
    players = (
        replace(first, number=1, results=(RoundResult(Kind.WIN, 2, Seat.FIRST),)),
        replace(second, number=2, results=(RoundResult(Kind.LOSS, 1, Seat.SECOND),)),
    )
    return TrfFile(crosstable=Crosstable(players=players, rounds=rounds), header=HEADER)


def final_event(organiser: Person) -> Event:
    """Play a final, rated event: proofs, rulings, a requested bye, a pairing bye, an old draft."""
    event = make_event(organiser, pool="star", rounds=2)
    people = [make_player(name, 1500 + 10 * n) for n, name in enumerate(("Ada", "Ben"))]
    event.enter(*(player_of(person) for person in people), *make_players(4))
    event.step("open", "start")
    entry = event.tournament.entries.order_by("pairing_number").last()
    request_bye(entry, 1, Bye.Kind.HALF, by=organiser.account, reason="a late train")
    pair_round(event.tournament, 1, by=organiser.account)
    unpair_round(event.tournament, 1, reason="try again", by=organiser.account)
    for game in event.publish(1):
        rule_game(game, by=organiser.account, reason="seen", record=PROOF)
    settle()
    assert organiser.post(f"{event.path}/rounds/1/complete").status_code == 200
    event.play(2)
    event.step("review", "finalise")
    advance_pool(Pool.objects.get(code="star").pk)
    return event


def empty_tables() -> None:
    """Delete all players, games and tournaments, as in an empty installation."""
    Pool.objects.update(current_run=None)
    Role.objects.filter(stream__startswith="tournament/").delete()
    with transaction.atomic(), connection.cursor() as cursor:
        for model in emptied_models():  # to delete its objects takes ten times as long
            cursor.execute(f'DELETE FROM "{model._meta.db_table}"')


@cache
def emptied_models() -> list[Any]:
    """Return the models whose tables are emptied: also those that always refer to another."""
    models: list[Any] = list(EMPTIED)
    for model in models:
        owned = [each for each in model._meta.related_objects if not each.field.null]
        models += {each.related_model for each in owned}.difference(models)
    return models


def zip_of(text: bytes, name: str = MEMBER) -> bytes:
    """Return a zip file with one member."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return content.getvalue()


@cache
def zip_bomb() -> bytes:
    """Return a small zip file with a member of 65 MiB."""
    return zip_of(b"0" * (65 * 1024 * 1024))


def without_ids(value: Any) -> Any:
    """Return JSON without the ids of rows, which another installation chooses for itself."""
    if isinstance(value, list):
        return [without_ids(item) for item in value]
    if not isinstance(value, dict):
        return value
    ids = ("id", "entry", "player", "game", "game_id")
    return {
        name: without_ids(item)
        for name, item in value.items()
        if not (name in ids and isinstance(item, int))
    }
