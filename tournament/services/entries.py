"""Entries and byes: enter, edit, withdraw and return, request a bye.

The start assigns pairing numbers (numbering.py). A late entry is inserted at its seed position, so
that later numbers move by one; pairings refer to entries, not to numbers, so nothing else changes.
A system with a schedule accepts no late entries and no requested byes.

The birth year, sex and category of an entry serve only prizes. They can be corrected until the
tournament is final, and only its directors and the player see them.
"""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.http.errors import Conflict, Unprocessable
from games.journal import append_line
from games.models import Account, Player
from games.quotas import check_quota
from games.validators import FIRST_BIRTH_YEAR
from tournament import queries
from tournament.models import Bye, Entry, Tournament
from tournament.services.entry_actions import (
    find_bye_conflicts,
    find_change_conflicts,
    is_late_entry,
    require_entry_action,
    round_paired,
)
from tournament.services.event_actions import (
    find_late_entry_conflicts,
    first_unpaired_round,
    require_event_action,
)
from tournament.services.forfeits import forfeit_open_games
from tournament.services.locking import lock_entry, lock_tournament, require_state
from tournament.services.numbering import number_entries, publish_entries

State = Tournament.State
PERSONAL = ("birth_year", "sex", "category")


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
            append_line(tournament.stream, "entry.consented", {"entry": entry.pk}, by=by)
    return entry


def enter_player(
    tournament: Tournament,
    player: Player,
    *,
    by: Account,
    seed_rating: int | None = None,
    lot: int | None = None,
    birth_year: int | None = None,
    sex: str = "",
    category: str = "",
) -> Entry:
    """Enter a player; in a running tournament, from the next unpaired round on.

    Without a seed rating, the player's own is used, or none (0). `lot` is the drawn number if
    pairing numbers are drawn by lot. Players who enter themselves agree that their games are
    rated. Raises Conflict if the player is already entered or no round
    is left, and Unprocessable for an impossible birth year.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_event_action(tournament, "enter")
        _check_birth_year(tournament, birth_year)
        check_quota("entries", tournament.entries.count() + 1, by=by)
        first_round = first_pairable_round(tournament)
        rating = player.seed_rating if seed_rating is None else seed_rating
        try:
            with transaction.atomic():
                entry = Entry.objects.create(
                    tournament=tournament,
                    player=player,
                    seed_rating=rating or 0,
                    lot=lot,
                    first_round=first_round,
                    birth_year=birth_year,
                    sex=sex,
                    category=category,
                    consented_at=timezone.now() if player.account_id == by.pk else None,
                )
        except IntegrityError as error:
            raise Conflict("entered_already", f"{player.name} has already entered") from error
        if tournament.state == State.RUNNING:
            number_entries(tournament)
            entry.refresh_from_db()
        append_line(tournament.stream, "entry.accepted", entry_payload(entry), by=by)
    return entry


def _check_birth_year(tournament: Tournament, birth_year: int | None) -> None:
    last = tournament.starts_on.year
    if birth_year is not None and not FIRST_BIRTH_YEAR <= birth_year <= last:
        detail = (
            f"birth_year is {birth_year}; it must be from {FIRST_BIRTH_YEAR} to {last}, "
            "the year of the event"
        )
        raise Unprocessable("wrong_year", detail, at="/birth_year")


def edit_entry(entry: Entry, changes: Mapping[str, Any], *, by: Account) -> Entry:
    """Change the `lot` before the start, `birth_year`, `sex`, `category` until the final state.

    Raises Conflict if one of the changes is too late, and Unprocessable for an impossible birth
    year; then nothing changes.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_entry_action(tournament, entry, "edit")
        _check_birth_year(tournament, changes.get("birth_year"))
        if "lot" in changes:
            require_state(tournament, State.DRAFT, State.REGISTRATION)
        entry = lock_entry(tournament, entry)
        changed = {name: value for name, value in changes.items() if value != getattr(entry, name)}
        for name, value in changed.items():
            setattr(entry, name, value)
        if changed:
            entry.save(update_fields=list(changed))
        if "lot" in changed:
            payload = {"entry": entry.pk, "lot": changed.pop("lot")}
            append_line(tournament.stream, "entry.lot", payload, by=by)
        if changed:
            append_line(tournament.stream, "entry.edited", {"entry": entry.pk, **changed}, by=by)
    return entry


