"""Revert a round: withdraw its pairings, restore an older version of them, or reopen it.

Nothing is deleted. A version that is not current keeps its pairings and games; its games are void
until it is restored.
"""

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.core.errors import Conflict, Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import Rows, changed_rows, combined, deleted_rows
from games.models import Account
from games.rules.text import Text
from tournament import queries
from tournament.models import Round, Snapshot, Tournament
from tournament.queries.versions import RoundVersion, load_versions, notes_by_ordinal
from tournament.rounds.games import update_void_games
from tournament.services.locking import lock_current_round
from tournament.services.versions import next_version


def unpair_round(tournament: Tournament, number: int, *, reason: str, by: Account) -> Round:
    """Set a round back to planned; its pairings remain as an older version, with void games.

    Drafts of later rounds are withdrawn as well. Raises Conflict once a later round is published,
    Unprocessable if the round is published and there is no reason.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "unpair")
        if this_round.state != Round.State.DRAFTED and not reason:
            raise _reason_needed(Text("say why the published round is unpaired"))
        withdraw_pairings(tournament, this_round, reason, by)
        _withdraw_later_drafts(tournament, number, reason, by)
    return this_round


def reopen_round(tournament: Tournament, number: int, *, reason: str, by: Account) -> Round:
    """Set a complete round back to published; drafts of later rounds are withdrawn.

    Raises Conflict once a later round is published, Unprocessable without a reason.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "reopen")
        if not reason:
            raise _reason_needed(Text("say why the complete round is reopened"))
        this_round.state = Round.State.PUBLISHED
        this_round.completed_at = None
        this_round.save(update_fields=["state", "completed_at"])
        rows = combined(changed_rows(this_round), _delete_snapshots(this_round))
        payload = {"round": number, "version": this_round.version, "reason": reason}
        append_line(tournament.stream, "round.reopened", payload, by=by, rows=rows)
        _withdraw_later_drafts(tournament, number, reason, by)
    return this_round


def restore_version(
    tournament: Tournament, number: int, version: int, *, reason: str, by: Account
) -> Round:
    """Make an older version of a round current again, with its games and results.

    A draft is a draft again; a version that was published or complete is published again. Raises
    Conflict for an unknown version, and as `unpair_round` and `pair_round` do.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "restore")
        found = _find_version(tournament, this_round, version)
        rows = _make_current(this_round, found)
        payload = {
            "round": number,
            "version": version,
            "reason": reason,
            "state": this_round.state,
            "pairings": {
                "system": found.system,
                "reason": found.reason,
                "notes": notes_by_ordinal(tournament, found.notes),
                "relaxed": found.relaxed,
            },
        }
        append_line(tournament.stream, "round.restored", payload, by=by, rows=rows)
        _withdraw_later_drafts(tournament, number, reason, by)
    return this_round


def _reason_needed(detail: str) -> Unprocessable:
    return Unprocessable("reason_needed", detail, at="/reason")


def withdraw_pairings(tournament: Tournament, this_round: Round, reason: str, by: Account) -> None:
    """Give a round, whose tournament is locked, an empty version."""
    unpaired, this_round.version = this_round.version, next_version(this_round)
    this_round.state = Round.State.PLANNED
    this_round.system, this_round.reason = "", ""
    this_round.notes, this_round.relaxed = [], []
    rows = _save(this_round)
    payload = {
        "round": this_round.number,
        "version": this_round.version,
        "unpaired": unpaired,
        "reason": reason,
    }
    append_line(tournament.stream, "round.unpaired", payload, by=by, rows=rows)


def _withdraw_later_drafts(tournament: Tournament, number: int, reason: str, by: Account) -> None:
    """Withdraw drafts that were paired from the results of the round."""
    if queries.is_league(tournament):
        return
    drafted = Q(number__gt=number, state=Round.State.DRAFTED)
    for later in tournament.round_set.filter(drafted).order_by("number"):
        withdraw_pairings(tournament, later, reason, by)


def _find_version(tournament: Tournament, this_round: Round, version: int) -> RoundVersion:
    """Return an older version of the round; raises Conflict."""
    versions = {found.version: found for found in load_versions(tournament, this_round)}
    if version not in versions:
        listed = ", ".join(map(str, versions)) or "none"
        detail = Text(
            "round %(number)s has no version %(version)s; it has: %(versions)s",
            number=this_round.number,
            version=version,
            versions=listed,
        )
        raise Conflict("no_such_version", detail, at="/version", valid=list(versions))
    if versions[version].is_current:
        raise Conflict(
            "version_current",
            Text("version %(version)s is the current one", version=version),
            at="/version",
        )
    return versions[version]


def _make_current(this_round: Round, version: RoundVersion) -> Rows:
    is_draft = version.state == Round.State.DRAFTED
    this_round.version = version.version
    this_round.state = Round.State.DRAFTED if is_draft else Round.State.PUBLISHED
    this_round.system, this_round.reason = version.system, version.reason
    this_round.notes, this_round.relaxed = list(version.notes), list(version.relaxed)
    return _save(this_round)


def _save(this_round: Round) -> Rows:
    """Store a round whose version has changed; its standings are no longer those of the round.

    Return the changed columns.
    """
    is_published = this_round.state == Round.State.PUBLISHED
    this_round.published_at = timezone.now() if is_published else None
    this_round.completed_at = None
    this_round.save()
    snapshots = _delete_snapshots(this_round)
    return combined(changed_rows(this_round), snapshots, update_void_games(this_round))


def _delete_snapshots(this_round: Round) -> Rows:
    snapshots = Snapshot.objects.filter(round=this_round)
    rows = deleted_rows(*snapshots)
    snapshots.delete()
    return rows
