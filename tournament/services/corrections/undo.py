"""Gather the inverse of a correction, which is a correction of its own."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils import timezone

from games.core.errors import Conflict
from games.models import Account, Report
from games.play.settlement import evaluate_reports
from games.rules.text import Text
from games.services.settlement import evaluate_game, load_reports
from tournament.corrections.changes import (
    ByeChange,
    Changes,
    EntryChange,
    GameChange,
    result_values,
)
from tournament.corrections.gathering import find_pairing
from tournament.models import Correction, Entry, Tournament
from tournament.services.corrections.games import games_of, load_pairings

Stored = Mapping[str, Any]
"""A change of a correction as it is stored."""


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
        games=list(_games(tournament, correction, stored, reason, by)),
        byes=[
            _bye(tournament, correction, entries[change["entry"]], change)
            for change in others
            if "bye" in change
        ],
        entries=[
            _entry(correction, entries[change["entry"]], change)
            for change in others
            if "bye" not in change
        ],
        undoes=correction,
    )


def _changed_since(correction: Correction, what: str) -> Conflict:
    detail = Text(
        "%(detail)s has changed since correction %(number)s; undo the later change first",
        detail=what,
        number=correction.number,
    )
    return Conflict("changed_since", detail)


def _games(
    tournament: Tournament,
    correction: Correction,
    stored: list[Stored],
    reason: str,
    by: Account,
) -> Iterator[GameChange]:
    """Yield the changes of games, the last one of a pairing first."""
    changes = [change for change in reversed(stored) if "game" in change]
    pairings = load_pairings(tournament, [change["game"] for change in changes])
    games = {game.pk: game for pairing in pairings.values() for game in games_of(pairing)}
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


def _bye(tournament: Tournament, correction: Correction, entry: Entry, change: Stored) -> ByeChange:
    before, after = change["bye"]
    this_round = tournament.round_set.get(number=change["round"])
    pairing = find_pairing(tournament, this_round, entry)
    current = (pairing.kind, pairing.counted) if pairing else (None, None)
    if current != (after, change["counted"][1]):
        raise _changed_since(correction, Text("the bye of entry %(number)s", number=entry.pk))
    return ByeChange(
        round=this_round,
        entry=entry,
        pairing=pairing,
        before=after,
        after=before,
        counted=(change["counted"][1], change["counted"][0]),
    )


def _entry(correction: Correction, entry: Entry, change: Stored) -> EntryChange:
    if any(getattr(entry, name) != value for name, value in change["after"].items()):
        raise _changed_since(correction, Text("entry %(number)s", number=entry.pk))
    return EntryChange(entry=entry, before=change["after"], after=change["before"])
