"""Load the pairings of a round, and the progress of their explanation."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any, TypedDict

from django.db.models import F, Q, QuerySet

from games.queries import rows_as_dicts
from ratings.systems.recommendation import explain_recommendation
from tournament.core.queries import FINISHED_ROUND_STATES, current_pairings
from tournament.models import Pairing, Round, Tournament
from tournament.queries.result_texts import awarded_text, points_text, result_of_row

PAIRED_GAME_COLUMNS = (
    "game_id", "game__state", "game__basis", "game__winner", "game__draw", "game__score_first",
    "game__score_second", "game__termination", "game__adjourned",
)  # fmt: skip


class PairedPlayer(TypedDict):
    """A player in a pairing, in the API's JSON; entry and player are ids."""

    entry: int
    pairing_number: int
    player: int
    name: str


class AppliedHandicap(TypedDict):
    """The handicap of a pairing and who chose it, in the API's JSON."""

    handicap: str | None
    by_hand: bool
    reason: str


class ReturnGame(TypedDict):
    """The second game of a pairing, with exchanged seats, in the API's JSON."""

    game: int
    state: str
    basis: str | None
    result: str | None
    termination: str | None
    adjourned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPairing:
    """A pairing with its result; a bye has no board, no second player and no game.

    A draft has no games either. If the event has two games in each pairing, `return_game` is the
    second one, whose result is by its own seats, and `points` are those of both games, by the seats
    of the pairing. In an event with handicaps, `recommended` is the one of its table, if both
    players have a rating, and `applied` that of the game.
    """

    board: int | None
    kind: str
    by_hand: bool
    first: PairedPlayer
    second: PairedPlayer | None
    game: int | None = None
    state: str | None = None
    basis: str | None = None
    result: str | None = None
    termination: str | None = None
    adjourned: bool = False
    return_game: ReturnGame | None = None
    points: str | None = None
    recommended: dict[str, Any] | None = None
    applied: AppliedHandicap | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the pairing in the API's JSON."""
        return dict(zip(self.__slots__, _values_of(self), strict=True))


_values_of = attrgetter(*RoundPairing.__slots__)


def load_pairings(
    tournament: Tournament, this_round: Round, *, boards: int | None = None
) -> list[RoundPairing]:
    """Load the pairings of a round's version: by board, then the byes by pairing number.

    With a number of `boards`, load only those up to it.
    """
    has_two = tournament.games_per_pairing == 2
    found = this_round.pairings.filter(version=this_round.version)
    if boards is not None:
        found = found.filter(board_number__lte=boards)
    rows = _pairing_rows(found, has_two)
    return [_pairing(tournament, row, has_two=has_two) for row in rows]


def load_pairings_of(tournament: Tournament, entry: int) -> list[tuple[int, RoundPairing]]:
    """Load the pairings of an entry in the published rounds, with the number of the round."""
    own = current_pairings(tournament).filter(
        Q(first=entry) | Q(second=entry),
        round__state__in=(*FINISHED_ROUND_STATES, Round.State.PUBLISHED),
    )
    has_two = tournament.games_per_pairing == 2
    rows = [
        (row["round__number"], _pairing(tournament, row, has_two=has_two))
        for row in _pairing_rows(own, has_two)
    ]
    return sorted(rows, key=itemgetter(0))


def _pairing_rows(found: "QuerySet[Pairing]", has_two: bool) -> "QuerySet[Pairing, dict[str, Any]]":
    """Return the query of pairings by board, then the byes by pairing number.

    `has_two` adds the columns of the return game.
    """
    return found.order_by(
        F("board_number").asc(nulls_last=True), "first__pairing_number"
    ).values(
        "round__number",
        "board_number", "kind", "by_hand", "first_id", "first__pairing_number", "first__player_id",
        "first__player__name", "second_id",
        "second__pairing_number", "second__player_id",
        "second__player__name", "awarded_for", "awarded_first", "awarded_second",
        "handicap", "handicap_reason", "recommended", *PAIRED_GAME_COLUMNS,
        *([f"return_{column}" for column in PAIRED_GAME_COLUMNS] if has_two else []),
    )  # fmt: skip


