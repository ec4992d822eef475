"""The corrections of an event, and what each did, for the API."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict

from django.db.models import Q, QuerySet

from games.core.journal.lines import SYSTEM
from games.core.references import PlayerReference, absolute_url, player_reference
from games.core.uploads.tasks import Task
from games.models import Player
from games.play.queries import result_text
from tournament.core.queries import current_pairings
from tournament.core.references import NumberedEntry, numbered_references
from tournament.entries.services import PRIVATE_VALUES
from tournament.models import Correction, Round, Tournament
from tournament.pairing.differences import PairedNumbers
from tournament.rounds.advances import Stored, describe_advances


class CorrectionRow(TypedDict):
    """A correction, without what it did."""

    url: str
    number: int
    scope: Correction.Scope
    reason: str
    actor: Annotated[str, "as the journal names it: account/17, system"]
    committed_at: datetime
    undoes: Annotated[int | None, "the number of the correction it reverses"]
    undone_by: int | None


class ChangedText(TypedDict):
    """A value before and after."""

    before: str | None
    after: str | None


class ChangedNumber(TypedDict):
    """A number before and after."""

    before: int | None
    after: int | None


class CorrectedItem(TypedDict):
    """What was corrected: a game, the bye of an entry, or values of it that the caller may see."""

    game_id: NotRequired[int]
    round: NotRequired[int]
    board: NotRequired[int]
    first: NotRequired[NumberedEntry | None]
    second: NotRequired[NumberedEntry | None]
    entry: NotRequired[NumberedEntry]
    before: NotRequired[dict[str, Any]]
    after: NotRequired[Annotated[dict[str, Any], "the same members afterwards"]]
    bye: NotRequired[ChangedText]


class ChangedStanding(TypedDict):
    """An entry whose rank or values change."""

    entry: NumberedEntry
    rank: ChangedNumber
    values: Annotated[dict[str, ChangedText], "the values that change, by code"]


class Leaders(TypedDict):
    """Who has rank 1."""

    before: list[NumberedEntry]
    after: list[NumberedEntry]


class ChangedPrize(TypedDict):
    """An entry whose prize in a group changes."""

    group: str
    entry: NumberedEntry
    place: ChangedNumber
    coins: ChangedNumber


class RatedEvent(TypedDict):
    """An event whose ratings change."""

    name: str
    players: Annotated[int, "the number of players whose ratings change"]


class ChangedRating(TypedDict):
    """A player whose rating changes."""

    player: PlayerReference
    before: Annotated[float | None, "null: unrated"]
    after: float | None


class ChangedRatings(TypedDict):
    """The ratings of a pool with which the event is filed."""

    pool: str
    tournaments: Annotated[list[RatedEvent], "this and later ones, in order"]
    players: list[ChangedRating]


class AdvancesInWords(TypedDict):
    """The first round of a bracket with wrong players."""

    round: int
    paired: Annotated[list[PairedNumbers], "boards that should not be"]
    due: Annotated[list[PairedNumbers], "boards that it should have instead"]
    tied: Annotated[list[PairedNumbers], "players whose tie is decided before"]
    detail: str


class ChangedBoard(TypedDict):
    """A board that the system would not pair as it is."""

    code: Annotated[str, "opponents, bye, seats, board"]
    board: int | None
    entries: Annotated[list[NumberedEntry], "as paired; one has a bye"]
    engine: Annotated[list[list[NumberedEntry]], "where the system places them"]


class DueBoard(TypedDict):
    """A board that a round would have instead."""

    board: Annotated[int | None, "null of a bye, and of corrections by 0.2.0"]
    entries: Annotated[list[NumberedEntry], "the first seat first; one has a bye"]


class DueRound(TypedDict):
    """A round that would be paired differently."""

    round: int
    state: Annotated[Round.State, "a draft is withdrawn, others stay as played"]
    boards: Annotated[list[ChangedBoard] | None, "null: it could not be paired"]
    due: Annotated[list[DueBoard], "what it would have instead"]


class CorrectionEffect(TypedDict):
    """What a correction does."""

    standings: list[ChangedStanding]
    leaders: Annotated[Leaders | None, "null of corrections by version 0.2.0"]
    rounds: list[DueRound]
    prizes: list[ChangedPrize]
    ratings: list[ChangedRatings]
    advances: AdvancesInWords | None


class DescribedEffect(TypedDict):
    """What was corrected, and what follows."""

    changes: list[CorrectedItem]
    effect: CorrectionEffect


class CorrectionDetails(CorrectionRow, DescribedEffect):
    """A correction and what it did."""


class CommittedCorrection(CorrectionDetails):
    """A correction that is made; of a rated event, with the task that computes the ratings."""

    task: NotRequired[Task]


class CorrectionPreview(DescribedEffect):
    """The effect that a correction would have, and the digest to commit it."""

    digest: str


def load_corrections(tournament: Tournament) -> "QuerySet[Correction]":
    """Return the corrections of an event, oldest first."""
    corrections = Correction.objects.filter(tournament=tournament)
    return corrections.select_related("undoes", "undone_by").order_by("number")


def correction_as_json(tournament: Tournament, correction: Correction) -> CorrectionRow:
    """Return a correction for a list, without what it did."""
    undone_by = getattr(correction, "undone_by", None)
    return {
        "url": absolute_url(f"tournaments/{tournament.slug}/corrections/{correction.number}"),
        "number": correction.number,
        "scope": Correction.Scope(correction.scope),
        "reason": correction.reason,
        "actor": SYSTEM if correction.by_id is None else f"account/{correction.by_id}",
        "committed_at": correction.committed_at,
        "undoes": correction.undoes.number if correction.undoes else None,
        "undone_by": undone_by and undone_by.number,
    }


def correction_with_effect(
    tournament: Tournament, correction: Correction, *, is_official: bool
) -> CorrectionDetails:
    """Return a correction with its changes and its effect; three queries."""
    described = describe_effect(
        tournament, correction.changes, correction.effect, is_official=is_official
    )
    return {**correction_as_json(tournament, correction), **described}


def describe_corrections(
    tournament: Tournament, corrections: Iterable[Correction]
) -> list[dict[str, Any]]:
    """Return corrections for everybody, with names for the ids in their changes; one query."""
    entries = _load_entries(tournament)
    return [
        {
            **correction_as_json(tournament, row),
            "counts_for": row.get_scope_display(),
            "leaders": _leaders(row.effect, entries),
            "prizes": _prizes_as_json(row.effect["prizes"], entries),
            "changes": [
                described
                for change in row.changes
                if (described := _change_as_json(change, entries, is_official=False))
            ],
        }
        for row in corrections
    ]


def _leaders(effect: Stored, entries: Mapping[int, NumberedEntry]) -> Leaders | None:
    """Return who was first in the standings before and after; None if it is not stored (0.2.0)."""
    if "leaders" not in effect:
        return None
    before, after = (_known(leaders, entries) for leaders in effect["leaders"])
    return {"before": before, "after": after}


def describe_effect(
    tournament: Tournament, changes: list[dict[str, Any]], effect: Stored, *, is_official: bool
) -> DescribedEffect:
    """Return changes and an effect with names for ids.

    Those who are not officials see neither personal values nor rounds that are not published.
    """
    unpublished = tournament.round_set.filter(published_at__isnull=True)
    hidden = set() if is_official else set(unpublished.values_list("number", flat=True))
    ids = {row["player"] for pool in effect["ratings"] for row in pool["players"]}
    players = {player.pk: player_reference(player) for player in Player.objects.filter(pk__in=ids)}
    entries = _load_entries(tournament)
    return describe_stored(changes, effect, entries, players, hidden, is_official=is_official)


def describe_stored(
    changes: list[dict[str, Any]],
    effect: Stored,
    entries: Mapping[int, NumberedEntry],
    players: Mapping[int, PlayerReference],
    hidden: Collection[int] = (),
    *,
    is_official: bool,
) -> DescribedEffect:
    """Return changes and an effect with these entries and players for their ids.

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
            "standings": [
                {
                    "entry": entries[row["entry"]],
                    "rank": _pair(row["rank"]),
                    "values": {code: _pair(pair) for code, pair in row["values"].items()},
                }
                for row in effect["standings"]
                if row["entry"] in entries
            ],
            "leaders": _leaders(effect, entries),
            "rounds": [
                round_as_json(row, entries)
                for row in effect["rounds"]
                if row["round"] not in hidden
            ],
            "prizes": _prizes_as_json(effect["prizes"], entries),
            "ratings": [_ratings_as_json(pool, players) for pool in effect["ratings"]],
            "advances": _advances_as_json(advances, entries)
            if advances and advances["round"] not in hidden
            else None,
        },
    }


