"""Change single boards of a draft or of a published round; the others stay as they are.

The result is a new version of the round. It shares the games of the unchanged boards with the
version before; the games of the changed boards become void, with all their reports.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import Rows, changed_rows, combined
from games.models import Account, Game, Report
from games.rules.text import Text
from tournament.core.systems import system_of
from tournament.core.violations import BY_HAND, HandPairing, require_acceptance
from tournament.entries.numbering import store_printed_numbers
from tournament.models import Pairing, Round, Tournament
from tournament.rounds.games import create_games, games_of, update_void_games
from tournament.services.by_hand import HandDraft, draft_by_hand
from tournament.services.certificates import copy_certificate
from tournament.services.forfeits import rule_forfeits
from tournament.services.hand_handicaps import (
    check_handicaps_by_hand,
    copy_recommended,
    former_handicap,
)
from tournament.services.locking import lock_current_round
from tournament.services.versions import Draft, save_version

Place = tuple[int | None, int, int | None, str, str]
"""The board number, the entries by seat, the kind and the handicap of a pairing."""
SHARED = (
    "game_id", "return_game_id", "counted", "awarded_for", "awarded_first", "awarded_second",
    "recommended", "handicap_reason",
)  # fmt: skip
"""What an unchanged board has in both versions."""


def change_boards(
    tournament: Tournament,
    number: int,
    changes: Sequence[HandPairing],
    *,
    reason: str,
    accept: Collection[str] = (),
    by: Account,
) -> tuple[Round, HandDraft]:
    """Set the boards and byes in `changes`; a bye of a player who gets a board ends.

    Every present player must still have a game or a bye. In a published round, `accept` must name
    the rules that the round breaks then, and `game-reported` if games with reports become void.
    The handicap of two players is fixed once their game has a report; if nothing but handicaps
    changes, the round keeps its system and its certificate. Raises Unprocessable and
    Conflict.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "change_boards")
        before = {
            _place(row): row
            for row in Pairing.objects.filter(round=this_round, version=this_round.version)
        }
        check_handicaps_by_hand(tournament, changes, at="/boards")
        boards = _changed_boards(list(before.values()), changes)
        by_hand = draft_by_hand(tournament, number, boards, reason)
        _share_games(before, by_hand.draft.pairings)
        if _has_same_boards(before.values(), by_hand.draft.pairings):
            by_hand = replace(by_hand, draft=_with_former_origin(by_hand.draft, this_round))
        was_published, previous = this_round.state == Round.State.PUBLISHED, this_round.version
        if was_published:
            reported = _reported_boards(before, by_hand.draft.pairings)
            _require_free_handicaps(before.values(), by_hand.draft.pairings, reported)
            require_acceptance(by_hand.violations, accept, reported)
        payload = save_version(tournament, this_round, by_hand.draft) | by_hand.payload()
        certificates = []
        if this_round.system != BY_HAND:
            certificates = copy_certificate(this_round, previous)
        payload |= {"previous": previous, "state": this_round.state}
        rows = changed_rows(*by_hand.draft.pairings, *certificates)
        if was_published:
            published, games = _publish(tournament, this_round, by)
            payload |= published
            rows = combined(rows, games)
        rows = combined(rows, changed_rows(this_round))
        append_line(tournament.stream, "round.changed", payload, by=by, rows=rows)
    return this_round, by_hand


def _place(row: Pairing) -> Place:
    return row.board_number, row.first_id, row.second_id, row.kind, row.handicap


