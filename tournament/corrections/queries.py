"""The corrections of an event, and what each did, for the API."""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, TypedDict

from django.db.models import Q, QuerySet
from msgspec import Meta

from games.core.journal.lines import SYSTEM
from games.models import Player
from games.play.queries import result_text
from tournament.core.queries import current_pairings
from tournament.core.references import NumberedEntry, numbered_references
from tournament.entries.services import PRIVATE_VALUES
from tournament.models import Correction, Round, Tournament
from tournament.rounds.advances import Stored, describe_advances


def load_corrections(tournament: Tournament) -> "QuerySet[Correction]":
    """Return the corrections of an event, oldest first."""
    corrections = Correction.objects.filter(tournament=tournament)
    return corrections.select_related("undoes", "undone_by").order_by("number")


def correction_as_json(correction: Correction) -> dict[str, Any]:
    """Return a correction for a list, without what it did."""
    undone_by = getattr(correction, "undone_by", None)
    return {
        "number": correction.number,
        "scope": correction.scope,
        "reason": correction.reason,
        "by": SYSTEM if correction.by_id is None else f"account/{correction.by_id}",
        "committed_at": correction.committed_at,
        "undoes": correction.undoes and correction.undoes.number,
        "undone_by": undone_by and undone_by.number,
    }


def correction_with_effect(
    tournament: Tournament, correction: Correction, *, is_official: bool
) -> dict[str, Any]:
    """Return a correction with its changes and its effect; three queries."""
    described = describe_effect(
        tournament, correction.changes, correction.effect, is_official=is_official
    )
    return correction_as_json(correction) | described


def describe_corrections(
    tournament: Tournament, corrections: Iterable[Correction]
) -> list[dict[str, Any]]:
    """Return corrections for everybody, with names for the ids in their changes; one query."""
    entries = _load_entries(tournament)
    return [
        correction_as_json(row)
        | {
            "counts_for": row.get_scope_display(),
            "leaders": _leaders(row.effect, entries),
            "prizes": _with_entries(row.effect["prizes"], entries),
            "changes": [
                described
                for change in row.changes
                if (described := _change_as_json(change, entries, is_official=False))
            ],
        }
        for row in corrections
    ]


def _leaders(
    effect: Stored, entries: Mapping[int, NumberedEntry]
) -> list[list[NumberedEntry]] | None:
    """Return who was first in the standings before and after; None if it is not stored (0.2.0)."""
    if "leaders" not in effect:
        return None
    return [_known(leaders, entries) for leaders in effect["leaders"]]


def describe_effect(
    tournament: Tournament,
    changes: list[dict[str, Any]],
    effect: Stored,
    *,
    is_official: bool,
) -> dict[str, Any]:
    """Return changes and an effect with names for ids.

    Those who are not officials see neither personal values nor rounds that are not published.
    """
    unpublished = tournament.round_set.filter(published_at__isnull=True)
    hidden = set() if is_official else set(unpublished.values_list("number", flat=True))
    ids = {row["player"] for pool in effect["ratings"] for row in pool["players"]}
    names = dict(Player.objects.filter(pk__in=ids).values_list("pk", "name"))
    entries = _load_entries(tournament)
    return describe_stored(changes, effect, entries, names, hidden, is_official=is_official)


def describe_stored(
    changes: list[dict[str, Any]],
    effect: Stored,
    entries: Mapping[int, NumberedEntry],
    names: Mapping[int, str],
    hidden: Collection[int] = (),
    *,
    is_official: bool,
) -> dict[str, Any]:
    """Return changes and an effect with these entries and names of players for their ids.

    Left out are the rounds that are `hidden`, and entries and players that are not given.
    """
    advances = effect["advances"]
    return {
        "changes": [
            described
            for change in changes
            if (described := _change_as_json(change, entries, is_official=is_official))
        ],
        "effect": {
            "standings": _with_entries(effect["standings"], entries),
            "leaders": _leaders(effect, entries),
            "rounds": [
                round_as_json(row, entries)
                for row in effect["rounds"]
                if row["round"] not in hidden
            ],
            "prizes": _with_entries(effect["prizes"], entries),
            "ratings": [_ratings_as_json(pool, names) for pool in effect["ratings"]],
            "advances": _advances_as_json(advances, entries)
            if advances and advances["round"] not in hidden
            else None,
        },
    }


def _advances_as_json(stored: Stored, entries: Mapping[int, NumberedEntry]) -> Stored:
    shown = {name: stored.get(name, []) for name in ("round", "paired", "due", "tied")}
    names = {
        row["number"]: row["player"]["name"]
        for row in entries.values()
        if row["number"] is not None
    }
    return {**shown, "detail": describe_advances(stored, names)}


def _load_entries(tournament: Tournament) -> dict[int, NumberedEntry]:
    return {row["id"]: row for row in numbered_references(tournament)}


