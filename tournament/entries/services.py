"""Entries: enter a player, correct an entry, change its state, check it in.

The start assigns pairing numbers (numbering.py). A late entry is inserted at its seed position, so
that later numbers move by one; pairings refer to entries, not to numbers, so nothing else changes.
A system with a schedule accepts no late entries.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from games.core.errors import Conflict, Unprocessable, check_all
from games.core.journal.lines import append_line
from games.core.journal.rows import Rows, changed_rows, combined, journalled_fields
from games.core.limits import check_quota
from games.models import Account, Game, Player
from games.models.columns import columns_of
from games.names import FIRST_BIRTH_YEAR
from games.play.services import rule_game
from games.rules.game_outcome import RulingTermination
from games.rules.text import Text
from tournament.core.actions import (
    BEFORE_START,
    find_change_conflicts,
    find_late_entry_conflicts,
    find_place_conflicts,
    first_unpaired_round,
    is_late_entry,
    next_round,
    require_entry_action,
    require_event_action,
)
from tournament.core.custody import is_custodian
from tournament.core.locking import lock_entry, lock_tournament, no_round, require_state
from tournament.core.queries import absent_numbers, current_pairings, is_league
from tournament.core.systems import system_of
from tournament.entries.byes import grant_missed_rounds
from tournament.entries.numbering import can_renumber, number_entries, renumber_entries
from tournament.entries.queries import absent_entries
from tournament.models import Entry, Pairing, Round, Tournament

State = Tournament.State


PUBLIC = ("title", "club")
"""The personal values that everybody sees, until they are erased."""
PRIVATE_VALUES = tuple(name for name in columns_of(Entry).personal if name not in PUBLIC)
"""What only the event's officials and the player see."""


def enter_player(
    tournament: Tournament,
    player: Player,
    *,
    by: Account,
    seed_rating: int | None = None,
    **values: Any,
) -> Entry:
    """Enter a player; in a running tournament, from the next unpaired round on.

    Without a seed rating, the player's own is used, or none (0). `values` are other columns of the
    entry. Raises Conflict if the player is already entered or no round is left, and Unprocessable
    for an impossible birth year.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_event_action(tournament, "enter")
        if seed_rating is not None:
            values["seed_rating"] = seed_rating
        first_round = first_pairable_round(tournament)
        entry = add_entry(tournament, player, by=by, first_round=first_round, **values)
        rows: Rows = {}
        if tournament.state == State.RUNNING:
            rows = number_entries(tournament)
            entry.refresh_from_db()
        rows = combined(rows, changed_rows(entry))
        append_line(tournament.stream, "entry.accepted", entry_payload(entry), by=by, rows=rows)
        grant_missed_rounds(tournament, entry, by=by)
    return entry


def add_entry(
    tournament: Tournament, player: Player, *, by: Account | None, **values: Any
) -> Entry:
    """Save a new entry of a player; one who enters themselves agrees that their games are rated.

    If another account than one that keeps the registration enters the player, they are asked, and
    their own pages do not show the event until they agree (tournament/core/agreements.py).

    Raises Conflict if the player has an entry, and Unprocessable for an impossible birth year.
    """
    check_birth_year(tournament, values.get("birth_year"))
    ordinal = tournament.entries.count() + 1
    check_quota("entries", ordinal, by=by or Account())
    is_own = by is not None and player.account_id == by.pk
    columns = {
        "seed_rating": player.seed_rating or 0,
        "consented_at": timezone.now() if is_own else None,
        "agreement": agreement_of(tournament, player, by),
        **values,
    }
    try:
        with transaction.atomic():
            return Entry.objects.create(
                tournament=tournament, ordinal=ordinal, player=player, **columns
            )
    except IntegrityError as error:
        detail = Text("%(name)s has already entered", name=player.name)
        if columns.get("state") == Entry.State.APPLIED:
            detail = Text("%(name)s has already applied", name=player.name)
        raise Conflict("entered_already", detail) from error


def agreement_of(tournament: Tournament, player: Player, by: Account | None) -> Entry.Agreement:
    """Return whether a player who is entered by an account has agreed thereby, or is asked.

    Who registers by the link of the event, without an account, has agreed.
    """
    if by is None:
        is_agreed = not player.is_claimed and player.registered_in == tournament.stream
    else:
        is_agreed = is_custodian(by, player)
    return Entry.Agreement.AGREED if is_agreed else Entry.Agreement.ASKED


def first_pairable_round(tournament: Tournament) -> int:
    """Return the first round that can pair a new entry; raises Conflict if there is none."""
    for conflict in find_late_entry_conflicts(tournament):
        raise conflict
    return first_unpaired_round(tournament) if tournament.state == State.RUNNING else 1


def edit_entry(entry: Entry, changes: Mapping[str, Any], *, by: Account, reason: str = "") -> Entry:
    """Change values of an entry: `lot` before the start, `first_round` before it is paired.

    Raises Conflict if one of the changes is too late, and Unprocessable for an impossible value or
    a missing reason; then nothing changes.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_entry_action(tournament, entry, "edit")
        if "lot" in changes:
            require_state(tournament, *BEFORE_START)
        entry = lock_entry(tournament, entry)
        changed = {name: value for name, value in changes.items() if value != getattr(entry, name)}
        if not changed:
            return entry
        checks: list[Callable[[], object]] = [
            partial(check_birth_year, tournament, changed.get("birth_year")),
            partial(_check_reason, tournament, reason),
        ]
        if "first_round" in changed:
            checks.append(partial(_check_first_round, tournament, entry, changed["first_round"]))
        if "seed_rating" in changed:
            checks.append(partial(_check_starting_scores, tournament))
        check_all(*checks)
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