def _changed_boards(rows: Sequence[Pairing], changes: Sequence[HandPairing]) -> list[HandPairing]:
    """Return all boards by number, then the byes; raises Unprocessable for a wrong number."""
    named = [change.board for change in changes if change.board is not None]
    numbers = {row.board_number for row in rows if row.board_number is not None}
    highest = len(numbers | set(named))
    for index, change in enumerate(changes):
        if named.count(change.board or 0) > 1 or (change.board or 0) > max([highest, *numbers]):
            detail = Text(
                "board %(board)s is named twice, or is not the next number", board=change.board
            )
            raise Unprocessable("wrong_board", detail, at=f"/boards/{index}/board")
    former = {(row.first_id, row.second_id): row for row in rows}
    changes = [
        former_handicap(change, former, at=f"/boards/{index}/handicap")
        for index, change in enumerate(changes)
    ]
    moved = {entry for change in changes for entry in (change.first, change.second)}
    unchanged = [
        HandPairing(
            row.first_id, row.second_id, Pairing.Kind(row.kind), row.board_number, row.handicap
        )
        for row in rows
        if row.board_number not in named and not {row.first_id, row.second_id} - {None} <= moved
    ]
    boards = [*unchanged, *changes]
    return sorted(boards, key=lambda board: (board.board is None, board.board or 0))


def _share_games(before: Mapping[Place, Pairing], rows: Sequence[Pairing]) -> None:
    """Give the unchanged boards their games and awarded points, and others what is frozen."""
    former = {(row.first_id, row.second_id): row for row in before.values()}
    for row in rows:
        copy_recommended(row, former)
        old = before.get(_place(row))
        for name in SHARED if old else ():
            setattr(row, name, getattr(old, name))


def _has_same_boards(before: Iterable[Pairing], rows: Iterable[Pairing]) -> bool:
    """Return True if nothing but handicaps is different."""
    return {_place(row)[:-1] for row in before} == {_place(row)[:-1] for row in rows}


def _with_former_origin(draft: Draft, this_round: Round) -> Draft:
    """Return a draft that the same system or person paired as the version before."""
    return replace(
        draft,
        system=this_round.system,
        reason=this_round.reason,
        notes=this_round.notes,
        relaxed=this_round.relaxed,
    )


def _reported_boards(before: Mapping[Place, Pairing], rows: Sequence[Pairing]) -> list[int]:
    """Return the changed boards with a game that has reports and is not annulled."""
    unchanged = {_place(row) for row in rows}
    changed = [row for place, row in before.items() if place not in unchanged]
    games = {
        game: row.board_number or 0
        for row in changed
        for game in (row.game_id, row.return_game_id)
        if game is not None
    }
    reports = Report.objects.filter(game__in=games).exclude(game__state=Game.State.ANNULLED)
    return sorted({games[game] for game in reports.values_list("game", flat=True)})


def _require_free_handicaps(
    before: Iterable[Pairing], rows: Sequence[Pairing], reported: Sequence[int]
) -> None:
    """Raise Conflict if the handicap of two players changes though their game has a report."""
    handicaps = {(row.first_id, row.second_id): row.handicap for row in rows}
    for row in before:
        handicap = handicaps.get((row.first_id, row.second_id), row.handicap)
        if row.board_number in reported and handicap != row.handicap:
            detail = Text(
                "the game at board %(board)s has a report; its handicap stays "
                "%(handicap)s unless the game is annulled",
                board=row.board_number,
                handicap=row.handicap or "none",
            )
            raise Conflict("handicap_fixed", detail, board=row.board_number)


def _publish(tournament: Tournament, this_round: Round, by: Account) -> tuple[dict[str, Any], Rows]:
    """Create the games of the changed boards; return what the journal has of all games."""
    this_round.state = Round.State.PUBLISHED
    this_round.save(update_fields=["state"])
    rows = this_round.pairings.filter(version=this_round.version, kind=Pairing.Kind.GAME)
    pairings = list(rows.order_by("board_number").select_related("first", "second"))
    new = [pairing for pairing in pairings if pairing.game_id is None]
    create_games(tournament, this_round, new, at=timezone.now())
    void = update_void_games(this_round)
    if system_of(tournament).has_schedule:
        rule_forfeits(tournament, this_round.number, new, by=by)
    printed = store_printed_numbers(tournament)
    payload = {
        "state": this_round.state,
        "games": [pairing.game_id for pairing in pairings],
        "return_games": [pairing.return_game_id for pairing in pairings],
    }
    return payload, combined(void, printed, changed_rows(*new, *games_of(new)))
