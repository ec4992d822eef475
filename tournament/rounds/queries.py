"""The pairings of a round with their results, their versions, and how many results are missing.

The pairings of all versions are stored. Who set a version, when, why, and what became of it is in
the journal, so that it is recorded once.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from operator import itemgetter
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict, cast

from django.db.models import Count, F, Q, QuerySet

from games.core.decimals import expected_score
from games.core.errors import NotFound
from games.core.handicaps import HANDICAP_TEXT, Handicap, handicap_as_json, handicap_in_words
from games.core.journal.lines import load_lines
from games.core.namesakes import tell_apart
from games.core.references import absolute_url
from games.core.uploads.tasks import Task
from games.models import Game, JournalLine
from games.play.queries import result_text
from games.rules.text import Text
from ratings.systems.recommendation import explain_recommendation
from tournament.core.crosstable import point_system
from tournament.core.crosstable_results import game_kinds
from tournament.core.queries import SHOWN_ROUND_STATES, UNSETTLED, current_pairings
from tournament.core.references import (
    EntryReference,
    NumberedEntry,
    entry_columns,
    entry_of,
    numbered_references,
    references_of,
)
from tournament.models import Correction, Pairing, Round, Tournament, references
from tournament.pairing.differences import StatedDifference
from tournament.pairing.findings import StatedFinding
from tournament.standings.awarded_points import result_code
from tournament.standings.crosstable import GAME_POINTS, Kind
from tournament.standings.points import format_decimal

PAIRED_GAME_COLUMNS = (
    "game_id", "game__state", "game__basis", "game__winner", "game__draw", "game__score_first",
    "game__score_second", "game__termination", "game__adjourned",
)  # fmt: skip
STATES_OF_VERSIONS = {
    "paired": Round.State.DRAFTED,
    "set_by_hand": Round.State.DRAFTED,
    "changed": Round.State.DRAFTED,
    "published": Round.State.PUBLISHED,
    "complete": Round.State.COMPLETE,
    "reopened": Round.State.PUBLISHED,
}
"""The state of a version after a line, by the second word of its kind."""
VERSION_ACTIONS = (*STATES_OF_VERSIONS, "unpaired", "restored")


class AppliedHandicap(TypedDict):
    """The handicap with which the game is played: it belongs to the conditions of the game."""

    handicap: Handicap | None
    handicap_text: Annotated[str | None, HANDICAP_TEXT]
    by_hand: Annotated[bool, "a director chose it"]
    reason: Annotated[str | None, "of the director, or the recommendation"]


class RecommendedHandicap(TypedDict):
    """What the table of handicaps gave for the two players when they were drafted.

    `entry` is the weaker player, who has the handicap; null in an imported event.
    """

    entry: NumberedEntry | None
    handicap: Handicap | None
    handicap_text: Annotated[str | None, HANDICAP_TEXT]
    rating: Annotated[float, "of the weaker player, at that time"]
    opponent_rating: float
    basis: Annotated[Literal["ratings", "scores"], "scores: of McMahon"]
    value: Annotated[int, "of the handicap to this player, in rating points"]
    table: Annotated[str, "version of the values of handicaps"]
    expected: Annotated[float, "the expected score of this player with it"]
    limited: Annotated[bool, "the difference calls for more than can be given"]
    reason: str


class ReturnGame(TypedDict):
    """The second game of a pairing, with exchanged seats; its result is by its own seats."""

    id: int
    url: str
    state: Game.State
    basis: Game.Basis | None
    result: str | None
    termination: str | None
    adjourned: bool


class PairingRow(TypedDict):
    """A pairing, or a bye, of a round."""

    board: int | None
    kind: Pairing.Kind
    by_hand: Annotated[bool, "and different from the engine's pairing"]
    first: NumberedEntry
    second: NumberedEntry | None
    game_id: Annotated[int | None, "null without a game"]
    state: Game.State | None
    basis: Game.Basis | None
    result: Annotated[str | None, "26-25, 1-0, 0-1, 1/2; a forfeit 1-0f"]
    termination: str | None
    adjourned: Annotated[bool, "to be continued; without a result so far"]
    return_game: ReturnGame | None
    points: Annotated[str | None, "of both games, as 1.5-0.5"]
    recommended: Annotated[RecommendedHandicap | None, "null: none"]
    applied: Annotated[AppliedHandicap | None, "null without handicaps"]
    reasons: NotRequired[Annotated[list[StatedFinding], "with `?explain=1`"]]


class RoundNote(TypedDict):
    """A finding of the system for players."""

    code: Annotated[str, "such as forfeit, decided, qualified"]
    entries: list[EntryReference]
    values: Annotated[dict[str, Any], "what the code says in numbers"]


STARTS_AT: Final = "with the offset of the tournament's time zone; null without a time"
RELAXED: Final = "rules that the organiser relaxed, or that a round set by hand breaks"


class RoundPairings(TypedDict):
    """A round with its pairings by board, byes last.

    `notes` are findings of the system for players; pairings set by hand have `violations` and
    `differences` from those of the engine. `entries` have the numbers that the reasons have.
    """

    round: int
    state: Round.State
    starts_on: date | None
    starts_at: Annotated[datetime | None, STARTS_AT]
    system: str | None
    reason: str | None
    notes: NotRequired[list[RoundNote]]
    relaxed: Annotated[list[str], RELAXED]
    rows: list[PairingRow]
    violations: NotRequired[list[StatedFinding]]
    differences: NotRequired[list[StatedDifference]]
    entries: NotRequired[list[EntryReference]]


class VersionPairings(RoundPairings):
    """A version of a round, with its pairings."""

    url: str
    version: int


class WaitingPairings(RoundPairings):
    """A large round, whose reasons a task computes."""

    task: Task


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPairing:
    """A pairing with its result; a bye has no board, no second player and no game.

    A draft has no games either. If the event has two games in each pairing, `return_game` is the
    second one, whose result is by its own seats, and `points` are those of both games, by the seats
    of the pairing. In an event with handicaps, `recommended` is the one of its table, if both
    players have a rating, and `applied` that of the game.
    """

    board: int | None
    kind: Pairing.Kind
    by_hand: bool
    first: NumberedEntry
    second: NumberedEntry | None
    game_id: int | None = None
    state: Game.State | None = None
    basis: Game.Basis | None = None
    result: str | None = None
    termination: str | None = None
    adjourned: bool = False
    return_game: ReturnGame | None = None
    points: str | None = None
    recommended: RecommendedHandicap | None = None
    applied: AppliedHandicap | None = None

    @property
    def games(self) -> list[int]:
        """Return the ids of the games: none, one, or two with exchanged seats."""
        second = self.return_game and self.return_game["id"]
        return [number for number in (self.game_id, second) if number is not None]

    def as_json(self) -> PairingRow:
        """Return the pairing in the API's JSON."""
        return cast("PairingRow", {name: getattr(self, name) for name in self.__slots__})


