"""Change rounds: plan, schedule, publish, complete and revert them.

planned > drafted > published > complete > locked

Nothing is deleted when the pairings of a round are withdrawn, or an older version of them is
restored. A version that is not current keeps its pairings and games; its games are void until then.
"""

from collections.abc import Collection
from datetime import date, datetime, time
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from games.core.errors import Conflict, Unprocessable
from games.core.journal.chain import format_time
from games.core.journal.lines import append_line
from games.core.journal.rows import (
    Rows,
    changed_rows,
    combined,
    deleted_rows,
    updated_rows,
    whole_rows,
)
from games.models import Account, Game
from games.rules.text import Moment, Text
from tournament.core.crosstable import standings_digest
from tournament.core.engine import load_request
from tournament.core.locking import lock_tournament
from tournament.core.queries import current_pairings, is_league
from tournament.core.states import BEFORE_START
from tournament.core.systems import check_field, system_of
from tournament.core.violations import BY_HAND, find_violations
from tournament.entries.numbering import store_printed_numbers
from tournament.models import Certificate, Entry, Pairing, Round, Tournament
from tournament.rounds.acceptance import codes_of, require_acceptance
from tournament.rounds.by_hand import pair_to_compare
from tournament.rounds.forfeits import rule_forfeits
from tournament.rounds.games import (
    create_games,
    games_of,
    games_of_round,
    update_complete_games,
    update_void_games,
)
from tournament.rounds.pairing import next_version, notes_by_ordinal
from tournament.rounds.queries import RoundVersion, load_versions
from tournament.rounds.targets import lock_current_round


def plan_rounds(tournament: Tournament) -> Rows:
    """Create the rounds that are missing, and return them; those with a date exist already."""
    existing = set(tournament.round_set.values_list("number", flat=True))
    missing = [number for number in range(1, tournament.rounds + 1) if number not in existing]
    rounds = [Round(tournament=tournament, number=number) for number in missing]
    Round.objects.bulk_create(rounds)
    return changed_rows(*rounds)


def require_rounds(tournament: Tournament) -> None:
    """Raise Conflict if a running event cannot have its number of rounds, which is not saved yet.

    It would remove a draft, or a round that was ever published, or does not fit the system.
    """
    surplus = tournament.round_set.filter(number__gt=tournament.rounds).order_by("number")
    for drafted in surplus.filter(state=Round.State.DRAFTED):
        detail = Text("round %(number)s is drafted; unpair it first", number=drafted.number)
        raise Conflict("round_drafted", detail, at="/rounds", round=drafted.number)
    for published in surplus.filter(pairings__game__isnull=False):
        detail = Text(
            "round %(number)s was published and cannot be removed; annul its games",
            number=published.number,
        )
        raise Conflict("round_published", detail, at="/rounds", round=published.number)
    check_field(tournament, tournament.entries.filter(state=Entry.State.ACCEPTED).count())


def remove_surplus_rounds(tournament: Tournament) -> Rows:
    """Delete the rounds after the last one, which were never published, and the byes in them.

    Return the deleted rows.
    """
    rounds = tournament.round_set.filter(number__gt=tournament.rounds)
    byes = tournament.byes.filter(round__gt=tournament.rounds)
    of_rounds = (model.objects.filter(round__in=rounds) for model in (Pairing, Certificate))
    deleted = deleted_rows(*rounds, *byes, *(row for rows in of_rounds for row in rows))
    rounds.delete()
    byes.delete()
    return deleted


def schedule_round(
    tournament: Tournament,
    number: int,
    starts_on: date | None,
    start_time: time | None = None,
    *,
    by: Account,
    at: str = "/starts_on",
) -> Round:
    """Set the date of a round and of its games, and the time in the time zone of the event.

    Before the start of the event, this adds the round. Raises Unprocessable for a date outside the
    event, with `at` as its place, Conflict if the round is complete.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        is_new = False
        if tournament.state in BEFORE_START and number <= tournament.rounds:
            # Before the lock of the round below, which needs its row.
            _, is_new = tournament.round_set.get_or_create(number=number)
        tournament, this_round = lock_current_round(tournament, number, "edit")
        if starts_on and not tournament.starts_on <= starts_on <= tournament.ends_on:
            detail = Text(
                "the event is from %(first)s to %(last)s",
                first=Moment(tournament.starts_on),
                last=Moment(tournament.ends_on),
            )
            raise Unprocessable("outside_tournament", detail, at=at)
        same = (this_round.starts_on, this_round.start_time) == (starts_on, start_time)
        if same and not is_new:
            return this_round
        this_round.starts_on, this_round.start_time = starts_on, start_time
        this_round.save(update_fields=["starts_on", "start_time"])
        games = Game.objects.filter(games_of_round(this_round))
        games.update(played_on=starts_on)
        payload = {
            "round": number,
            "starts_on": starts_on.isoformat() if starts_on else None,
            "start_time": start_time.isoformat() if start_time else None,
        }
        scheduled = whole_rows(this_round) if is_new else changed_rows(this_round)
        rows = combined(scheduled, updated_rows(games, "played_on"))
        append_line(tournament.stream, "round.scheduled", payload, by=by, rows=rows)
    return this_round


def set_round_end(
    tournament: Tournament, number: int, ends_at: datetime | None, *, by: Account
) -> Round:
    """Set when the games of a round that have no result wait for the directors; None: never.

    Nothing else happens at that time. Raises Unprocessable for an end before the start, Conflict if
    the round is complete.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(lock_tournament(tournament), number, "edit")
        if ends_at and this_round.starts_at and ends_at <= this_round.starts_at:
            detail = Text("the round would end before it starts")
            raise Unprocessable("invalid", detail, at="/ends_at")
        if ends_at != this_round.ends_at:
            this_round.ends_at = ends_at
            this_round.save(update_fields=["ends_at"])
            payload = {"round": number, "ends_at": format_time(ends_at) if ends_at else None}
            rows = changed_rows(this_round)
            append_line(tournament.stream, "round.end_set", payload, by=by, rows=rows)
    return this_round


