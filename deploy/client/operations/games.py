"""Requests below `/games`. Written by `make schema`; do not edit."""

from __future__ import annotations

from typing import Any, Literal

from .. import types
from ..operation import Listing, Operation, path_of


def games(
    *,
    basis: Literal["agreement", "proof", "ruling"] | None = None,
    board: str | None = None,
    cursor: str | None = None,
    event: str | None = None,
    game: str | None = None,
    limit: int | None = None,
    order: Literal["oldest", "newest"] | None = None,
    player: Any = None,
    pool: str | None = None,
    rated: bool | None = None,
    round: str | None = None,
    state: Literal[
        "annulled",
        "cancelled",
        "confirmed",
        "declined",
        "disputed",
        "expired",
        "open",
        "proposed",
        "waiting",
    ]
    | None = None,
    stream: str | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedGameList, types.Game]:
    """The games that the account may see, oldest first."""
    return Listing(
        "GET",
        "/games",
        query={
            "basis": basis,
            "board": board,
            "cursor": cursor,
            "event": event,
            "game": game,
            "limit": limit,
            "order": order,
            "player": player,
            "pool": pool,
            "rated": rated,
            "round": round,
            "state": state,
            "stream": stream,
        },
        headers={"If-None-Match": if_none_match},
    )


def propose_game(
    body: types.ProposalRequest, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.GameWithActions]:
    """Propose a casual game to another player, as the player of one's own account."""
    return Operation(
        "POST",
        "/games",
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def game(game_id: int, *, if_none_match: str | None = None) -> Operation[types.GameWithActions]:
    """Return a game: its players, its conditions, its result, and its allowed actions."""
    return Operation(
        "GET",
        path_of("/games/{game_id}", game_id=game_id),
        headers={"If-None-Match": if_none_match},
    )


def accept_game(
    game_id: int, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.GameWithActions]:
    """Accept or decline a proposed game, or cancel one's own proposal."""
    return Operation(
        "POST",
        path_of("/games/{game_id}/accept", game_id=game_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )


def adjourn_game(
    game_id: int,
    body: types.ArbiterReasonRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.ReportAccepted]:
    """Adjourn a game that is to be continued; its earlier reports do not count any more."""
    return Operation(
        "POST",
        path_of("/games/{game_id}/adjourn", game_id=game_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        body=body,
        takes_key=True,
    )


def annul_game(
    game_id: int,
    body: types.ArbiterReasonRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.ReportAccepted]:
    """Annul a game: it counts for nothing, and its reports stay."""
    return Operation(
        "POST",
        path_of("/games/{game_id}/annul", game_id=game_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        body=body,
        takes_key=True,
    )


def cancel_game(
    game_id: int, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.GameWithActions]:
    """Accept or decline a proposed game, or cancel one's own proposal."""
    return Operation(
        "POST",
        path_of("/games/{game_id}/cancel", game_id=game_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )


def confirm_game(
    game_id: int,
    body: types.ConfirmationRequestRequest | None = None,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.ReportAccepted]:
    """Confirm the other side's last report."""
    return Operation(
        "POST",
        path_of("/games/{game_id}/confirm", game_id=game_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def decline_game(
    game_id: int, *, dry_run: bool | None = None, idempotency_key: str | None = None
) -> Operation[types.GameWithActions]:
    """Accept or decline a proposed game, or cancel one's own proposal."""
    return Operation(
        "POST",
        path_of("/games/{game_id}/decline", game_id=game_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        takes_key=True,
    )


def dispute_game(
    game_id: int,
    body: types.DisputeRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.ReportAccepted]:
    """Dispute the other side's last report, with a reason."""
    return Operation(
        "POST",
        path_of("/games/{game_id}/dispute", game_id=game_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        takes_key=True,
    )


def game_ratings(
    game_id: str, *, if_none_match: str | None = None
) -> Operation[list[types.GameRating]]:
    """Return the state of a game in each pool: `pending`, `rated`, or `excluded` and why."""
    return Operation(
        "GET",
        path_of("/games/{game_id}/ratings", game_id=game_id),
        headers={"If-None-Match": if_none_match},
    )


def game_record(game_id: str, *, if_none_match: str | None = None) -> Operation[dict[str, Any]]:
    """Return the record that proves the result, as text (`.txt`) or JSON (`.json`)."""
    return Operation(
        "GET",
        path_of("/games/{game_id}/record", game_id=game_id),
        headers={"If-None-Match": if_none_match},
    )


def game_record_json(
    game_id: str, *, if_none_match: str | None = None
) -> Operation[dict[str, Any]]:
    """Return the record that proves the result, as text (`.txt`) or JSON (`.json`)."""
    return Operation(
        "GET",
        path_of("/games/{game_id}/record.json", game_id=game_id),
        headers={"If-None-Match": if_none_match},
    )


def record_picture(
    game_id: str,
    *,
    names: Literal["0", "1"] | None = None,
    numbers: Literal["0", "1"] | None = None,
    ply: int | None = None,
    if_none_match: str | None = None,
) -> Operation[str]:
    """Return the position after some or all plies of the record, as SVG."""
    return Operation(
        "GET",
        path_of("/games/{game_id}/record.svg", game_id=game_id),
        query={"names": names, "numbers": numbers, "ply": ply},
        headers={"If-None-Match": if_none_match},
    )


def game_record_txt(game_id: str, *, if_none_match: str | None = None) -> Operation[str]:
    """Return the record that proves the result, as text (`.txt`) or JSON (`.json`)."""
    return Operation(
        "GET",
        path_of("/games/{game_id}/record.txt", game_id=game_id),
        headers={"If-None-Match": if_none_match},
    )


def game_reports(
    game_id: int,
    *,
    cursor: str | None = None,
    limit: int | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedReportList, types.Report]:
    """The reports of a game, oldest first, for its players and for the event's officials."""
    return Listing(
        "GET",
        path_of("/games/{game_id}/reports", game_id=game_id),
        query={"cursor": cursor, "limit": limit},
        headers={"If-None-Match": if_none_match},
    )


def report_game(
    game_id: int,
    body: types.ReportRequestRequest | str,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.ReportAccepted]:
    """Report one's own game by its record or by a claim."""
    return Operation(
        "POST",
        path_of("/games/{game_id}/reports", game_id=game_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        content_type="text/plain" if isinstance(body, str) else "",
        takes_key=True,
    )


def rule_game(
    game_id: int,
    body: types.RulingRequestRequest,
    *,
    dry_run: bool | None = None,
    idempotency_key: str | None = None,
    if_match: str | None = None,
) -> Operation[types.ReportAccepted]:
    """Give a game a result as an arbiter, whatever the sides reported; also a forfeit."""
    return Operation(
        "POST",
        path_of("/games/{game_id}/rule", game_id=game_id),
        query={"dry_run": dry_run},
        headers={"Idempotency-Key": idempotency_key, "If-Match": if_match},
        body=body,
        takes_key=True,
    )


def import_games(
    body: str | bytes,
    *,
    dry_run: bool | None = None,
    pool: str | None = None,
    idempotency_key: str | None = None,
) -> Operation[types.ImportedGames | types.ImportAccepted]:
    """Import casual games from their records, all or none; for officers of the pool, and staff."""
    return Operation(
        "POST",
        "/games/import",
        query={"dry_run": dry_run, "pool": pool},
        headers={"Idempotency-Key": idempotency_key},
        body=body,
        content_type="text/plain",
        takes_key=True,
    )


def next_moves(
    *,
    board: str | None = None,
    game: str | None = None,
    handicap_stones: int | None = None,
    moves: str | None = None,
    options: str | None = None,
    swap: Literal["no", "yes"] | None = None,
    if_none_match: str | None = None,
) -> Operation[types.NextMoves]:
    """Return the turns that follow some first turns in public games, the most frequent first."""
    return Operation(
        "GET",
        "/games/next-moves",
        query={
            "board": board,
            "game": game,
            "handicap_stones": handicap_stones,
            "moves": moves,
            "options": options,
            "swap": swap,
        },
        headers={"If-None-Match": if_none_match},
    )


def search_games(
    *,
    board: str | None = None,
    cursor: str | None = None,
    event: str | None = None,
    exact: Literal["", "region"] | None = None,
    exchange: bool | None = None,
    game: str | None = None,
    handicap_stones: int | None = None,
    limit: int | None = None,
    min_rating: Any = None,
    moves: str | None = None,
    options: str | None = None,
    player: Any = None,
    pool: str | None = None,
    rated: bool | None = None,
    result: Literal["draw", "first", "second"] | None = None,
    round: str | None = None,
    since: str | None = None,
    stones: str | None = None,
    stream: str | None = None,
    swap: Literal["no", "yes"] | None = None,
    if_none_match: str | None = None,
) -> Listing[types.PaginatedFoundGameList, types.FoundGame]:
    """Confirmed games with a record, newest first, that begin with `moves` or contain `stones`."""
    return Listing(
        "GET",
        "/games/search",
        query={
            "board": board,
            "cursor": cursor,
            "event": event,
            "exact": exact,
            "exchange": exchange,
            "game": game,
            "handicap_stones": handicap_stones,
            "limit": limit,
            "min_rating": min_rating,
            "moves": moves,
            "options": options,
            "player": player,
            "pool": pool,
            "rated": rated,
            "result": result,
            "round": round,
            "since": since,
            "stones": stones,
            "stream": stream,
            "swap": swap,
        },
        headers={"If-None-Match": if_none_match},
    )