def round_url(this_round: Round) -> str:
    """Return the address of a round in the API."""
    return absolute_url(f"tournaments/{this_round.tournament.slug}/rounds/{this_round.number}")


def version_url(this_round: Round, version: int) -> str:
    """Return the address of a version of a round in the API."""
    return f"{round_url(this_round)}/versions/{version}"


def load_pairings(this_round: Round, *, boards: int | None = None) -> list[RoundPairing]:
    """Load the pairings of a round's version: by board, then the byes by pairing number.

    With a number of `boards`, load only those up to it.
    """
    tournament = this_round.tournament
    has_two = tournament.games_per_pairing == 2
    found = this_round.pairings.filter(version=this_round.version)
    if boards is not None:
        found = found.filter(board_number__lte=boards)
    rows = _pairing_rows(found, has_two)
    return [_pairing(tournament, row, has_two=has_two) for row in rows]


def load_pairings_of(
    tournament: Tournament, entry: int | None = None
) -> list[tuple[int, RoundPairing]]:
    """Load the pairings of the published rounds, with the number of the round: all, or an entry's.

    They are by round, then by board.
    """
    is_chosen = Q() if entry is None else Q(first=entry) | Q(second=entry)
    own = current_pairings(tournament).filter(is_chosen, round__state__in=SHOWN_ROUND_STATES)
    has_two = tournament.games_per_pairing == 2
    rows = [
        (row["round__number"], _pairing(tournament, row, has_two=has_two))
        for row in _pairing_rows(own, has_two)
    ]
    return sorted(rows, key=itemgetter(0))