def _advances_as_json(stored: Stored, entries: Mapping[int, NumberedEntry]) -> AdvancesInWords:
    names = {
        row["number"]: row["player"]["name"]
        for row in entries.values()
        if row["number"] is not None
    }
    return {
        "round": stored["round"],
        "paired": stored["paired"],
        "due": stored["due"],
        "tied": stored.get("tied", []),
        "detail": describe_advances(stored, names),
    }


def _load_entries(tournament: Tournament) -> dict[int, NumberedEntry]:
    return {row["id"]: row for row in numbered_references(tournament)}


def _pair(stored: Sequence[Any]) -> Any:
    """Return a stored pair of values by its names."""
    before, after = stored
    return {"before": before, "after": after}


def _prizes_as_json(
    rows: Iterable[Stored], entries: Mapping[int, NumberedEntry]
) -> list[ChangedPrize]:
    return [
        {
            "group": row["group"],
            "entry": entries[row["entry"]],
            "place": _pair(row["place"]),
            "coins": _pair(row["coins"]),
        }
        for row in rows
        if row["entry"] in entries
    ]


def _change_as_json(
    change: Stored, entries: Mapping[int, NumberedEntry], *, is_official: bool
) -> CorrectedItem | None:
    """Return a change; None if the caller may see nothing of it."""
    if "game" in change:
        return {
            "game_id": change["game"],
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
        return {"entry": entry, "round": change["round"], "bye": _pair(change["bye"])}
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


def _ratings_as_json(pool: Stored, players: Mapping[int, PlayerReference]) -> ChangedRatings:
    return {
        "pool": pool["pool"],
        "tournaments": pool["tournaments"],
        "players": [
            {
                "player": players[row["player"]],
                "before": row["rating"][0],
                "after": row["rating"][1],
            }
            for row in pool["players"]
            if row["player"] in players
        ],
    }


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
