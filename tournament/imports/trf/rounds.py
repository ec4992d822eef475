"""Create the rounds of a TRF file, with their boards and byes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from itertools import islice
from typing import Any

from django.utils import timezone

from games.core.uploads.progress import Progress
from games.imports.bulk import insert_values
from games.models import Account, Game, Report
from games.rules.text import Text
from tournament.exchange.trf_rounds import (
    BoardRows,
    Values,
    boards_and_byes,
    build_boards,
    build_byes,
)
from tournament.imports.trf.entries import Entries
from tournament.models import Pairing, Round, Tournament
from tournament.models.rounds import IMPORTED
from tournament.trf import TrfFile

ADJOURNED = str(Report.Kind.ADJOURNMENT)


def create_rounds(
    tournament: Tournament,
    document: TrfFile,
    entries: Entries,
    *,
    by: Account,
    reason: str,
    progress: Progress,
) -> list[Values]:
    """Create every round of a file; return the rounds with their boards for the journal.

    A round with results is complete; a round that is paired but not played is published, with open
    games. Board numbers follow the lower pairing number of each board.
    """
    now = timezone.now()
    table = document.crosstable
    ruling = build_ruling(by, reason, now)
    boards: list[BoardRows] = []
    byes: list[Values] = []
    rounds: list[Round] = []
    for number in range(1, table.rounds + 1):
        progress(Text("writing rounds"), number - 1, table.rounds)
        paired, unpaired = boards_and_byes(document, number)
        this_round = _build_round(document, number, reason, now, is_paired=bool(paired or unpaired))
        this_round.tournament = tournament
        this_round.save()
        rounds.append(this_round)
        boards += build_boards(this_round, paired, entries, table.points, ruling)
        byes += build_byes(this_round, unpaired, entries, table.points)

    games = [game for board in boards for game in board.games]
    keys = insert_values(
        Game, [game.game for game in games], step=Text("writing games"), progress=progress
    )
    reports = [
        game.report | {"game_id": key} for game, key in zip(games, keys, strict=True) if game.report
    ]
    insert_values(Report, reports, step=Text("writing results"), progress=progress)
    columns = ("game_id", "return_game_id")
    next_key = iter(keys)
    pairings = [
        board.pairing | dict(zip(columns, islice(next_key, len(board.games)), strict=False))
        for board in boards
    ]
    pairings += byes
    insert_values(Pairing, pairings, step=Text("writing pairings"), progress=progress)
    outcomes = {
        key: _outcome_of(game.game) for game, key in zip(games, keys, strict=True) if game.report
    }
    by_round: dict[int, list[Values]] = defaultdict(list)
    for pairing in pairings:
        by_round[pairing["round_id"]].append(pairing)
    return [_round_payload(row, by_round[row.pk], outcomes) for row in rounds]


def build_ruling(by: Account, reason: str, at: datetime) -> Report:
    """Return the ruling that the results of a file are copies of; it has no outcome yet."""
    return Report(
        version=1, kind=Report.Kind.RULING, by=by, reason=reason, received_at=at, settled_at=at
    )


def _round_payload(
    this_round: Round, pairings: Sequence[Values], outcomes: Mapping[int, list[Any] | str]
) -> Values:
    """Return a round for the journal: each board with its game, its outcome and its award.

    If a board has a return game, it and its outcome follow.
    """
    return {
        "round": this_round.number,
        "state": this_round.state,
        "version": this_round.version,
        "system": this_round.system,
        "reason": this_round.reason,
        "starts_on": this_round.starts_on.isoformat() if this_round.starts_on else None,
        "boards": [
            [
                row["board_number"], row["first_id"], row["second_id"], row["kind"],
                row["game_id"], outcomes.get(row["game_id"]), _award_of(row),
                *_return_game(row, outcomes),
            ]
            for row in pairings
        ],
    }  # fmt: skip


def _outcome_of(game: Values) -> list[Any] | str:
    """Return the outcome of a ruled game, or `adjournment`."""
    if game["adjourned"]:
        return ADJOURNED
    return [game["winner"], game["draw"], game["termination"]]


def _return_game(row: Values, outcomes: Mapping[int, list[Any] | str]) -> list[Any]:
    game = row["return_game_id"]
    return [] if game is None else [game, outcomes.get(game)]


def _award_of(row: Values) -> list[Any] | None:
    names = ("awarded_for", "awarded_first", "awarded_second")
    return [row[name] for name in names] if row["awarded_for"] else None


def _build_round(
    document: TrfFile, number: int, reason: str, at: datetime, *, is_paired: bool
) -> Round:
    is_complete = number <= document.crosstable.completed
    this_round = Round(number=number, starts_on=_parse_date(document.header.round_dates, number))
    if is_paired:
        this_round.state, this_round.published_at = Round.State.PUBLISHED, at
        this_round.version, this_round.system, this_round.reason = 1, IMPORTED, reason
    if is_complete:
        this_round.state, this_round.completed_at = Round.State.COMPLETE, at
    return this_round


def _parse_date(dates: Sequence[str], number: int) -> date | None:
    """Return the date of a round, written as `26/05/15`, or None."""
    parts = dates[number - 1].split("/") if number <= len(dates) else []
    try:
        year, month, day = map(int, parts)
        return date(2000 + year, month, day)
    except ValueError:
        return None