def corrections_of(
    games: Iterable[int], by_game: Mapping[int, Sequence[Correction]]
) -> list[Correction]:
    """Return the corrections that changed any of these games by number, each once."""
    found = {row for game in games for row in by_game.get(game, ())}
    return sorted(found, key=lambda row: row.number)


def pairings_as_json(this_round: Round) -> RoundPairings:
    """Return a round with its current pairings by board, byes last."""
    return _round_as_json(this_round, load_pairings(this_round))


def draft_as_json(this_round: Round, pairings: Sequence[Pairing]) -> RoundPairings:
    """Return a round with pairings that are not stored, as `pairings_as_json` does."""
    tournament = this_round.tournament
    players = {row["id"]: row for row in numbered_references(tournament)}
    drafted = [
        RoundPairing(
            board=pairing.board_number,
            kind=Pairing.Kind(pairing.kind),
            by_hand=pairing.by_hand,
            first=players[pairing.first_id],
            second=None if pairing.second_id is None else players[pairing.second_id],
            recommended=_recommended_as_json(pairing.recommended, players),
            applied=_applied_handicap(tournament, vars(pairing)),
        )
        for pairing in pairings
    ]
    # Boards come in their order; the byes follow them by pairing number.
    drafted.sort(key=lambda p: (p.board is None, p.board or p.first["number"]))
    return _round_as_json(this_round, drafted)


def _round_as_json(this_round: Round, pairings: Sequence[RoundPairing]) -> RoundPairings:
    (notes,) = describe_notes(this_round.tournament, [this_round.notes])
    found: RoundPairings = {
        "round": this_round.number,
        "state": Round.State(this_round.state),
        "starts_on": this_round.starts_on,
        "starts_at": this_round.starts_at,
        "system": this_round.system or None,
        "reason": this_round.reason or None,
        "relaxed": this_round.relaxed,
        "rows": [pairing.as_json() for pairing in pairings],
    }
    if notes:
        found["notes"] = notes
    return found


def describe_notes(
    tournament: Tournament, noted: Sequence[Sequence[Mapping[str, Any]]]
) -> list[list[RoundNote]]:
    """Return the findings of rounds with their entries; one query, none without findings."""
    named = {entry for notes in noted for note in notes for entry in note["entries"]}
    entries = references_of(tournament.entries.filter(pk__in=named)) if named else []
    found = {row["id"]: row for row in entries}
    return [references.notes(notes, lambda _, entry: found[entry]) for notes in noted]


def _pairing_rows(found: "QuerySet[Pairing]", has_two: bool) -> "QuerySet[Pairing, dict[str, Any]]":
    """Return the query of pairings by board, then the byes by pairing number.

    `has_two` adds the columns of the return game.
    """
    return found.order_by(
        F("board_number").asc(nulls_last=True), "first__pairing_number"
    ).values(
        "round__number",
        "board_number", "kind", "by_hand", *entry_columns("first__"), *entry_columns("second__"),
        "second_id",
        "awarded_for", "awarded_first", "awarded_second",
        "handicap", "handicap_reason", "recommended", *PAIRED_GAME_COLUMNS,
        *([f"return_{column}" for column in PAIRED_GAME_COLUMNS] if has_two else []),
    )  # fmt: skip


