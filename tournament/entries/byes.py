"""Requested byes: grant one, cancel one, or set all byes of a player in the rounds to come.

Half-point byes are limited in number and up to a round, for everyone. Players choose half-point and
zero-point byes themselves; a full-point bye is granted, and cancelled, by directors only.
"""

from collections.abc import Mapping
from functools import partial

from django.db import transaction
from django.db.models import Q

from games.core.errors import Conflict, Unprocessable, check_all
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows, deleted_rows
from games.models import Account
from games.rules.text import Text
from tournament.core.locking import lock_tournament, no_round
from tournament.core.queries import last_complete_round
from tournament.core.states import first_unpaired_round, require_event_allows
from tournament.entries.states import find_bye_conflicts, require_entry_allows, round_paired
from tournament.models import Bye, Entry, Tournament
from tournament.standings.results import Kind as ResultKind


def request_bye(
    entry: Entry, round_number: int, kind: Bye.Kind, *, by: Account, reason: str = ""
) -> Bye:
    """Grant an entry a bye in a round.

    Raises Conflict if the round is paired, or the entry has a bye in it or too many half-point
    byes, and Unprocessable for a round that does not exist.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_event_allows(tournament, "request_bye")
        _check_round(tournament, round_number, at="/round")
        if granted := tournament.byes.filter(entry=entry, round=round_number).first():
            detail = Text(
                "%(name)s has a %(kind)s in round %(number)s already; cancel it first",
                name=entry.player.name,
                kind=ResultKind(granted.kind),
                number=round_number,
            )
            raise Conflict("bye_granted", detail, bye_id=granted.pk)
        bye = _grant(tournament, entry, round_number, kind, by=by, reason=reason)
        _check_half_byes(tournament, entry)
    return bye


def cancel_bye(bye: Bye, *, by: Account) -> None:
    """Cancel a requested bye; raises Conflict if the round is paired."""
    with transaction.atomic():
        tournament = lock_tournament(bye.tournament)
        for conflict in find_bye_conflicts(tournament, bye):
            raise conflict
        _cancel(tournament, bye, by=by)


def set_availability(
    entry: Entry, kinds: Mapping[int, Bye.Kind], *, by: Account, by_director: bool
) -> list[Bye]:
    """Replace the byes of an entry in the rounds that are not paired; return all its byes.

    Those of complete rounds stay if they are not named. Raises Conflict for another bye, or none,
    in a round that is paired, and for too many half-point byes, and Unprocessable for a round that
    does not exist; then nothing changes.
    """
    with transaction.atomic():
        tournament = lock_tournament(entry.tournament)
        require_entry_allows(tournament, entry, "availability")
        own = Q(entry=entry, round__gt=last_complete_round(tournament))
        if not by_director:
            own &= ~Q(kind=Bye.Kind.FULL)
        stored = {bye.round: bye for bye in tournament.byes.filter(own)}
        all_kinds = dict(tournament.byes.filter(entry=entry).values_list("round", "kind"))
        check_all(
            *(
                partial(_check_round, tournament, number, at=f"/{number}")
                for number in sorted({*stored, *kinds})
                if kinds.get(number) != all_kinds.get(number)
            ),
            *(
                partial(_refuse_full_bye, at=f"/{number}")
                for number, kind in kinds.items()
                if kind == Bye.Kind.FULL != all_kinds.get(number) and not by_director
            ),
        )
        for number, bye in sorted(stored.items()):
            if kinds.get(number) != bye.kind:
                _cancel(tournament, bye, by=by)
        for number, kind in sorted(kinds.items()):
            if all_kinds.get(number) == kind:
                continue
            if number in all_kinds and number not in stored:
                detail = Text("a director granted a bye in round %(number)s", number=number)
                raise Conflict("bye_granted", detail, at=f"/{number}")
            _grant(tournament, entry, number, kind, by=by)
        _check_half_byes(tournament, entry)
    return list(tournament.byes.filter(entry=entry).order_by("round"))


def paired_byes(entry_id: int) -> dict[str, str]:
    """Return the byes of an entry in paired rounds, which no form shows, as the API takes them."""
    entry = Entry.objects.filter(pk=entry_id).select_related("tournament").first()
    if entry is None:
        return {}
    byes = entry.byes.filter(round__lt=first_unpaired_round(entry.tournament))
    return {str(number): kind for number, kind in byes.values_list("round", "kind")}


def _refuse_full_bye(*, at: str) -> None:
    detail = Text("only a director grants a full-point bye")
    raise Unprocessable("full_bye", detail, at=at)


def grant_missed_rounds(tournament: Tournament, entry: Entry, *, by: Account) -> None:
    """Grant a late entry half-point byes in the rounds that it misses, if the event does so.

    As many as a player may have, in the first rounds; the others are zero-point byes.
    """
    if tournament.missed_rounds == Tournament.MissedRounds.HALF:
        last = _last_round_with_half_byes(tournament)
        missed = range(1, min(entry.first_round - 1, last, tournament.half_byes) + 1)
        for number in missed:
            _grant(tournament, entry, number, Bye.Kind.HALF, by=by, reason="late entry")


def possible_byes(tournament: Tournament, number: int, *, granted: str = "") -> list[Bye.Kind]:
    """Return the byes that can be granted in a round, and the one that is granted there."""
    has_half = tournament.half_byes > 0 and number <= _last_round_with_half_byes(tournament)
    return [kind for kind in Bye.Kind if kind != Bye.Kind.HALF or has_half or kind == granted]


def _grant(
    tournament: Tournament,
    entry: Entry,
    number: int,
    kind: Bye.Kind,
    *,
    by: Account,
    reason: str = "",
) -> Bye:
    bye = Bye.objects.create(
        tournament=tournament, entry=entry, round=number, kind=kind, reason=reason
    )
    payload = {
        "entry": entry.pk,
        "ordinal": entry.ordinal,
        "round": number,
        "kind": kind,
        "reason": reason,
    }
    append_line(tournament.stream, "bye.granted", payload, by=by, rows=changed_rows(bye))
    return bye


def _cancel(tournament: Tournament, bye: Bye, *, by: Account) -> None:
    payload = {"entry": bye.entry_id, "round": bye.round, "kind": bye.kind}
    rows = deleted_rows(bye)
    bye.delete()
    append_line(tournament.stream, "bye.cancelled", payload, by=by, rows=rows)


def require_round(tournament: Tournament, number: int | None, *, at: str) -> None:
    """Raise Unprocessable for a round that the event does not have."""
    if number is not None and not 1 <= number <= tournament.rounds:
        raise Unprocessable("no_such_round", no_round(tournament), at=at)


def _check_round(tournament: Tournament, number: int, *, at: str) -> None:
    require_round(tournament, number, at=at)
    if number < first_unpaired_round(tournament):
        raise round_paired(number, at=at)


def _check_half_byes(tournament: Tournament, entry: Entry) -> None:
    """Raise Conflict for more half-point byes than the event allows, or too late ones."""
    half = tournament.byes.filter(entry=entry, kind=Bye.Kind.HALF)
    if half.count() > tournament.half_byes:
        detail = Text("the most half-point byes of a player: %(most)s", most=tournament.half_byes)
        raise Conflict("too_many_byes", detail)
    last = _last_round_with_half_byes(tournament)
    if half.filter(round__gt=last).exists():
        raise Conflict(
            "too_late_for_half_bye",
            Text("half-point byes are possible up to round %(last)s", last=last),
        )


def _last_round_with_half_byes(tournament: Tournament) -> int:
    last = tournament.half_byes_until_round
    return tournament.rounds if last is None else last
