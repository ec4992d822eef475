"""Entries: enter a player, correct an entry, change its state, check it in.

The start assigns pairing numbers (numbering.py). A late entry is inserted at its seed position, so
that later numbers move by one; pairings refer to entries, not to numbers, so nothing else changes.
A system with a schedule accepts no late entries.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from games.core.errors import Conflict, Unprocessable, check_all
from games.core.journal.lines import NewLine, append_line, append_lines, load_lines
from games.core.journal.rows import Rows, changed_rows, combined, journalled_fields
from games.core.limits import check_quota
from games.models import Account, Game, JournalLine, Player
from games.models.columns import columns_of, erase_columns
from games.names import FIRST_BIRTH_YEAR
from games.play.services import rule_game
from games.play.settlement import settle_game
from games.rules.game_outcome import RulingTermination
from games.rules.text import Text
from tournament.core.locking import lock_tournament, no_round, require_state
from tournament.core.queries import current_pairings, is_league
from tournament.core.states import (
    BEFORE_START,
    find_late_entry_conflicts,
    find_place_conflicts,
    first_unpaired_round,
    next_round,
    require_event_allows,
)
from tournament.core.systems import system_of
from tournament.entries.byes import grant_missed_rounds
from tournament.entries.letters import SENTENCES, tell_applicant
from tournament.entries.numbering import can_renumber, number_entries, renumber_entries
from tournament.entries.queries import absent_entries
from tournament.entries.states import (
    find_change_conflicts,
    is_late_entry,
    require_entering,
    require_entry_allows,
    state_after,
)
from tournament.entries.targets import lock_entry
from tournament.models import Entry, Pairing, Round, Tournament
from tournament.players.custody import is_custodian

State = Tournament.State


PUBLIC = ("title", "club")
"""The personal values that everybody sees, until they are erased."""
CHECKED_IN = "entry.checked_in"
"""The line of the journal for a player who has checked in."""
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
        require_event_allows(tournament, "enter")
        if seed_rating is not None:
            values["seed_rating"] = seed_rating
        first_round = first_pairable_round(tournament)
        entry = add_entry(tournament, player, by=by, first_round=first_round, **values)
        rows: Rows = {}
        if tournament.state == State.RUNNING:
            rows = number_entries(tournament)
            entry.refresh_from_db()  # its number was written to another object of this row
        rows = combined(rows, changed_rows(entry))
        append_line(tournament.stream, "entry.accepted", entry_payload(entry), by=by, rows=rows)
        grant_missed_rounds(tournament, entry, by=by)
    return entry


def enter_waiting(tournament: Tournament, player: Player, *, by: Account, **values: Any) -> Entry:
    """Enter a player on the waiting list; raises Conflict as `enter_player`, but for the places."""
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_entering(tournament, may_wait=True)
        entry = add_entry(tournament, player, by=by, state=Entry.State.WAITING, **values)
        rows = changed_rows(entry)
        append_line(tournament.stream, "entry.waiting", entry_payload(entry), by=by, rows=rows)
    return entry


def add_entry(
    tournament: Tournament, player: Player, *, by: Account | None, **values: Any
) -> Entry:
    """Save a new entry of a player; one who enters themselves agrees that their games are rated.

    If another account than one that keeps the registration enters the player, they are asked, and
    their own pages do not show the event until they agree (tournament/players/agreements.py).
    Before the start, the player's own entry or application replaces one that somebody else has
    made and to which they have not agreed; who kept the registration before them has not done so
    for them.

    Raises Conflict if the player has an entry, and Unprocessable for an impossible birth year.
    """
    check_birth_year(tournament, values.get("birth_year"))
    is_own = by is not None and player.account_id == by.pk
    columns = {
        "seed_rating": player.seed_rating or 0,
        "consented_at": timezone.now() if is_own else None,
        "agreement": agreement_of(tournament, player, by),
        **values,
    }
    rows = tournament.entries.select_for_update(of=("self",)).filter(player=player)
    retracted = rows.filter(state=Entry.State.RETRACTED)
    if not is_own:
        retracted = retracted.exclude(agreement=Entry.Agreement.DECLINED)
    if (entry := retracted.first()) is not None:
        return _enter_again(entry, is_own=is_own, **columns)
    if is_own and tournament.state in BEFORE_START:
        own = {"agreement": Entry.Agreement.AGREED, "consented_at__isnull": False}
        if (entry := rows.exclude(**own).first()) is not None:
            return _replace_entry(entry, player, **values)
    ordinal = tournament.entries.count() + 1
    check_quota("entries", ordinal, by=by or Account())
    try:
        with transaction.atomic():
            return Entry.objects.create(
                tournament=tournament, ordinal=ordinal, player=player, **columns
            )
    except IntegrityError as error:
        detail, at = Text("%(name)s has already entered", name=player.name), "/player_id"
        if columns.get("state") == Entry.State.APPLIED:
            detail, at = Text("%(name)s has already applied", name=player.name), ""
        raise Conflict("entered_already", detail, at=at) from error


def _replace_entry(entry: Entry, player: Player, **values: Any) -> Entry:
    """Make an entry that its player has not agreed to, or only others for them, their own.

    An application leaves them the place that the organiser has given them; nothing else stays that
    others have stated.
    """
    placed = (Entry.State.ACCEPTED, Entry.State.WAITING)
    if values.get("state") == Entry.State.APPLIED and entry.state in placed:
        del values["state"]
    else:
        erase_columns(entry)
        columns = {"state": Entry.State.ACCEPTED, "seed_rating": player.seed_rating or 0}
        values = columns | values
    for name, value in values.items():
        setattr(entry, name, value)
    entry.agreement, entry.consented_at = Entry.Agreement.AGREED, timezone.now()
    entry.save()
    return entry


def _enter_again(entry: Entry, *, is_own: bool, **columns: Any) -> Entry:
    """Make an application that was withdrawn a new entry, the last in the order of entering.

    An applicant without a login, who applies again from their own page, keeps the address.
    """
    address = {"email": entry.email, "language": entry.language} if is_own else {"language": ""}
    erase_columns(entry)
    entered = {"state": Entry.State.ACCEPTED, "entered_at": timezone.now()}
    for name, value in {**entered, **address, **columns}.items():
        setattr(entry, name, value)
    entry.save()
    return entry


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


def edit_entry(
    entry: Entry,
    changes: Mapping[str, Any],
    *,
    by: Account,
    reason: str = "",
    accepted: Mapping[str, Any] | None = None,
) -> Entry:
    """Change values of an entry: `lot` before the start, `first_round` before it is paired.

    `accepted` is the effect on what is published, for the journal (tournament/events/effects.py).
    Raises Conflict if one of the changes is too late, and Unprocessable for an impossible value or
    a missing reason, which nobody needs to note a payment; then nothing changes.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_entry_allows(tournament, entry, "edit")
        entry = lock_entry(tournament, entry)
        changed = {name: value for name, value in changes.items() if value != getattr(entry, name)}
        if "lot" in changed:
            require_state(tournament, *BEFORE_START)
        if not changed:
            return entry
        if changed.keys() != {"paid"}:
            _check_changes(tournament, entry, {**changed, "reason": reason})
        for name, value in changed.items():
            setattr(entry, name, value)
        entry.save(update_fields=list(changed))
        payload = {"entry": entry.pk, "ordinal": entry.ordinal, **changed, **(accepted or {})} | (
            {"reason": reason} if reason else {}
        )
        renumbered: list[Entry] = []
        if "seed_rating" in changed and can_renumber(tournament):
            renumbered = renumber_entries(tournament)
            payload["numbers"] = [[other.pk, other.pairing_number] for other in renumbered]
            # Its number was written to another object of this row.
            entry.refresh_from_db(fields=["pairing_number"])
        rows = changed_rows(*renumbered, entry)
        append_line(tournament.stream, "entry.edited", payload, by=by, rows=rows)
    return entry


