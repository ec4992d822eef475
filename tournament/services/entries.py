"""Who takes part: entering, late entering, withdrawing and returning, asking for byes.

Pairing numbers are given at the start (numbering.py), and a late entry is put in where it belongs,
so that numbers below it move down by one. Pairings hold entries, not numbers, so nothing else
changes. A system with a schedule takes no late entries and gives no byes on request.

The year of birth, sex and category of an entry serve prizes alone, so they can be corrected until
the event is final; they are told to its directors and to the player, and to nobody else.
"""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from games.http.errors import Conflict, Unprocessable
from games.journal.lines import append_line
from games.models import Account, Player
from tournament.models import Bye, Entry, Round, Tournament
from tournament.services.locking import lock_tournament, require_state
from tournament.services.numbering import number_entries, set_lot
from tournament.services.systems import system_of

State = Tournament.State
OPEN_STATES = (State.DRAFT, State.REGISTRATION, State.RUNNING)
EDITABLE_STATES = (*OPEN_STATES, State.REVIEW)
PERSONAL = ("birth_year", "sex", "category")
FIRST_BIRTH_YEAR, LAST_BIRTH_YEAR = 1900, 2199


def first_unpaired_round(tournament: Tournament) -> int:
    """The first round that is not paired yet; one past the last when all are."""
    begun = tournament.round_set.exclude(state=Round.State.PLANNED)
    return (begun.aggregate(last=Max("number"))["last"] or 0) + 1


def first_pairable_round(tournament: Tournament) -> int:
    """The round from which somebody new can be paired; raises Conflict when there is none."""
    system = system_of(tournament)
    if tournament.state == State.RUNNING and system.has_schedule:
        detail = f"{system.name}: the schedule is fixed, and nobody new can enter"
        raise Conflict("no_late_entries", detail)
    number = first_unpaired_round(tournament) if tournament.state == State.RUNNING else 1
    if number > tournament.rounds:
        raise Conflict("no_round_left", "every round is paired; it is too late to enter")
    return number


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
    """Enter a player; while the event runs, as a late entry from the next unpaired round on.

    The seed rating is the one given, else the player's own, else none (0); `lot` is the number
    drawn, where numbers go by lot. Raises Conflict when the player is entered already, or no
    round is left, and Unprocessable for a year of birth that cannot be.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_state(tournament, *OPEN_STATES)
        _check_born(tournament, birth_year)
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
                )
        except IntegrityError as error:
            raise Conflict("entered_already", f"{player.name} has entered already") from error
        if tournament.state == State.RUNNING:
            number_entries(tournament)
            entry.refresh_from_db()
        append_line(tournament.stream, "entry.accepted", entry_payload(entry), by=by)
    return entry


def _check_born(tournament: Tournament, birth_year: int | None) -> None:
    last = tournament.starts_on.year
    if birth_year is not None and not FIRST_BIRTH_YEAR <= birth_year <= last:
        detail = (
            f"birth_year is {birth_year}; it is from {FIRST_BIRTH_YEAR} to {last}, the event's year"
        )
        errors = [{"pointer": "/birth_year", "code": "wrong_year", "detail": detail}]
        raise Unprocessable("wrong_year", detail, errors)


def edit_entry(entry: Entry, changes: Mapping[str, Any], *, by: Account) -> Entry:
    """Change the `lot` before the start; `birth_year`, `sex`, `category` until the event is final.

    Nothing is changed when one of them cannot be. Raises Conflict when it is too late, and
    Unprocessable for a year of birth that cannot be.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_state(tournament, *EDITABLE_STATES)
        _check_born(tournament, changes.get("birth_year"))
        if "lot" in changes:
            set_lot(entry, changes["lot"], by=by)
        entry = (
            tournament.entries.select_for_update(of=("self",))
            .select_related("player")
            .get(pk=entry.pk)
        )
        changed = {
            name: changes[name]
            for name in PERSONAL
            if name in changes and changes[name] != getattr(entry, name)
        }
        for name, value in changed.items():
            setattr(entry, name, value)
        if changed:
            entry.save(update_fields=list(changed))
            append_line(tournament.stream, "entry.edited", {"entry": entry.pk, **changed}, by=by)
    return entry