def entry_payload(entry: Entry) -> dict[str, object]:
    """Return the journal payload of an entry, with the personal values that are set."""
    personal = {name: getattr(entry, name) for name in PERSONAL if getattr(entry, name)}
    return {
        "entry": entry.pk,
        "player": entry.player_id,
        "state": entry.state,
        "seed_rating": entry.seed_rating,
        "pairing_number": entry.pairing_number,
        "lot": entry.lot,
        "first_round": entry.first_round,
        **personal,
    }


def change_entry_state(entry: Entry, state: Entry.State, *, by: Account) -> Entry:
    """Accept, refuse, withdraw or return an entry; paired rounds stay unchanged.

    In a league, a player who withdraws loses the games that nobody has reported by forfeit.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        entry = lock_entry(tournament, entry)
        for conflict in find_change_conflicts(tournament, entry, state):
            raise conflict
        is_late = is_late_entry(tournament, entry, state)
        entry.state = state
        if is_late:
            entry.first_round = first_pairable_round(tournament)
        entry.save(update_fields=["state", "first_round"])
        if is_late:
            number_entries(tournament)
            entry.refresh_from_db()
        append_line(tournament.stream, f"entry.{state}", entry_payload(entry), by=by)
        if tournament.state == State.RUNNING and queries.is_league(tournament):
            # No later pairing depends on it, so nothing has to wait for one.
            publish_entries(tournament)
            if state == Entry.State.WITHDRAWN:
                forfeit_open_games(tournament, entry, by=by)
    return entry


def request_bye(
    entry: Entry, round_number: int, kind: Bye.Kind, *, by: Account, reason: str = ""
) -> Bye:
    """Grant an entry a bye in a round.

    Raises Conflict if the round is paired, or the entry has a bye in it or too many half-point
    byes, and Unprocessable for a round that does not exist.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_event_action(tournament, "request_bye")
        if not 1 <= round_number <= tournament.rounds:
            detail = f"the event has rounds 1 to {tournament.rounds}"
            raise Unprocessable("no_such_round", detail, at="/round")
        if round_number < first_unpaired_round(tournament):
            raise round_paired(round_number)
        byes = tournament.byes.filter(entry=entry)
        if granted := byes.filter(round=round_number).first():
            detail = (
                f"{entry.player.name} has a {granted.kind} in round {round_number} already; "
                "cancel it first"
            )
            raise Conflict("bye_granted", detail, bye=granted.pk)
        is_half = kind == Bye.Kind.HALF
        if is_half and byes.filter(kind=kind).count() >= tournament.half_byes:
            detail = f"a player has at most {tournament.half_byes} half-point byes"
            raise Conflict("too_many_byes", detail)
        bye = Bye.objects.create(
            tournament=tournament, entry=entry, round=round_number, kind=kind, reason=reason
        )
        payload = {"entry": entry.pk, "round": round_number, "kind": kind, "reason": reason}
        append_line(tournament.stream, "bye.granted", payload, by=by)
    return bye


def cancel_bye(bye: Bye, *, by: Account) -> None:
    """Cancel a requested bye; raises Conflict if the round is paired."""
    with transaction.atomic():
        tournament = lock_tournament(bye.tournament)
        for conflict in find_bye_conflicts(tournament, bye):
            raise conflict
        payload = {"entry": bye.entry_id, "round": bye.round, "kind": bye.kind}
        bye.delete()
        append_line(tournament.stream, "bye.cancelled", payload, by=by)
