"""Gather what a request to correct an event changes, and refuse what cannot be corrected."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db.models import Q

from games.core.errors import Unprocessable
from games.models import Account
from games.rules.messages import gettext_noop
from games.rules.text import Text, Word, either
from tournament import queries
from tournament.core.corrected_results import BYE_CHANGE, counted_after
from tournament.corrections.changes import ByeChange, Changes, EntryChange
from tournament.models import Correction, Entry, Pairing, Round, Tournament
from tournament.services.corrections.games import gather_games, require_counted_round
from tournament.services.corrections.requests import CORRECTED_BYES, RequestedChange, refuse_change
from tournament.services.entry_edits import check_birth_year

PAIRING_NAMES: Final = {
    Pairing.Kind.GAME: Text("game"),
    Pairing.Kind.FREE: Word("free", gettext_noop("free round")),
}
"""What an entry has in a round instead of a bye."""

NOT_RATED = [Correction.Scope.ALL, Correction.Scope.STANDINGS]
"""The scopes of byes and entries, which have no part in ratings."""


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
            raise refuse_change(
                "listed_twice",
                index,
                Text("change %(number)s is of the same", number=places[place]),
            )
        if scope not in NOT_RATED and change.game is None:
            detail = Text(
                "byes and entries are not rated; the scope is %(names)s",
                names=either([*NOT_RATED]),
            )
            raise Unprocessable("wrong_scope", detail, at="/scope", valid=NOT_RATED)
    games = [change for change in requested if change.game is not None]
    entries = _load_entries(tournament, [change.entry for change in requested if change.entry])
    return Changes(
        scope=scope,
        games=list(gather_games(tournament, requested, scope, reason, by)) if games else [],
        byes=[
            _bye_change(tournament, entries, index, change, scope)
            for index, change in enumerate(requested)
            if change.bye is not None
        ],
        entries=[
            _entry_change(tournament, entries, index, change)
            for index, change in enumerate(requested)
            if change.columns
        ],
    )


def _load_entries(tournament: Tournament, numbers: Sequence[int]) -> dict[int, Entry]:
    entries = tournament.entries.filter(pk__in=numbers, pairing_number__isnull=False)
    return {entry.pk: entry for entry in entries}


def _entry_of(entries: Mapping[int, Entry], index: int, change: RequestedChange) -> Entry:
    assert change.entry is not None
    if change.entry not in entries:
        detail = Text(
            "the event has no entry %(number)s with a pairing number", number=change.entry
        )
        raise refuse_change("unknown_entry", index, detail, "entry")
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
    require_counted_round(tournament, this_round, at=f"/changes/{index}/round")
    pairing = find_pairing(tournament, this_round, entry)
    if pairing is not None and pairing.kind not in CORRECTED_BYES:
        detail = Text(
            "entry %(entry)s has a %(kind)s in round %(number)s, not a bye",
            entry=entry.pk,
            kind=PAIRING_NAMES[Pairing.Kind(pairing.kind)],
            number=change.round,
        )
        raise refuse_change("no_bye", index, detail, "bye")
    before, counted = (pairing.kind, pairing.counted) if pairing else (None, None)
    counted_now = counted_after(counted, BYE_CHANGE, before, scope)
    if change.bye == before and counted_now == counted:
        detail = Text(
            "entry %(entry)s has this bye in round %(number)s already",
            entry=entry.pk,
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
        detail = Text("entry %(entry)s has these values already", entry=entry.pk)
        raise refuse_change("nothing_to_correct", index, detail)
    return EntryChange(entry=entry, before={name: before[name] for name in changed}, after=changed)