def _pairing(tournament: Tournament, row: dict[str, Any], *, has_two: bool) -> RoundPairing:
    first = entry_of(row, "first__")
    second = None if row["second_id"] is None else entry_of(row, "second__")
    players = {player["id"]: player for player in (first, second) if player}
    return RoundPairing(
        board=row["board_number"],
        kind=row["kind"],
        by_hand=row["by_hand"],
        first=first,
        second=second,
        game_id=row["game_id"],
        state=row["game__state"],
        basis=row["game__basis"] or None,
        result=(None if has_two else _awarded_text(tournament, row)) or _result_of_row(row),
        termination=row["game__termination"] or None,
        adjourned=bool(row["game__adjourned"]),
        return_game=_return_game(row) if has_two else None,
        points=_points_text(row) if has_two else None,
        recommended=_recommended_as_json(row["recommended"], players),
        applied=_applied_handicap(tournament, row),
    )


def _applied_handicap(tournament: Tournament, row: dict[str, Any]) -> AppliedHandicap | None:
    """Return the handicap of a row; None for a bye, and in an event without handicaps."""
    if tournament.handicaps == Tournament.Handicaps.NONE or row["second_id"] is None:
        return None
    by_hand = bool(row["handicap_reason"])
    is_recommended = tournament.handicaps == Tournament.Handicaps.RECOMMENDED and not by_hand
    stored = row["recommended"] if is_recommended else None
    return AppliedHandicap(
        handicap=handicap_as_json(row["handicap"]),
        handicap_text=handicap_in_words(row["handicap"]),
        by_hand=by_hand,
        reason=row["handicap_reason"] or (_reason_of(stored) if stored else None),
    )


def _recommended_as_json(
    stored: Mapping[str, Any] | None, players: Mapping[int, NumberedEntry]
) -> RecommendedHandicap | None:
    """Return a recommended handicap with its reason."""
    if stored is None:
        return None
    return RecommendedHandicap(
        entry=players.get(stored["entry"]),
        handicap=handicap_as_json(stored["handicap"]),
        handicap_text=handicap_in_words(stored["handicap"]),
        rating=float(stored["rating"]),
        opponent_rating=float(stored["opponent_rating"]),
        basis=stored["basis"],
        value=stored["value"],
        table=stored["table"],
        expected=expected_score(stored["expected"]),
        limited=stored["most"],
        reason=_reason_of(stored),
    )


def _reason_of(stored: Mapping[str, Any]) -> str:
    """Return the reason of a recommended handicap."""
    return explain_recommendation(
        share=stored["share"],
        basis=stored["basis"],
        difference=stored["opponent_rating"] - stored["rating"],
        value=stored["value"],
        version=stored["table"],
        expected=stored["expected"],
        is_most=stored["most"],
    )


def _return_game(row: dict[str, Any]) -> ReturnGame | None:
    if row["return_game_id"] is None:
        return None
    return ReturnGame(
        id=row["return_game_id"],
        url=absolute_url(f"games/{row['return_game_id']}"),
        state=row["return_game__state"],
        basis=row["return_game__basis"] or None,
        result=_result_of_row(row, "return_game"),
        termination=row["return_game__termination"] or None,
        adjourned=row["return_game__adjourned"],
    )


def _result_of_row(row: dict[str, Any], game: str = "game") -> str | None:
    """Return the result of a game in the row of its pairing; None while it has none."""
    score = row[f"{game}__score_first"], row[f"{game}__score_second"]
    names = ("state", "winner", "draw", "termination")
    state, winner, draw, termination = (row[f"{game}__{name}"] for name in names)
    return result_text(state, winner, draw, score, termination)


def _kinds(row: dict[str, Any], game: str = "game") -> tuple[Kind, Kind]:
    names = (f"{game}__{name}" for name in ("winner", "draw", "termination"))
    return game_kinds(*(row[name] for name in names))