def _check_changes(tournament: Tournament, entry: Entry, changes: Mapping[str, Any]) -> None:
    """Raise Unprocessable for impossible values and a missing reason, Conflict for late changes."""
    check_all(
        partial(check_birth_year, tournament, changes.get("birth_year")),
        partial(_check_reason, tournament, changes.get("reason", "")),
        partial(_check_first_round, tournament, entry, changes.get("first_round")),
        partial(_check_starting_scores, tournament, is_needed="seed_rating" in changes),
        partial(_check_expelled, tournament, entry, changes.get("expelled", "")),
    )


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
        raise Unprocessable("wrong_year", detail, at=at, min=FIRST_BIRTH_YEAR, max=last)


def _check_reason(tournament: Tournament, reason: str) -> None:
    """Raise Unprocessable if an event has started and no reason is given."""
    if not reason and tournament.state not in BEFORE_START:
        detail = Text("the event has started; say why the entry is corrected")
        raise Unprocessable("reason_needed", detail, at="/reason")


def _check_first_round(tournament: Tournament, entry: Entry, number: int | None) -> None:
    """Raise Conflict if a round could pair the entry already, Unprocessable for other rounds."""
    if number is None:
        return
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


def _check_expelled(tournament: Tournament, entry: Entry, reason: str) -> None:
    """Raise Conflict for an expelled player who would still be paired."""
    if reason and entry.state != Entry.State.WITHDRAWN and tournament.state != State.REVIEW:
        detail = Text("%(name)s is still in the event; withdraw first", name=entry.player.name)
        raise Conflict("playing", detail, at="/expelled")


