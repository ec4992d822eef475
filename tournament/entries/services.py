"""Entries: enter a player, accept, refuse, withdraw and return an entry.

The start assigns pairing numbers (numbering.py). A late entry is inserted at its seed position, so
that later numbers move by one; pairings refer to entries, not to numbers, so nothing else changes.
A system with a schedule accepts no late entries.
"""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import Rows, changed_rows, combined
from games.models import Account, Player
from games.quotas import check_quota
from games.rules.text import Text
from tournament import queries
from tournament.core.actions import (
    find_late_entry_conflicts,
    first_unpaired_round,
    require_event_action,
)
from tournament.entries.byes import grant_missed_rounds
from tournament.entries.numbering import number_entries
from tournament.models import Entry, Tournament
from tournament.services.entry_actions import (
    find_change_conflicts,
    is_late_entry,
    require_entry_action,
)
from tournament.services.entry_edits import check_birth_year
from tournament.services.entry_payloads import entry_payload
from tournament.services.forfeits import forfeit_open_games
from tournament.services.locking import lock_entry, lock_tournament
from tournament.services.waiting_list import fill_places

State = Tournament.State


def count_entries(tournament: Tournament) -> int:
    """Return how many entries an event has, in any state."""
    return tournament.entries.count()


def first_pairable_round(tournament: Tournament) -> int:
    """Return the first round that can pair a new entry; raises Conflict if there is none."""
    for conflict in find_late_entry_conflicts(tournament):
        raise conflict
    return first_unpaired_round(tournament) if tournament.state == State.RUNNING else 1


def consent(entry: Entry, *, by: Account) -> Entry:
    """Store that the player agrees that their games are rated; games that exist are unchanged.

    Raises Conflict once the event is over.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_entry_action(tournament, entry, "consent")
        entry = lock_entry(tournament, entry)
        if entry.consented_at is None:
            entry.consented_at = timezone.now()
            entry.save(update_fields=["consented_at"])
            payload = {"entry": entry.pk}
            rows = changed_rows(entry)
            append_line(tournament.stream, "entry.consented", payload, by=by, rows=rows)
    return entry


def enter_player(
    tournament: Tournament,
    player: Player,
    *,
    by: Account,
    seed_rating: int | None = None,
    lot: int | None = None,
    **personal: Any,
) -> Entry:
    """Enter a player; in a running tournament, from the next unpaired round on.

    Without a seed rating, the player's own is used, or none (0). `lot` is the drawn number if
    pairing numbers are drawn by lot, `personal` are personal columns. Players who enter themselves
    agree that their games are rated. Raises Conflict if the player is already entered or no round
    is left, and Unprocessable for an impossible birth year.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_event_action(tournament, "enter")
        check_birth_year(tournament, personal.get("birth_year"))
        ordinal = count_entries(tournament) + 1
        check_quota("entries", ordinal, by=by)
        first_round = first_pairable_round(tournament)
        rating = player.seed_rating if seed_rating is None else seed_rating
        try:
            with transaction.atomic():
                entry = Entry(
                    tournament=tournament,
                    ordinal=ordinal,
                    player=player,
                    seed_rating=rating or 0,
                    lot=lot,
                    first_round=first_round,
                    **personal,
                    consented_at=timezone.now() if player.account_id == by.pk else None,
                )
                entry.save()
        except IntegrityError as error:
            raise Conflict(
                "entered_already", Text("%(name)s has already entered", name=player.name)
            ) from error
        rows: Rows = {}
        if tournament.state == State.RUNNING:
            rows = number_entries(tournament)
            entry.refresh_from_db()
        rows = combined(rows, changed_rows(entry))
        append_line(tournament.stream, "entry.accepted", entry_payload(entry), by=by, rows=rows)
        grant_missed_rounds(tournament, entry, by=by)
    return entry


def change_entry_state(entry: Entry, state: Entry.State, *, by: Account, reason: str = "") -> Entry:
    """Accept, refuse, withdraw or return an entry, or put it on the waiting list.

    Paired rounds stay unchanged. In a league, a player who withdraws loses the games that nobody
    has reported by forfeit.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        entry = lock_entry(tournament, entry)
        for conflict in find_change_conflicts(tournament, entry, state):
            raise conflict
        is_late = is_late_entry(tournament, entry, state)
        entry.state, entry.last_round = state, None
        if is_late:
            entry.first_round = first_pairable_round(tournament)
        entry.save(update_fields=["state", "first_round", "last_round"])
        rows: Rows = {}
        if is_late:
            rows = number_entries(tournament)
            entry.refresh_from_db()
        rows = combined(rows, changed_rows(entry))
        payload = entry_payload(entry) | ({"reason": reason} if reason else {})
        append_line(tournament.stream, f"entry.{state}", payload, by=by, rows=rows)
        if is_late:
            grant_missed_rounds(tournament, entry, by=by)
        if state != Entry.State.ACCEPTED:
            fill_places(tournament, by=by)
        is_withdrawn = state == Entry.State.WITHDRAWN and tournament.state == State.RUNNING
        if is_withdrawn and queries.is_league(tournament):
            forfeit_open_games(tournament, entry, by=by)
    return entry


def withdraw_entry(
    entry: Entry, *, by: Account, from_round: int | None = None, reason: str = ""
) -> Entry:
    """Withdraw an entry now, or from a round that is not the next one to be paired.

    Raises Unprocessable for a round that the event does not have.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        if from_round is None or from_round <= first_unpaired_round(tournament):
            return change_entry_state(entry, Entry.State.WITHDRAWN, by=by, reason=reason)
        if from_round > tournament.rounds:
            detail = Text("the event has rounds 1 to %(last)s", last=tournament.rounds)
            raise Unprocessable("no_such_round", detail, at="/from_round")
        entry = lock_entry(tournament, entry)
        for conflict in find_change_conflicts(tournament, entry, Entry.State.WITHDRAWN):
            raise conflict
        entry.last_round = from_round - 1
        entry.save(update_fields=["last_round"])
        payload = {
            "entry": entry.pk,
            "ordinal": entry.ordinal,
            "last_round": entry.last_round,
            "reason": reason,
        }
        rows = changed_rows(entry)
        append_line(tournament.stream, "entry.edited", payload, by=by, rows=rows)
    return entry