def _points_text(row: dict[str, Any]) -> str | None:
    """Return the points of both games, as 1.5-0.5; None while one has no result."""
    if not row["game__state"] == row["return_game__state"] == Game.State.CONFIRMED:
        return None
    games = _kinds(row), _kinds(row, "return_game")[::-1]
    totals = (sum(GAME_POINTS[kind] for kind in side) for side in zip(*games, strict=True))
    return "-".join(map(format_decimal, totals))


def _awarded_text(tournament: Tournament, row: dict[str, Any]) -> str | None:
    """Return the points that an arbiter awarded, as 0.5-0; None without a valid award."""
    if not row["awarded_for"] or row["game__state"] != Game.State.CONFIRMED:
        return None
    kinds = _kinds(row)
    if row["awarded_for"] != result_code(kinds):
        return None
    points = point_system(tournament)
    awarded_units = row["awarded_first"], row["awarded_second"]
    return "-".join(
        points.format_units(points.units_of(kind) if units is None else units)
        for kind, units in zip(kinds, awarded_units, strict=True)
    )


@dataclass(frozen=True, slots=True)
class RoundCount:
    """The boards of a round, the results it needs, and how many are missing or adjourned.

    A pairing of two games has one board, and needs two results.
    """

    boards: int
    results: int
    missing: int
    adjourned: int


def count_games_by_round(tournament: Tournament) -> dict[int, RoundCount]:
    """Return the counts of the current version of each round that has games; one query."""
    is_open = Q(game__state__in=UNSETTLED, game__adjourned=False)
    is_return_open = Q(return_game__state__in=UNSETTLED, return_game__adjourned=False)
    rows = (
        current_pairings(tournament)
        .filter(kind=Pairing.Kind.GAME)
        .values("round__number")
        .annotate(
            boards=Count("pk"),
            results=Count("pk") + Count("return_game"),
            missing=Count("pk", filter=is_open | Q(game=None)) + Count("pk", filter=is_return_open),
            adjourned=Count("pk", filter=Q(game__adjourned=True))
            + Count("pk", filter=Q(return_game__adjourned=True)),
        )
        .values_list("round__number", "boards", "results", "missing", "adjourned")
    )
    return {number: RoundCount(*counts) for number, *counts in rows}


VersionAction = Literal[
    "paired", "set_by_hand", "changed", "published", "completed", "reopened", "unpaired",
    "restored", "imported",
]  # fmt: skip


class VersionEvent(TypedDict):
    """What happened to a version."""

    action: VersionAction
    actor: Annotated[str, "as the journal names it: account/17, system"]
    at: datetime
    reason: str | None


class VersionRow(TypedDict):
    """A version of the pairings of a round."""

    url: str
    version: Annotated[int, "its number in the round, from 1"]
    state: Annotated[Round.State, "of the round while this version was current"]
    is_current: bool
    boards: int
    system: str | None
    reason: str | None
    notes: list[RoundNote]
    relaxed: list[str]
    history: Annotated[list[VersionEvent], "oldest first"]


@dataclass(frozen=True, slots=True)
class RoundVersion:
    """A version of a round, with its journal lines; `state` is its last one.

    `system`, `reason`, `notes` and `relaxed` are those of the round while it was current.
    """

    version: int
    state: str
    is_current: bool
    boards: int
    system: str = ""
    reason: str = ""
    notes: list[dict[str, Any]] = field(default_factory=list)
    relaxed: list[str] = field(default_factory=list)
    history: tuple[VersionEvent, ...] = ()

    def as_json(self, this_round: Round, notes: list[RoundNote]) -> VersionRow:
        """Return the version of a round for the API, with these entries in its notes."""
        return {
            "url": version_url(this_round, self.version),
            "version": self.version,
            "state": Round.State(self.state),
            "is_current": self.is_current,
            "boards": self.boards,
            "system": self.system or None,
            "reason": self.reason or None,
            "notes": notes,
            "relaxed": self.relaxed,
            "history": list(self.history),
        }