def _check_reason(tournament: Tournament, reason: str) -> None:
    """Raise Unprocessable if an event has started and no reason is given."""
    if not reason and tournament.state not in BEFORE_START:
        detail = Text("the event has started; say why the entry is corrected")
        raise Unprocessable("reason_needed", detail, at="/reason")


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
        had_left = entry.state == Entry.State.WITHDRAWN or entry.last_round is not None
        kind = "returned" if had_left and state == Entry.State.ACCEPTED else state
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
        append_line(tournament.stream, f"entry.{kind}", payload, by=by, rows=rows)
        if is_late:
            grant_missed_rounds(tournament, entry, by=by)
        if state != Entry.State.ACCEPTED:
            fill_places(tournament, by=by)
        is_withdrawn = state == Entry.State.WITHDRAWN and tournament.state == State.RUNNING
        if is_withdrawn and is_league(tournament):
            _forfeit_open_games(tournament, entry, by=by)
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
            raise Unprocessable("no_such_round", no_round(tournament), at="/from_round")
        entry = lock_entry(tournament, entry)
        for conflict in find_change_conflicts(tournament, entry, Entry.State.WITHDRAWN):
            raise conflict
        entry.last_round = from_round - 1
        entry.save(update_fields=["last_round"])
        payload = entry_payload(entry) | ({"reason": reason} if reason else {})
        rows = changed_rows(entry)
        append_line(tournament.stream, "entry.withdrawn", payload, by=by, rows=rows)
    return entry


WAITING_LIST_REASON = "the first of the waiting list"


def fill_places(tournament: Tournament, *, by: Account) -> list[Entry]:
    """Accept the first entries of the waiting list while there is a place; return them.

    The tournament is locked. The list is in the order of entering.
    """
    if not tournament.fills_places or tournament.state not in BEFORE_START:
        return []
    waiting = tournament.entries.filter(state=Entry.State.WAITING).select_related("player")
    accepted = []
    for entry in waiting.order_by("entered_at", "pk"):
        if any(find_place_conflicts(tournament)):
            break
        entry.state = Entry.State.ACCEPTED
        entry.save(update_fields=["state"])
        payload = entry_payload(entry) | {"reason": WAITING_LIST_REASON}
        rows = changed_rows(entry)
        append_line(tournament.stream, "entry.accepted", payload, by=by, rows=rows)
        accepted.append(entry)
    return accepted


