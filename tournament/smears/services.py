"""Smears in the names of players, clubs and events: accounts report them, the site's staff hides.

The name of a player is replaced (games/players/services.py). A hidden event and its games are seen
by its officials and staff only; its rating does not change. The reason is in the journal of the
site.
"""

from django.db import transaction
from django.utils import timezone

from games.core.errors import Conflict
from games.core.journal.lines import SITE, append_line, lock_head
from games.core.journal.rows import changed_rows, deleted_rows
from games.core.limits import check_quota, lock_account
from games.models import Account, HiddenName, Player
from games.players.services import hide_name
from games.rules.text import Text
from tournament.models import NameReport, Tournament


def report_name(about: Player | Tournament, *, reason: str, by: Account) -> NameReport:
    """Report a name; raises Conflict while a report of the account waits, and for too many."""
    place = {"player" if isinstance(about, Player) else "tournament": about}
    with transaction.atomic():
        lock_account(by)
        waiting = by.name_reports.filter(decided_at=None)
        if waiting.filter(**place).exists():
            raise Conflict("nothing_to_do", Text("you have reported this name already"))
        check_quota("name_reports", waiting.count() + 1, by=by)
        return NameReport.objects.create(**place, account=by, reason=reason)


def refuse_report(report: NameReport) -> NameReport:
    """Leave a name as it is; raises Conflict if the report is decided."""
    decided = NameReport.objects.filter(pk=report.pk, decided_at=None)
    if not decided.update(decided_at=timezone.now()):
        raise Conflict("nothing_to_do", Text("the report is decided already"))
    report.refresh_from_db()
    return report


def hide_player(player: Player, *, reason: str, by: Account) -> Player:
    """Hide the name and the club of a player, which decides the reports about them."""
    with transaction.atomic():
        player = hide_name(player, reason=reason, by=by)
        player.name_reports.filter(decided_at=None).update(decided_at=timezone.now())
    return player


def hide_event(tournament: Tournament, *, reason: str, by: Account) -> None:
    """Hide an event, which decides the reports about it; raises Conflict if it is hidden."""
    with transaction.atomic():
        lock_head(SITE)
        if HiddenName.objects.filter(about=tournament.stream).exists():
            raise Conflict(
                "nothing_to_do", Text("%(event)s is hidden already", event=tournament.name)
            )
        rows = changed_rows(HiddenName.objects.create(about=tournament.stream))
        payload = {"tournament": tournament.slug, "reason": reason}
        append_line(SITE, "tournament.hidden", payload, by=by, rows=rows)
        tournament.name_reports.filter(decided_at=None).update(decided_at=timezone.now())


def show_event(tournament: Tournament, *, reason: str, by: Account) -> None:
    """Show a hidden event again; raises Conflict if it is not hidden."""
    with transaction.atomic():
        lock_head(SITE)
        hidden = HiddenName.objects.filter(about=tournament.stream).first()
        if hidden is None:
            raise Conflict("nothing_to_do", Text("%(event)s is not hidden", event=tournament.name))
        rows = deleted_rows(hidden)
        hidden.delete()
        payload = {"tournament": tournament.slug, "reason": reason}
        append_line(SITE, "tournament.shown", payload, by=by, rows=rows)
