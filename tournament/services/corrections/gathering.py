"""Gather what a request to correct an event changes, and refuse what cannot be corrected."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q
from django.utils import timezone

from games.http.errors import Conflict, Unprocessable
from games.models import Account, Game, Report
from games.services.evaluation import evaluate_reports
from games.services.outcomes import read_record
from games.services.rulings import statement_of
from games.services.settlement import evaluate_game, load_reports
from tournament import queries
from tournament.models import Correction, Entry, Pairing, Round, Tournament
from tournament.queries.corrected_results import counted_after
from tournament.queries.events import counted_states
from tournament.services.actions import wrong_state
from tournament.services.corrections.changes import (
    ByeChange,
    Changes,
    Counted,
    EntryChange,
    GameChange,
    result_values,
)
from tournament.services.entry_edits import check_birth_year
from tournament.services.results import BoardResult, ResultBasis, outcome_of

ANNULLED = "annulled"
"""The result of a game that does not count at all."""
BYES = ["pairing-bye", "half-bye", "zero-bye", "full-bye"]
"""The kinds of byes that a correction can give."""
COLUMNS = frozenset({"seed_rating", "birth_year", "sex", "category", "title"})
"""The columns of an entry that can be corrected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedChange:
    """A change as it is requested: of a game, of the bye of an entry, or of columns of an entry."""

    game: int | None = None
    result: str = ""
    score: str = ""
    record: str | Mapping[str, Any] | None = None
    entry: int | None = None
    round: int | None = None
    bye: str | None = None
    columns: Mapping[str, Any] = field(default_factory=dict)


def gather_changes(
    tournament: Tournament,
    requested: Sequence[RequestedChange],
    *,
    scope: Correction.Scope,
    reason: str,
    by: Account,
) -> Changes:
    """Return the changes of a request with the values before and after; nothing is written.

    Raises Unprocessable for unknown, repeated and impossible changes, and for those that change
    nothing; Conflict for games and byes of a round that is not complete.
    """
    places: dict[tuple[Any, ...], int] = {}
    for index, change in enumerate(requested):
        place = (change.game, change.entry, change.round)
        if places.setdefault(place, index) != index:
            raise _unprocessable("listed_twice", index, f"change {places[place]} is of the same")
        if scope != Correction.Scope.ALL and change.game is None:
            detail = f"byes and entries are corrected with the scope {Correction.Scope.ALL}"
            raise Unprocessable("wrong_scope", detail, at="/scope", valid=[Correction.Scope.ALL])
    games = [change for change in requested if change.game is not None]
    entries = _load_entries(tournament, [change.entry for change in requested if change.entry])
    return Changes(
        scope=scope,
        games=list(_gather_games(tournament, requested, scope, reason, by)) if games else [],
        byes=[
            _bye_change(tournament, entries, index, change)
            for index, change in enumerate(requested)
            if change.bye is not None
        ],
        entries=[
            _entry_change(tournament, entries, index, change)
            for index, change in enumerate(requested)
            if change.columns
        ],
    )


def _unprocessable(code: str, index: int, detail: str, name: str = "") -> Unprocessable:
    pointer = f"/changes/{index}" + (f"/{name}" if name else "")
    return Unprocessable(code, detail, at=pointer)


def _gather_games(
    tournament: Tournament,
    requested: Sequence[RequestedChange],
    scope: Correction.Scope,
    reason: str,
    by: Account,
) -> Iterator[GameChange]:
    numbers = [change.game for change in requested if change.game is not None]
    pairings = load_pairings(tournament, numbers)
    found = {game.pk: game for pairing in pairings.values() for game in games_of(pairing)}
    reports = load_reports([found[number] for number in numbers if number in found])
    counted: dict[int, Counted] = {}
    for index, change in enumerate(requested):
        if change.game is None:
            continue
        if change.game not in found:
            detail = f"the event has no game {change.game} in its current pairings"
            raise _unprocessable("unknown_game", index, detail, "game")
        game, pairing = found[change.game], pairings[change.game]
        known = reports[game.pk]
        require_counted_round(tournament, pairing.round, at=f"/changes/{index}/game")
        settlement, _ = evaluate_game(game, known, at=timezone.now())
        if settlement.state not in (Game.State.CONFIRMED, Game.State.ANNULLED):
            detail = f"game {game.pk} is {settlement.state}; rule it instead"
            raise Conflict("game_open", detail, at=f"/changes/{index}/game")
        report = _ruling(game, change, index, reason=reason, by=by, version=len(known) + 1)
        after = evaluate_reports([*known, report], deadline_passed=True)
        values = result_values(settlement), result_values(after)
        before = counted.get(pairing.pk, pairing.counted)
        counted[pairing.pk] = counted_after(before, game.pk, values[0], scope)
        if values[0] == values[1] and before == counted[pairing.pk]:
            detail = f"game {game.pk} has this result already"
            raise _unprocessable("nothing_to_correct", index, detail, "result")
        yield GameChange(
            pairing=pairing,
            game=game,
            report=report,
            settlement=after,
            before=values[0],
            after=values[1],
            counted=(before, counted[pairing.pk]),
        )