def check_in(entry: Entry, action: str, *, by: Account) -> Entry:
    """Check an entry in for the next round that is published, or out (`check-out`).

    Raises Conflict if the event has no check-in, or the entry is not accepted.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        entry = lock_entry(tournament, entry)
        require_entry_action(tournament, entry, action)
        number = next_round(tournament) if action == "check-in" else None
        if entry.checked_in_round != number:
            entry.checked_in_round = number
            entry.save(update_fields=["checked_in_round"])
            kind = "entry.checked_in" if action == "check-in" else "entry.checked_out"
            payload = {"entry": entry.pk, "checked_in_round": number}
            append_line(tournament.stream, kind, payload, by=by, rows=changed_rows(entry))
    return entry


def check_in_all(tournament: Tournament, *, by: Account) -> int:
    """Check in all entries that are absent in the next round; return their number.

    Raises Conflict if the event has no check-in now.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        absent = list(absent_entries(tournament).order_by("ordinal"))
        for entry in absent:
            entry.tournament = tournament
            check_in(entry, "check-in", by=by)
    return len(absent)


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
            entry.agreement = Entry.Agreement.AGREED
            entry.save(update_fields=["consented_at", "agreement"])
            payload = {"entry": entry.pk}
            rows = changed_rows(entry)
            append_line(tournament.stream, "entry.consented", payload, by=by, rows=rows)
    return entry


def answer_entry(entry: Entry, answer: Entry.Agreement, *, by: Account) -> Entry:
    """Store that the player agrees to an entry that somebody else has made, or declines it.

    Who declines before the start is not in the event: the entry is refused, and the organiser
    cannot accept it again. Later, the tables of the event need the entry; the organiser sees that
    the player has declined, and may withdraw it.

    Raises Conflict if the player has agreed before, or has reported a game.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        entry = lock_entry(tournament, entry)
        is_agreed = answer == Entry.Agreement.AGREED
        require_entry_action(tournament, entry, "agree" if is_agreed else "decline")
        entry.agreement = answer
        if not is_agreed:
            entry.consented_at = None
            if tournament.state in BEFORE_START and entry.state != Entry.State.WITHDRAWN:
                entry.state = Entry.State.REFUSED
        entry.save(update_fields=["agreement", "consented_at", "state"])
        payload, rows = {"entry": entry.pk, "state": entry.state}, changed_rows(entry)
        if is_agreed:
            append_line(tournament.stream, "entry.agreed", payload, by=by, rows=rows)
        else:
            append_line(tournament.stream, "entry.declined", payload, by=by, rows=rows)
            fill_places(tournament, by=by)
    return entry


ABSENCE_REASON = "absent: the scheduled game is lost by forfeit"


def rule_forfeits(
    tournament: Tournament, number: int, pairings: Sequence[Pairing], *, by: Account
) -> None:
    """Rule the games of the absent players of a round as forfeits."""
    absent = absent_numbers(tournament, number)
    for pairing in pairings:
        if pairing.second is None:
            continue
        first, second = (
            entry.pairing_number in absent for entry in (pairing.first, pairing.second)
        )
        if first or second:
            result = "0-0" if first and second else "0-1" if first else "1-0"
            _rule_games(pairing, result, by=by)


def _forfeit_open_games(tournament: Tournament, entry: Entry, *, by: Account) -> None:
    """Rule the games of an entry that nobody has reported yet as lost by forfeit."""
    pairings = current_pairings(tournament).filter(
        Q(first=entry) | Q(second=entry), round__state=Round.State.PUBLISHED
    )
    for pairing in pairings.select_related("game", "return_game").order_by("round__number"):
        _rule_games(pairing, "0-1" if pairing.first_id == entry.pk else "1-0", by=by)


def _rule_games(pairing: Pairing, result: str, *, by: Account) -> None:
    """Rule the open games of a pairing; the result is by the seats of the pairing."""
    games = ((pairing.game, result), (pairing.return_game, result[::-1]))
    for game, result_of_game in games:
        if game is not None and game.state == Game.State.OPEN:
            rule_game(
                game,
                by=by,
                reason=ABSENCE_REASON,
                result=result_of_game,
                termination=RulingTermination.FORFEIT,
            )


def entry_payload(entry: Entry) -> dict[str, object]:
    """Return the journal payload of an entry, with the personal values that are set."""
    personal = columns_of(Entry).personal
    values = {field.name: getattr(entry, field.attname) for field in journalled_fields(Entry)}
    return {"entry": entry.pk} | {
        name: value
        for name, value in values.items()
        if isinstance(value, str | int | None) and (value or name not in personal)
    }