def load_versions(this_round: Round) -> list[RoundVersion]:
    """Load the versions of a round, oldest first; two queries."""
    return describe_versions(this_round, version_rows(this_round))


def version_rows(this_round: Round) -> "QuerySet[Pairing, Any]":
    """Return the versions of a round, oldest first, with the numbers of their boards and games."""
    rows = Pairing.objects.filter(round=this_round).values("version").order_by("version")
    return rows.annotate(boards=Count("pk", filter=Q(kind=Pairing.Kind.GAME)), games=Count("game"))


def describe_versions(this_round: Round, rows: Iterable[Mapping[str, Any]]) -> list[RoundVersion]:
    """Return the versions of some of these rows, with their journal lines; one query."""
    tournament = this_round.tournament
    versions = {
        row["version"]: RoundVersion(
            version=row["version"],
            state=Round.State.PUBLISHED if row["games"] else Round.State.DRAFTED,
            is_current=row["version"] == this_round.version,
            boards=row["boards"],
        )
        for row in rows
    }
    kinds = [f"round.{action}" for action in VERSION_ACTIONS]
    of_round = Q(kind__in=kinds, payload__body__round=this_round.number)
    lines = load_lines(tournament.stream).filter(of_round | Q(kind="tournament.imported"))
    for line in lines.filter(payload__isnull=False):
        _add_line(versions, this_round.number, line)
    return _with_entries(tournament, list(versions.values()))


def pairings_of_version(this_round: Round, version: int) -> VersionPairings:
    """Return the pairings of a version as JSON; raises NotFound."""
    for found in load_versions(this_round):
        if found.version == version:
            shown = copy(this_round)
            shown.version, shown.state = version, found.state
            shown.system, shown.reason = found.system, found.reason
            shown.notes, shown.relaxed = found.notes, found.relaxed
            url = version_url(this_round, version)
            return {"url": url, "version": version, **pairings_as_json(shown)}
    raise NotFound(
        "not_found",
        Text(
            "round %(number)s has no version %(version)s", number=this_round.number, version=version
        ),
    )


def _with_entries(tournament: Tournament, versions: list[RoundVersion]) -> list[RoundVersion]:
    """Return versions whose notes have the ids of the entries instead of their ordinals."""
    if not any(version.notes for version in versions):
        return versions
    ids = dict(tournament.entries.values_list("ordinal", "pk"))
    return [
        replace(version, notes=references.notes(version.notes, lambda _, entry: ids[entry]))
        for version in versions
    ]


def _add_line(versions: dict[int, RoundVersion], round_number: int, line: JournalLine) -> None:
    word, payload = line.kind.partition(".")[2], line.payload.body
    content: Mapping[str, Any] = payload
    if word == "imported":
        content = next(row for row in payload["rounds"] if row["round"] == round_number)
    number = content["unpaired"] if word == "unpaired" else content["version"]
    if number not in versions:
        return
    version = versions[number]
    event: VersionEvent = {
        "action": cast("VersionAction", "completed" if word == "complete" else word),
        "actor": line.actor,
        "at": line.at,
        "reason": payload.get("reason") or None,
    }
    version = replace(version, history=(*version.history, event))
    if "system" in content:
        version = replace(
            version,
            system=content["system"],
            reason=content["reason"],
            notes=content.get("notes", []),
            relaxed=content.get("relaxations", []),
        )
    state = content.get("state") or STATES_OF_VERSIONS.get(word, version.state)
    versions[number] = replace(version, state=str(state))


def told_apart(pairings: Sequence[RoundPairing], names: Mapping[int, str]) -> list[RoundPairing]:
    """Return pairings in which the players have the names that a list has for their ids."""
    if not names:
        return list(pairings)
    return [
        replace(
            pairing,
            first=tell_apart(pairing.first, names),
            second=tell_apart(pairing.second, names),
        )
        for pairing in pairings
    ]
