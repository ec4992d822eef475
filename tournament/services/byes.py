"""Requested byes: grant one, cancel one."""

from django.db import transaction

from games.http.errors import Conflict, Unprocessable
from games.journal import append_line
from games.models import Account
from tournament.models import Bye, Entry
from tournament.services.entry_actions import find_bye_conflicts, round_paired
from tournament.services.event_actions import first_unpaired_round, require_event_action
from tournament.services.locking import lock_tournament


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