def _check_starting_scores(tournament: Tournament, *, is_needed: bool) -> None:
    """Raise Conflict if the rating decided the starting scores of a round that is paired."""
    if is_needed and system_of(tournament).starting_scores and first_unpaired_round(tournament) > 1:
        detail = Text("round 1 is paired; the seed ratings decided its starting scores")
        raise Conflict("starting_scores_fixed", detail)


def change_entry_state(entry: Entry, state: Entry.State, *, by: Account, reason: str = "") -> Entry:
    """Accept, refuse, withdraw or return an entry, or put it on the waiting list.

    Who withdraws without a place was never public, and is not now (`RETRACTED`).
    Paired rounds stay unchanged. In a league, a player who withdraws loses the games that nobody
    has reported by forfeit.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        entry = lock_entry(tournament, entry)
        state = state_after(entry, state)
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
            entry.refresh_from_db()  # its number was written to another object of this row
        rows = combined(rows, changed_rows(entry))
        payload = entry_payload(entry) | ({"reason": reason} if reason else {})
        append_line(tournament.stream, f"entry.{kind}", payload, by=by, rows=rows)
        if state in SENTENCES and not had_left:
            tell_applicant(entry)
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

    Raises Unprocessable for a round that the event does not have, Conflict for a published one.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        if from_round is not None:
            _require_unpublished(tournament, from_round)
        if from_round is None or from_round <= first_unpaired_round(tournament):
            return change_entry_state(entry, Entry.State.WITHDRAWN, by=by, reason=reason)
        entry = lock_entry(tournament, entry)
        for conflict in find_change_conflicts(tournament, entry, Entry.State.WITHDRAWN):
            raise conflict
        entry.last_round = from_round - 1
        entry.save(update_fields=["last_round"])
        payload = entry_payload(entry) | ({"reason": reason} if reason else {})
        rows = changed_rows(entry)
        append_line(tournament.stream, "entry.withdrawn", payload, by=by, rows=rows)
    return entry


def _require_unpublished(tournament: Tournament, number: int) -> None:
    """Raise Unprocessable for a round that does not exist, Conflict for one that is published."""
    if number > tournament.rounds:
        raise Unprocessable("no_such_round", no_round(tournament), at="/from_round")
    following = next_round(tournament)
    if number >= following:
        return
    place = {
        "number": number,
        "state": Round.State(tournament.round_set.get(number=number).state),
    }
    if following > tournament.rounds:
        detail = Text(
            "round %(number)s is %(state)s, and no later one is left to pair; withdraw the player "
            "without a round, and decide the games that they do not play",
            **place,
        )
    else:
        detail = Text(
            "round %(number)s is %(state)s; withdraw the player from round %(next)s on, and decide "
            "the games that they do not play",
            **place,
            next=following,
        )
    raise Conflict("round_published", detail, at="/from_round")


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
        tell_applicant(entry)
        accepted.append(entry)
    return accepted


def check_in(entry: Entry, action: str, *, by: Account) -> Entry:
    """Check an entry in for the next round that is published, or out (`check_out`).

    Raises Conflict if the event has no check-in, or the entry is not accepted.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        entry = lock_entry(tournament, entry)
        _check_in(tournament, [entry], action, by=by)
    return entry