def publish_round(
    tournament: Tournament, number: int, *, by: Account, accept: Collection[str] = ()
) -> Round:
    """Publish a drafted round and create its games.

    `accept` are the codes of the rules that the round may break, set by hand or since a player in
    it withdrew; raises Conflict if it breaks another one.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "publish")
        pairings = list(
            current_pairings(tournament)
            .filter(round=this_round, kind=Pairing.Kind.GAME)
            .order_by("board_number")
            .select_related("first", "second")
        )
        violations = find_violations(this_round)
        require_acceptance(tournament, violations, accept)
        now = timezone.now()
        create_games(tournament, this_round, pairings, at=now)
        this_round.state = Round.State.PUBLISHED
        this_round.published_at = now
        relaxed = [] if this_round.system == BY_HAND else this_round.relaxed
        this_round.relaxed = list(dict.fromkeys([*relaxed, *codes_of(violations)]))
        this_round.save(update_fields=["state", "published_at", "relaxed"])
        printed = store_printed_numbers(tournament)
        payload: dict[str, Any] = {
            "round": number,
            "version": this_round.version,
            "games": [pairing.game_id for pairing in pairings],
            "draw_seed": tournament.draw_seed,
            "relaxations": this_round.relaxed,
        }
        if tournament.games_per_pairing == 2:
            payload["return_games"] = [pairing.return_game_id for pairing in pairings]
        rows = combined(printed, changed_rows(this_round, *pairings, *games_of(pairings)))
        append_line(tournament.stream, "round.published", payload, by=by, rows=rows)
        if system_of(tournament).has_schedule:
            rule_forfeits(tournament, number, pairings, by=by)
    return this_round


def complete_round(tournament: Tournament, number: int, *, by: Account, reason: str = "") -> Round:
    """Complete a round; raises Conflict naming the open boards."""
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "complete")
        this_round.state = Round.State.COMPLETE
        this_round.completed_at = timezone.now()
        this_round.save(update_fields=["state", "completed_at"])
        rows = combined(changed_rows(this_round), update_complete_games(tournament))
        payload = {
            "round": number,
            "version": this_round.version,
            "standings": standings_digest(tournament, number),
            **({"reason": reason} if reason else {}),
        }
        append_line(tournament.stream, "round.complete", payload, by=by, rows=rows)
    return this_round


def unpair_round(tournament: Tournament, number: int, *, reason: str, by: Account) -> Round:
    """Set a round back to planned; its pairings remain as an older version, with void games.

    Drafts of later rounds are withdrawn as well. Raises Conflict once a later round is published,
    Unprocessable if the round is published and there is no reason.
    """
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "unpair")
        if this_round.state != Round.State.DRAFTED and not reason:
            raise _reason_needed(Text("say why the published round is unpaired"))
        withdraw_pairings(this_round, reason, by)
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
        rows = combined(changed_rows(this_round), update_complete_games(tournament))
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
        found = _find_version(this_round, version)
        if system_of(tournament).rank_groups is not None:  # refused before they are decided
            pair_to_compare(tournament, load_request(tournament, number))
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


def withdraw_pairings(this_round: Round, reason: str, by: Account) -> None:
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
    append_line(this_round.tournament.stream, "round.unpaired", payload, by=by, rows=rows)


def _withdraw_later_drafts(tournament: Tournament, number: int, reason: str, by: Account) -> None:
    """Withdraw drafts that were paired from the results of the round."""
    if is_league(tournament):
        return
    drafted = Q(number__gt=number, state=Round.State.DRAFTED)
    for later in tournament.round_set.filter(drafted).order_by("number"):
        withdraw_pairings(later, reason, by)


def _reason_needed(detail: str) -> Unprocessable:
    return Unprocessable("reason_needed", detail, at="/reason")


def _find_version(this_round: Round, version: int) -> RoundVersion:
    """Return an older version of the round; raises Conflict."""
    versions = {found.version: found for found in load_versions(this_round)}
    if version not in versions:
        listed = ", ".join(map(str, versions)) or Text("none")
        detail = Text(
            "round %(number)s has no version %(version)s; it has: %(versions)s",
            number=this_round.number,
            version=version,
            versions=listed,
        )
        valid = [str(number) for number in versions]
        raise Conflict("no_such_version", detail, at="/version", valid=valid)
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
    """Store a round whose version has changed; return the changed columns."""
    is_published = this_round.state == Round.State.PUBLISHED
    this_round.published_at = timezone.now() if is_published else None
    this_round.completed_at = None
    this_round.save()
    return combined(
        changed_rows(this_round),
        update_void_games(this_round),
        update_complete_games(this_round.tournament),
    )
