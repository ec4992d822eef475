"""Gather what a request to correct an event changes, or the inverse of an earlier correction.

Nothing is written; what cannot be corrected is refused. Each result comes with the ruling that
gives it, and its inverse with the revocation of that ruling.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from django.db.models import Q
from django.utils import timezone

from games.core.errors import Conflict, Unprocessable, check_all
from games.models import Account, Game, Report
from games.play.outcomes import read_record, require_result
from games.play.services import statement_of
from games.play.settlement import evaluate_game, evaluate_reports, load_reports
from games.rules.messages import gettext_noop
from games.rules.text import Text, Word, either
from tournament.core.corrected_results import BYE_CHANGE, COVERED_PURPOSES, Purpose, Values
from tournament.core.queries import counted_states, current_pairings
from tournament.core.states import wrong_state
from tournament.corrections.changes import (
    ANNULLED,
    CORRECTED_BYES,
    ByeChange,
    Changes,
    Counted,
    EntryChange,
    GameChange,
    RequestedChange,
    refuse_change,
    result_values,
)
from tournament.entries.services import check_birth_year
from tournament.models import Correction, Entry, Pairing, Round, Tournament
from tournament.results.services import BoardResult, ResultBasis, outcome_of
from tournament.rounds.games import games_of

PAIRING_NAMES: Final = {
    Pairing.Kind.GAME: Text("game"),
    Pairing.Kind.FREE: Word("free", gettext_noop("free round")),
}
"""What an entry has in a round instead of a bye."""
NOT_RATED = [Correction.Scope.ALL, Correction.Scope.STANDINGS]
"""The scopes of byes and entries, which have no part in ratings."""
Stored = Mapping[str, Any]
"""A change of a correction as it is stored."""


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
    entries = _load_entries(tournament, [change.entry for change in requested if change.entry])
    shown = scope if scope in NOT_RATED else Correction.Scope.ALL  # another one is refused
    *_, games, byes, columns = check_all(
        partial(_require_different, requested),
        partial(_require_scope, requested, scope),
        partial(_game_changes, tournament, requested, scope, reason, by),
        lambda: check_all(
            *(
                partial(_bye_change, tournament, entries, index, change, shown)
                for index, change in enumerate(requested)
                if change.bye is not None
            )
        ),
        lambda: check_all(
            *(
                partial(_entry_change, tournament, entries, index, change)
                for index, change in enumerate(requested)
                if change.columns
            )
        ),
    )
    return Changes(scope=scope, games=games, byes=byes, entries=columns)


def _require_different(requested: Sequence[RequestedChange]) -> None:
    """Raise Unprocessable for changes of what another change is of."""
    places: dict[tuple[Any, ...], int] = {}
    repeated = [
        refuse_change(
            "listed_twice", index, Text("change %(number)s is of the same", number=places[place])
        )
        for index, change in enumerate(requested)
        if places.setdefault(place := (change.game, change.entry, change.round), index) != index
    ]
    check_all(*(partial(_raise, error) for error in repeated))


def _raise(error: Unprocessable) -> None:
    raise error


def _require_scope(requested: Sequence[RequestedChange], scope: Correction.Scope) -> None:
    """Raise Unprocessable if a bye or an entry is corrected for the ratings only."""
    if scope in NOT_RATED or all(change.game is not None for change in requested):
        return
    detail = Text(
        "byes and entries are not rated; the scope is %(names)s", names=either([*NOT_RATED])
    )
    raise Unprocessable("wrong_scope", detail, at="/scope", valid=NOT_RATED)


def gather_inverse(
    tournament: Tournament, correction: Correction, *, reason: str, by: Account
) -> Changes:
    """Return the changes that reverse a correction, which may be an undo; nothing is written.

    Raises Conflict if it is undone, or if its values have changed since.
    """
    if undo := Correction.objects.filter(undoes=correction).first():
        detail = Text(
            "correction %(number)s was undone by correction %(other)s",
            number=correction.number,
            other=undo.number,
        )
        raise Conflict("nothing_to_do", detail)
    stored: list[Stored] = correction.changes
    entries = {entry.pk: entry for entry in tournament.entries.all()}
    others = [change for change in stored if "game" not in change]
    return Changes(
        scope=Correction.Scope(correction.scope),
        games=list(_inverse_of_games(tournament, correction, stored, reason, by)),
        byes=[
            _inverse_of_bye(tournament, correction, entries[change["entry"]], change)
            for change in others
            if "bye" in change
        ],
        entries=[
            _inverse_of_entry(correction, entries[change["entry"]], change)
            for change in others
            if "bye" not in change
        ],
        undoes=correction,
    )


def _game_changes(
    tournament: Tournament,
    requested: Sequence[RequestedChange],
    scope: Correction.Scope,
    reason: str,
    by: Account,
) -> list[GameChange]:
    """Return the changes of games in a request; nothing is written."""
    numbers = [change.game for change in requested if change.game is not None]
    pairings = _load_pairings(tournament, numbers) if numbers else {}
    found = {game.pk: game for pairing in pairings.values() for game in games_of([pairing])}
    reports = load_reports([found[number] for number in numbers if number in found])
    counted: dict[int, Counted] = {}

    def change_game(index: int, change: RequestedChange) -> GameChange:
        if change.game not in found:
            detail = Text(
                "the event has no game %(number)s in its current pairings", number=change.game
            )
            raise refuse_change("unknown_game", index, detail, "game_id")
        game, pairing = found[change.game], pairings[change.game]
        known = reports[game.pk]
        report = _ruling(game, change, index, reason=reason, by=by, version=len(known) + 1)
        _require_counted_round(tournament, pairing.round, at=f"/changes/{index}/game_id")
        settlement, _ = evaluate_game(game, known, at=timezone.now())
        if settlement.state not in (Game.State.CONFIRMED, Game.State.ANNULLED):
            detail = Text(
                "round %(round)s, board %(board)s: the result is %(state)s, so it cannot be"
                " corrected yet; an arbiter decides the game first",
                round=pairing.round.number,
                board=pairing.board_number,
                state=Game.State(settlement.state),
            )
            raise Conflict("game_open", detail, at=f"/changes/{index}/game_id")
        after = evaluate_reports([*known, report], deadline_passed=True)
        values = result_values(settlement), result_values(after)
        before = counted.get(pairing.pk, pairing.counted)
        counted[pairing.pk] = counted_after(before, str(game.pk), values[0], scope)
        if values[0] == values[1] and before == counted[pairing.pk]:
            detail = Text(
                "round %(round)s, board %(board)s: this is the result already",
                round=pairing.round.number,
                board=pairing.board_number,
            )
            raise refuse_change("nothing_to_correct", index, detail, "result")
        return GameChange(
            pairing=pairing,
            game=game,
            report=report,
            settlement=after,
            before=values[0],
            after=values[1],
            counted=(before, counted[pairing.pk]),
        )

    changes = [(at, change) for at, change in enumerate(requested) if change.game is not None]
    return check_all(*(partial(change_game, at, change) for at, change in changes))


def _load_pairings(tournament: Tournament, games: Sequence[int]) -> dict[int, Pairing]:
    """Return the current pairings of these games, with their rounds, by the ids of the games."""
    pairings = current_pairings(tournament).filter(Q(game__in=games) | Q(return_game__in=games))
    related = ("round", "game__record", "return_game__record", "game__first", "game__second")
    return {
        game.pk: pairing
        for pairing in pairings.select_related(*related)
        for game in games_of([pairing])
        if game.pk in games
    }


def _require_counted_round(tournament: Tournament, this_round: Round, *, at: str) -> None:
    """Raise Conflict unless the round counts in the standings; else its results can be ruled."""
    states = counted_states(tournament)
    if this_round.state not in states:
        found = wrong_state(
            Text("round %(number)s", number=this_round.number), this_round.state, *states
        )
        raise Conflict(
            found.code,
            Text("%(detail)s; enter the result of the round instead", detail=found.detail),
            at=at,
        )


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
            require_result(game, change.result, at="/result", is_ruled=True, is_corrected=True)
            result = BoardResult(0, change.result, change.score)
            outcome = outcome_of(game, result, ResultBasis.RULING, at="")
    except Unprocessable as refused:
        errors = [{**error, "pointer": at + error.get("pointer", "")} for error in refused.errors]
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
        detail = Text(
            "the event has no entry %(number)s with a pairing number", number=change.entry
        )
        raise refuse_change("unknown_entry", index, detail, "entry_id")
    return entries[change.entry]


def _bye_change(
    tournament: Tournament,
    entries: Mapping[int, Entry],
    index: int,
    change: RequestedChange,
    scope: Correction.Scope,
) -> ByeChange:
    entry = _entry_of(entries, index, change)
    assert change.round is not None, "the bye of a round"
    this_round = tournament.round_set.filter(number=change.round).first()
    if this_round is None:
        detail = Text("the event has no round %(number)s", number=change.round)
        raise refuse_change("no_such_round", index, detail, "round")
    _require_counted_round(tournament, this_round, at=f"/changes/{index}/round")
    pairing = _find_pairing(tournament, this_round, entry)
    if pairing is not None and pairing.kind not in CORRECTED_BYES:
        detail = Text(
            "%(player)s has a %(kind)s in round %(number)s, not a bye",
            player=entry.player.current.name,
            kind=PAIRING_NAMES[Pairing.Kind(pairing.kind)],
            number=change.round,
        )
        raise refuse_change("no_bye", index, detail, "bye")
    before, counted = (pairing.kind, pairing.counted) if pairing else (None, None)
    counted_now = counted_after(counted, BYE_CHANGE, before, scope)
    if change.bye == before and counted_now == counted:
        detail = Text(
            "%(player)s has this bye in round %(number)s already",
            player=entry.player.current.name,
            number=change.round,
        )
        raise refuse_change("nothing_to_correct", index, detail, "bye")
    return ByeChange(
        round=this_round,
        entry=entry,
        pairing=pairing,
        before=before,
        after=change.bye,
        counted=(counted, counted_now),
    )


def _find_pairing(tournament: Tournament, this_round: Round, entry: Entry) -> Pairing | None:
    """Return the game or the bye of an entry in a round, None if it was absent."""
    pairings = current_pairings(tournament).filter(Q(first=entry) | Q(second=entry))
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
        name = entry.player.current.name
        detail = Text("%(player)s has these values already", player=name)
        raise refuse_change("nothing_to_correct", index, detail)
    return EntryChange(entry=entry, before={name: before[name] for name in changed}, after=changed)


def _changed_since(correction: Correction, what: str) -> Conflict:
    detail = Text(
        "%(detail)s has changed since correction %(number)s; undo the later change first",
        detail=what,
        number=correction.number,
    )
    return Conflict("changed_since", detail)


def _inverse_of_games(
    tournament: Tournament, correction: Correction, stored: list[Stored], reason: str, by: Account
) -> Iterator[GameChange]:
    """Yield the changes of games, the last one of a pairing first."""
    changes = [change for change in reversed(stored) if "game" in change]
    pairings = _load_pairings(tournament, [change["game"] for change in changes])
    games = {game.pk: game for pairing in pairings.values() for game in games_of([pairing])}
    reports = load_reports(list(games.values()))
    counted: dict[int, Any] = {}
    for change in changes:
        pairing, game = pairings.get(change["game"]), games.get(change["game"])
        if pairing is None or game is None:
            raise _changed_since(
                correction, Text("the pairing of game %(number)s", number=change["game"])
            )
        known = reports[game.pk]
        settlement, _ = evaluate_game(game, known, at=timezone.now())
        before, after = change["counted"]
        current = counted.get(pairing.pk, pairing.counted)
        if result_values(settlement) != change["after"] or current != after:
            raise _changed_since(correction, Text("game %(number)s", number=game.pk))
        counted[pairing.pk] = before
        revoked = next(report for report in known if report.version == change["report"])
        revocation = Report(
            game=game,
            kind=Report.Kind.REVOCATION,
            version=len(known) + 1,
            by=by,
            reason=reason,
            confirms=revoked,
        )
        restored = evaluate_reports([*known, revocation], deadline_passed=True)
        yield GameChange(
            pairing=pairing,
            game=game,
            report=revocation,
            settlement=restored,
            before=change["after"],
            after=result_values(restored),
            counted=(after, before),
        )


def _inverse_of_bye(
    tournament: Tournament, correction: Correction, entry: Entry, change: Stored
) -> ByeChange:
    before, after = change["bye"]
    this_round = tournament.round_set.get(number=change["round"])
    pairing = _find_pairing(tournament, this_round, entry)
    current = (pairing.kind, pairing.counted) if pairing else (None, None)
    if current != (after, change["counted"][1]):
        name = entry.player.current.name
        raise _changed_since(correction, Text("the bye of %(player)s", player=name))
    return ByeChange(
        round=this_round,
        entry=entry,
        pairing=pairing,
        before=after,
        after=before,
        counted=(change["counted"][1], change["counted"][0]),
    )


def _inverse_of_entry(correction: Correction, entry: Entry, change: Stored) -> EntryChange:
    if any(getattr(entry, name) != value for name, value in change["after"].items()):
        name = entry.player.current.name
        raise _changed_since(correction, Text("the entry of %(player)s", player=name))
    return EntryChange(entry=entry, before=change["after"], after=change["before"])


def counted_after(
    counted: Mapping[str, Any] | None,
    key: str,
    before: Values | str | None,
    scope: Correction.Scope,
) -> dict[str, Any] | None:
    """Return the column `counted` of a pairing after the correction of its bye or a game of it.

    `key` is the id of the game, or BYE_CHANGE; `before` is the result or the bye until then.
    """
    after: dict[str, Any] = {}
    for purpose in Purpose:
        values = dict((counted or {}).get(purpose, {}))
        if purpose in COVERED_PURPOSES[scope]:
            values.pop(key, None)
        else:
            values.setdefault(key, before)
        if values:
            after[purpose.value] = values
    return after or None