def check_in_all(tournament: Tournament, *, by: Account) -> list[JournalLine]:
    """Check in all entries that are absent in the next round; return the lines of the journal.

    Raises Conflict if the event has no check-in now.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        absent = absent_entries(tournament).select_for_update().order_by("ordinal")
        return _check_in(tournament, list(absent), "check_in", by=by)


def undo_check_in(tournament: Tournament, first: int, last: int, *, by: Account) -> None:
    """Check out the entries whose check-in the lines of the journal from `first` on state.

    Those who have checked in again, or out, since then stay as they are. Raises Conflict if the
    event has no check-in now.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        lines = load_lines(tournament.stream).filter(sequence__gte=first, kind=CHECKED_IN)
        numbers: dict[int, tuple[int, int]] = {}
        for line in lines.filter(payload__isnull=False):
            body = line.payload.body
            numbers[body["entry"]] = line.sequence, body["checked_in_round"]
        accepted = tournament.entries.select_for_update().filter(state=Entry.State.ACCEPTED)
        unchanged = [
            entry
            for entry in accepted.order_by("ordinal")
            if entry.pk in numbers
            and numbers[entry.pk][0] <= last
            and entry.checked_in_round == numbers[entry.pk][1]
        ]
        _check_in(tournament, unchanged, "check_out", by=by)


def _check_in(
    tournament: Tournament, entries: Sequence[Entry], action: str, *, by: Account
) -> list[JournalLine]:
    """Check locked entries in or out, with a line in the journal for each that changes."""
    for entry in entries:
        entry.tournament = tournament
        require_entry_allows(tournament, entry, action)
    number = next_round(tournament) if action == "check_in" else None
    changed = [entry for entry in entries if entry.checked_in_round != number]
    lines = []
    for entry in changed:
        entry.checked_in_round = number
        payload = {"entry": entry.pk, "checked_in_round": number}
        kind = CHECKED_IN if action == "check_in" else "entry.checked_out"
        lines.append(NewLine(kind, payload, by, changed_rows(entry)))
    Entry.objects.bulk_update(changed, ["checked_in_round"])
    return append_lines(tournament.stream, lines) if lines else []


def consent(entry: Entry, *, by: Account) -> Entry:
    """Store that the player agrees that their games are rated; games that exist are unchanged.

    Raises Conflict once the event is over.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_entry_allows(tournament, entry, "consent")
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
        require_entry_allows(tournament, entry, "accept" if is_agreed else "decline")
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


def _forfeit_open_games(tournament: Tournament, entry: Entry, *, by: Account) -> None:
    """Rule the games of an entry that nobody has reported yet as lost by forfeit."""
    pairings = current_pairings(tournament).filter(
        Q(first=entry) | Q(second=entry), round__state=Round.State.PUBLISHED
    )
    for pairing in pairings.select_related("game", "return_game").order_by("round__number"):
        rule_open_games(pairing, "0-1" if pairing.first_id == entry.pk else "1-0", by=by)


def rule_open_games(pairing: Pairing, result: str, *, by: Account) -> None:
    """Rule and settle the open games of a pairing; the result is by the seats of the pairing.

    The answer to the request shows them as forfeited, and a worker has nothing left to settle.
    """
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
            settle_game(game.pk)


def entry_payload(entry: Entry) -> dict[str, object]:
    """Return the journal payload of an entry, with the personal values that are set."""
    personal = columns_of(Entry).personal
    values = {field.name: getattr(entry, field.attname) for field in journalled_fields(Entry)}
    return {"entry": entry.pk} | {
        name: value
        for name, value in values.items()
        if isinstance(value, str | int | None) and (value or name not in personal)
    }
