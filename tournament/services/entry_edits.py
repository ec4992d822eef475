"""Correct an entry: freely before the start of the event, later with a reason.

A corrected seed rating changes the pairing numbers as `numbering` describes. The birth year, sex
and category serve only prizes; only the event's directors and the player see them.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.models import Account
from games.rules.text import Text
from games.validators import FIRST_BIRTH_YEAR
from tournament.core.actions import first_unpaired_round
from tournament.core.systems import system_of
from tournament.entries.numbering import can_renumber, renumber_entries
from tournament.models import Entry, Tournament
from tournament.services.actions import BEFORE_START
from tournament.services.entry_actions import require_entry_action
from tournament.services.locking import lock_entry, lock_tournament, require_state


def edit_entry(entry: Entry, changes: Mapping[str, Any], *, by: Account, reason: str = "") -> Entry:
    """Change values of an entry: `lot` before the start, `first_round` before it is paired.

    Raises Conflict if one of the changes is too late, and Unprocessable for an impossible value or
    a missing reason; then nothing changes.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_entry_action(tournament, entry, "edit")
        check_birth_year(tournament, changes.get("birth_year"))
        if "lot" in changes:
            require_state(tournament, *BEFORE_START)
        entry = lock_entry(tournament, entry)
        changed = {name: value for name, value in changes.items() if value != getattr(entry, name)}
        if not changed:
            return entry
        if not reason and tournament.state not in BEFORE_START:
            detail = Text("the event has started; say why the entry is corrected")
            raise Unprocessable("reason_needed", detail, at="/reason")
        if "first_round" in changed:
            _check_first_round(tournament, entry, changed["first_round"])
        if "seed_rating" in changed:
            _check_starting_scores(tournament)
        for name, value in changed.items():
            setattr(entry, name, value)
        entry.save(update_fields=list(changed))
        payload = {"entry": entry.pk, "ordinal": entry.ordinal, **changed} | (
            {"reason": reason} if reason else {}
        )
        renumbered: list[Entry] = []
        if "seed_rating" in changed and can_renumber(tournament):
            renumbered = renumber_entries(tournament)
            payload["numbers"] = [[other.pk, other.pairing_number] for other in renumbered]
            entry.refresh_from_db(fields=["pairing_number"])
        rows = changed_rows(*renumbered, entry)
        append_line(tournament.stream, "entry.edited", payload, by=by, rows=rows)
    return entry


def check_birth_year(
    tournament: Tournament, birth_year: int | None, *, at: str = "/birth_year"
) -> None:
    """Raise Unprocessable for a year before any player's, or after the event's."""
    last = tournament.starts_on.year
    if birth_year is not None and not FIRST_BIRTH_YEAR <= birth_year <= last:
        detail = Text(
            "birth_year is %(value)s; it must be from %(first)s to %(last)s, the year of the event",
            value=birth_year,
            first=FIRST_BIRTH_YEAR,
            last=last,
        )
        raise Unprocessable("wrong_year", detail, at=at)


def _check_first_round(tournament: Tournament, entry: Entry, number: int) -> None:
    """Raise Conflict if a round could pair the entry already, Unprocessable for other rounds."""
    first = first_unpaired_round(tournament)
    if system_of(tournament).has_schedule:
        raise Conflict("no_late_entries", Text("the schedule pairs every player from round 1 on"))
    if entry.first_round < first:
        detail = Text(
            "round %(number)s is paired; grant byes for later rounds instead",
            number=entry.first_round,
        )
        raise Conflict("round_paired", detail)
    if not first <= number <= tournament.rounds:
        detail = Text(
            "first_round is from %(first)s to %(last)s", first=first, last=tournament.rounds
        )
        raise Unprocessable("no_such_round", detail, at="/first_round")


def _check_starting_scores(tournament: Tournament) -> None:
    """Raise Conflict if the rating decided the starting scores of a round that is paired."""
    if system_of(tournament).starting_scores and first_unpaired_round(tournament) > 1:
        detail = Text("round 1 is paired; the seed ratings decided its starting scores")
        raise Conflict("starting_scores_fixed", detail)