def _with_entries(
    rows: list[dict[str, Any]], entries: Mapping[int, NumberedEntry]
) -> list[dict[str, Any]]:
    return [row | {"entry": entries[row["entry"]]} for row in rows if row["entry"] in entries]


def _change_as_json(
    change: Stored, entries: Mapping[int, NumberedEntry], *, is_official: bool
) -> dict[str, Any] | None:
    """Return a change; None if the caller may see nothing of it."""
    if "game" in change:
        return {
            "game": change["game"],
            "round": change["round"],
            "board": change["board"],
            "first": entries.get(change["first"]),
            "second": entries.get(change["second"]),
            "before": _result_as_json(change["before"]),
            "after": _result_as_json(change["after"]),
        }
    entry = entries.get(change["entry"])
    if entry is None:
        return None
    if "bye" in change:
        return {"entry": entry, "round": change["round"], "bye": change["bye"]}
    before, after = (
        {
            name: value or None
            for name, value in change[time].items()
            if is_official or name not in PRIVATE_VALUES
        }
        for time in ("before", "after")
    )
    return {"entry": entry, "before": before, "after": after} if after else None


def _result_as_json(values: Stored) -> dict[str, Any]:
    score = values["score"] or (None, None)
    return {
        "state": values["state"],
        "basis": values["basis"] or None,
        "result": result_text(
            values["state"], values["winner"], values["draw"], score, values["termination"]
        ),
        "termination": values["termination"] or None,
    }


def _known(
    place: Iterable[int | None], entries: Mapping[int, NumberedEntry]
) -> list[NumberedEntry]:
    """Return the players of a board or a bye."""
    return [entries[entry] for entry in place if entry is not None and entry in entries]


class ChangedBoard(TypedDict):
    """A board that the system would not pair as it is."""

    code: Annotated[str, Meta(description="opponents, bye, seats, board")]
    board: int | None
    entries: Annotated[list[NumberedEntry], Meta(description="as paired; one has a bye")]
    engine: Annotated[list[list[NumberedEntry]], Meta(description="where the system places them")]


class DueBoard(TypedDict):
    """A board that a round would have instead."""

    board: Annotated[int | None, Meta(description="null of a bye, and of corrections by 0.2.0")]
    entries: Annotated[list[NumberedEntry], Meta(description="the first seat first; one has a bye")]


class DueRound(TypedDict):
    """A round that would be paired differently."""

    round: int
    state: Annotated[Round.State, Meta(description="a draft is withdrawn, others stay as played")]
    boards: Annotated[list[ChangedBoard] | None, Meta(description="null: it could not be paired")]
    due: Annotated[list[DueBoard], Meta(description="what it would have instead")]


def round_as_json(row: Stored, entries: Mapping[int, NumberedEntry]) -> DueRound:
    """Return a round that would be paired differently, with entries for their ids."""

    def boards_as_json(board: Stored) -> ChangedBoard:
        return {
            "code": board["code"],
            "board": board["board"],
            "entries": _known(board["entries"], entries),
            "engine": [_known(place, entries) for place in board["engine"]],
        }

    boards = None if row["boards"] is None else list(map(boards_as_json, row["boards"]))
    due: list[DueBoard] = [
        {"board": board["board"], "entries": _known(board["entries"], entries)}
        for board in row.get("due") or _due_without_numbers(row["boards"] or ())
    ]
    return {"round": row["round"], "state": row["state"], "boards": boards, "due": due}


def _due_without_numbers(boards: Iterable[Stored]) -> list[dict[str, Any]]:
    """Return the boards that a round should have, of an effect of 0.2.0."""
    places = dict.fromkeys(tuple(place) for board in boards for place in board["engine"])
    return [{"board": None, "entries": place} for place in places]


def _ratings_as_json(pool: Stored, names: Mapping[int, str]) -> dict[str, Any]:
    players = [
        {**row, "player": {"id": row["player"], "name": names[row["player"]]}}
        for row in pool["players"]
        if row["player"] in names
    ]
    return {**pool, "players": players}


Place = tuple[int, int, bool]
"""The round and the board of a game, and whether it is the return game."""


def games_at(tournament: Tournament, places: Collection[Place]) -> dict[Place, int]:
    """Return the games at these places in the current pairings; places without one are left out."""
    at_places = Q(pk__in=[])
    for number, board, _ in places:
        at_places |= Q(round__number=number, board_number=board)
    rows = current_pairings(tournament).filter(at_places).select_related("round")
    found: dict[Place, int | None] = {}
    for row in rows:
        place = row.round.number, row.board_number or 0
        found[*place, False] = row.game_id
        found[*place, True] = row.return_game_id
    return {place: game for place in places if (game := found.get(place)) is not None}