def load_pairings(tournament: Tournament, games: Sequence[int]) -> dict[int, Pairing]:
    """Return the current pairings of these games, with their rounds, by the ids of the games."""
    pairings = queries.current_pairings(tournament).filter(
        Q(game__in=games) | Q(return_game__in=games)
    )
    related = ("round", "game__record", "return_game__record", "game__first", "game__second")
    return {
        game.pk: pairing
        for pairing in pairings.select_related(*related)
        for game in games_of(pairing)
        if game.pk in games
    }


def games_of(pairing: Pairing) -> list[Game]:
    """Return the one or two games of a pairing."""
    return [game for game in (pairing.game, pairing.return_game) if game is not None]


def require_counted_round(tournament: Tournament, this_round: Round, *, at: str) -> None:
    """Raise Conflict unless the round counts in the standings; else its results can be ruled."""
    states = counted_states(tournament)
    if this_round.state not in states:
        found = wrong_state(f"round {this_round.number}", this_round.state, *states)
        raise Conflict(found.code, f"{found.detail}; rule its games instead", at=at)


def _ruling(
    game: Game, change: RequestedChange, index: int, *, reason: str, by: Account, version: int
) -> Report:
    """Return the report that gives a game its corrected result; it is not saved."""
    report = Report(
        game=game, kind=Report.Kind.RULING, version=version, by=by, reason=reason, pk=None
    )
    if change.result == ANNULLED:
        report.kind = Report.Kind.ANNULMENT
        return report
    at = f"/changes/{index}"
    try:
        if change.record is not None:
            content = change.record if isinstance(change.record, str) else dict(change.record)
            statement = statement_of(game, *read_record(content))
            report.record, report.digest = statement.record, statement.digest
            outcome = statement.outcome
        else:
            result = BoardResult(0, change.result, change.score)
            outcome = outcome_of(game, result, ResultBasis.RULING, at="")
    except Unprocessable as refused:
        errors = [
            {**error, "pointer": at + error.get("pointer", "")} for error in refused.errors
        ] or [{"pointer": at, "code": refused.code, "detail": refused.detail}]
        raise Unprocessable(refused.code, refused.detail, errors) from refused
    assert outcome is not None, "a ruling has an outcome"
    report.outcome = outcome.as_json()
    return report


def _load_entries(tournament: Tournament, numbers: Sequence[int]) -> dict[int, Entry]:
    entries = tournament.entries.filter(pk__in=numbers, pairing_number__isnull=False)
    return {entry.pk: entry for entry in entries}


def _entry_of(entries: Mapping[int, Entry], index: int, change: RequestedChange) -> Entry:
    assert change.entry is not None
    if change.entry not in entries:
        detail = f"the event has no entry {change.entry} with a pairing number"
        raise _unprocessable("unknown_entry", index, detail, "entry")
    return entries[change.entry]


def _bye_change(
    tournament: Tournament, entries: Mapping[int, Entry], index: int, change: RequestedChange
) -> ByeChange:
    entry = _entry_of(entries, index, change)
    assert change.round is not None, "the bye of a round"
    this_round = tournament.round_set.filter(number=change.round).first()
    if this_round is None:
        detail = f"the event has no round {change.round}"
        raise _unprocessable("no_such_round", index, detail, "round")
    require_counted_round(tournament, this_round, at=f"/changes/{index}/round")
    pairing = find_pairing(tournament, this_round, entry)
    if pairing is not None and pairing.kind not in BYES:
        detail = f"entry {entry.pk} has a {pairing.kind} in round {change.round}, not a bye"
        raise _unprocessable("no_bye", index, detail, "bye")
    before = pairing.kind if pairing else None
    if change.bye == before:
        detail = f"entry {entry.pk} has this bye in round {change.round} already"
        raise _unprocessable("nothing_to_correct", index, detail, "bye")
    return ByeChange(
        round=this_round, entry=entry, pairing=pairing, before=before, after=change.bye
    )


def find_pairing(tournament: Tournament, this_round: Round, entry: Entry) -> Pairing | None:
    """Return the game or the bye of an entry in a round, None if it was absent."""
    pairings = queries.current_pairings(tournament).filter(Q(first=entry) | Q(second=entry))
    return pairings.filter(round=this_round).first()


def _entry_change(
    tournament: Tournament, entries: Mapping[int, Entry], index: int, change: RequestedChange
) -> EntryChange:
    entry = _entry_of(entries, index, change)
    year = change.columns.get("birth_year")
    check_birth_year(tournament, year, at=f"/changes/{index}/birth_year")
    before = {name: getattr(entry, name) for name in change.columns}
    changed = {name: value for name, value in change.columns.items() if value != before[name]}
    if not changed:
        detail = f"entry {entry.pk} has these values already"
        raise _unprocessable("nothing_to_correct", index, detail)
    return EntryChange(entry=entry, before={name: before[name] for name in changed}, after=changed)