def entry_payload(entry: Entry) -> dict[str, object]:
    """What the journal tells of an entry; of the person only what is known."""
    person = {name: getattr(entry, name) for name in PERSONAL if getattr(entry, name)}
    return {
        "entry": entry.pk,
        "player": entry.player_id,
        "state": entry.state,
        "seed_rating": entry.seed_rating,
        "pairing_number": entry.pairing_number,
        "lot": entry.lot,
        "first_round": entry.first_round,
        **person,
    }


def change_entry_state(entry: Entry, state: Entry.State, *, by: Account) -> Entry:
    """Accept, refuse, withdraw or bring back an entry; rounds already paired stay as they are."""
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_state(tournament, *OPEN_STATES)
        entry = (
            tournament.entries.select_for_update(of=("self",))
            .select_related("player")
            .get(pk=entry.pk)
        )
        if entry.state == state:
            raise Conflict("nothing_to_do", f"{entry.player.name} is {state} already")
        numbered = entry.pairing_number is not None
        if state == Entry.State.REFUSED and numbered:
            raise Conflict("playing", f"{entry.player.name} is in the event; withdraw instead")
        entry.state = state
        if state == Entry.State.ACCEPTED and tournament.state == State.RUNNING and not numbered:
            entry.first_round = first_pairable_round(tournament)
        entry.save(update_fields=["state", "first_round"])
        if state == Entry.State.ACCEPTED and tournament.state == State.RUNNING and not numbered:
            number_entries(tournament)
            entry.refresh_from_db()
        append_line(tournament.stream, f"entry.{state}", entry_payload(entry), by=by)
    return entry


def request_bye(
    entry: Entry, round_number: int, kind: Bye.Kind, *, by: Account, reason: str = ""
) -> Bye:
    """Note that an entry is not to be paired in a round, and what the round is worth to it.

    Raises Conflict when the round is paired already or a half-point bye was had before, and
    Unprocessable for a round that the event has not.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_state(tournament, *OPEN_STATES)
        if not 1 <= round_number <= tournament.rounds:
            detail = f"the event has rounds 1 to {tournament.rounds}"
            errors = [{"pointer": "/round", "code": "no_such_round", "detail": detail}]
            raise Unprocessable("no_such_round", detail, errors)
        if round_number < first_unpaired_round(tournament):
            raise Conflict("round_paired", f"round {round_number} is paired already")
        system = system_of(tournament)
        if system.has_schedule:
            raise Conflict("no_byes", f"{system.name}: the schedule gives no byes on request")
        if kind == Bye.Kind.HALF:
            had = tournament.byes.filter(entry=entry, kind=kind).exclude(round=round_number)
            if had.count() >= tournament.half_byes:
                raise Conflict(
                    "too_many_byes", f"a player has at most {tournament.half_byes} half-point byes"
                )
        bye, _ = Bye.objects.update_or_create(
            tournament=tournament,
            entry=entry,
            round=round_number,
            defaults={"kind": kind, "reason": reason},
        )
        payload = {"entry": entry.pk, "round": round_number, "kind": kind, "reason": reason}
        append_line(tournament.stream, "bye.granted", payload, by=by)
    return bye


def cancel_bye(bye: Bye, *, by: Account) -> None:
    """Take a request back, while the round is not paired."""
    with transaction.atomic():
        tournament = lock_tournament(bye.tournament)
        require_state(tournament, *OPEN_STATES)
        if bye.round < first_unpaired_round(tournament):
            raise Conflict("round_paired", f"round {bye.round} is paired already")
        payload = {"entry": bye.entry_id, "round": bye.round, "kind": bye.kind}
        bye.delete()
        append_line(tournament.stream, "bye.cancelled", payload, by=by)