def _pairing(tournament: Tournament, row: dict[str, Any], *, has_two: bool) -> RoundPairing:
    return RoundPairing(
        board=row["board_number"],
        kind=row["kind"],
        by_hand=row["by_hand"],
        first=_player(row, "first"),
        second=None if row["second_id"] is None else _player(row, "second"),
        game=row["game_id"],
        state=row["game__state"],
        basis=row["game__basis"] or None,
        result=(None if has_two else awarded_text(tournament, row)) or result_of_row(row),
        termination=row["game__termination"] or None,
        adjourned=bool(row["game__adjourned"]),
        return_game=_return_game(row) if has_two else None,
        points=points_text(row) if has_two else None,
        recommended=_recommended_as_json(row["recommended"]),
        applied=_applied_handicap(tournament, row),
    )


def pairings_as_json(tournament: Tournament, this_round: Round) -> dict[str, Any]:
    """Return a round with its current pairings by board, byes last."""
    return _round_as_json(this_round, load_pairings(tournament, this_round))


def draft_as_json(
    tournament: Tournament, this_round: Round, pairings: Sequence[Pairing]
) -> dict[str, Any]:
    """Return a round with pairings that are not stored, as `pairings_as_json` does."""
    rows = rows_as_dicts(
        tournament.entries.all(), "pk", "pairing_number", "player_id", "player__name"
    )
    players = {
        row["pk"]: PairedPlayer(
            entry=row["pk"],
            pairing_number=row["pairing_number"],
            player=row["player_id"],
            name=row["player__name"],
        )
        for row in rows
    }
    drafted = [
        RoundPairing(
            board=pairing.board_number,
            kind=pairing.kind,
            by_hand=pairing.by_hand,
            first=players[pairing.first_id],
            second=None if pairing.second_id is None else players[pairing.second_id],
            recommended=_recommended_as_json(pairing.recommended),
            applied=_applied_handicap(tournament, vars(pairing)),
        )
        for pairing in pairings
    ]
    # Boards come in their order; the byes follow them by pairing number.
    drafted.sort(key=lambda p: (p.board is None, p.board or p.first["pairing_number"]))
    return _round_as_json(this_round, drafted)


def _round_as_json(this_round: Round, pairings: Sequence[RoundPairing]) -> dict[str, Any]:
    return {
        **({"notes": this_round.notes} if this_round.notes else {}),
        "round": this_round.number,
        "state": this_round.state,
        "starts_on": this_round.starts_on,
        "starts_at": this_round.starts_at,
        "system": this_round.system,
        "reason": this_round.reason,
        "relaxed": this_round.relaxed,
        "pairings": [pairing.as_json() for pairing in pairings],
    }


def _player(row: dict[str, Any], seat: str) -> PairedPlayer:
    return PairedPlayer(
        entry=row[f"{seat}_id"],
        pairing_number=row[f"{seat}__pairing_number"],
        player=row[f"{seat}__player_id"],
        name=row[f"{seat}__player__name"],
    )


def _applied_handicap(tournament: Tournament, row: dict[str, Any]) -> AppliedHandicap | None:
    """Return the handicap of a row; None for a bye, and in an event without handicaps."""
    if tournament.handicaps == Tournament.Handicaps.NONE or row["second_id"] is None:
        return None
    by_hand = bool(row["handicap_reason"])
    is_recommended = tournament.handicaps == Tournament.Handicaps.RECOMMENDED and not by_hand
    recommended = _recommended_as_json(row["recommended"]) if is_recommended else None
    return AppliedHandicap(
        handicap=row["handicap"] or None,
        by_hand=by_hand,
        reason=row["handicap_reason"] or (recommended or {}).get("reason", ""),
    )


def _recommended_as_json(stored: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return a recommended handicap with its reason."""
    if stored is None:
        return None
    reason = explain_recommendation(
        share=stored["share"],
        basis=stored["basis"],
        difference=stored["opponent_rating"] - stored["rating"],
        value=stored["value"],
        version=stored["table"],
    )
    return {name: value for name, value in stored.items() if name != "share"} | {"reason": reason}


def _return_game(row: dict[str, Any]) -> ReturnGame | None:
    if row["return_game_id"] is None:
        return None
    return ReturnGame(
        game=row["return_game_id"],
        state=row["return_game__state"],
        basis=row["return_game__basis"] or None,
        result=result_of_row(row, "return_game"),
        termination=row["return_game__termination"] or None,
        adjourned=row["return_game__adjourned"],
    )
