"""The settlement of a game: its state and result, computed from all its reports.

`evaluate_reports` (evaluation.py) is the rule, on values; `settle_game` loads the reports,
evaluates them and writes what changed, once. Only this module writes a game's state, except that
of a proposal.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from games.core.journal.lines import NewLine, append_lines, game_stream
from games.core.journal.rows import changed_rows
from games.models import Game, Report
from games.play.settlement import (
    RESULT_KINDS,
    Settlement,
    evaluate_reports,
    reports_since_adjournment,
)
from games.queries.disputes import dispute_in_words
from games.rules.text import Text


def apply_settlement(
    game: Game, settlement: Settlement, *, at: datetime, deadline: datetime | None = None
) -> set[str]:
    """Set the columns of a game, without saving it; return the names of those that changed."""
    columns = settlement.as_columns()
    columns["confirm_by"] = deadline if settlement.state == Game.State.WAITING else None
    changed = {name for name, value in columns.items() if getattr(game, name) != value}
    for name in changed:
        setattr(game, name, columns[name])
    if changed:
        game.confirmed_at = at if game.state == Game.State.CONFIRMED else None
    return changed


def confirm_deadline(reports: Sequence[Report], hours: int) -> datetime | None:
    """Return when a result without an answer is confirmed: `hours` after the last one."""
    counted = reports_since_adjournment(reports)
    received = [report.received_at for report in counted if report.kind in RESULT_KINDS]
    return max(received) + timedelta(hours=hours) if received else None


def lock_game(game_id: int) -> Game:
    """Return a game, with its row locked; raises Game.DoesNotExist."""
    game = Game.objects.select_for_update(no_key=True).filter(pk=game_id).first()
    if game is None:
        raise Game.DoesNotExist(Text("there is no game %(game)s", game=game_id))
    return game


def settle_game(game_id: int, *, now: datetime | None = None) -> Game:
    """Write the settlement of a game; a second run changes nothing."""
    with transaction.atomic():
        game = lock_game(game_id)
        settle_locked_games([game], at=now or timezone.now())
    return game


def settle_locked_games(games: Sequence[Game], *, at: datetime) -> None:
    """Write the settlements of games of one stream, whose rows are locked.

    One transaction covers the games' rows, the marks of their reports and their journal lines
    (`game.confirmed`, `game.disputed`, `game.waiting`, `game.annulled`, `game.adjourned`), which
    are written only where something changed, be it only the deadline of the confirmation: stored
    responses are those of the journal's last line.
    """
    reports = load_reports(games)
    lines = []
    for game in games:
        settlement, deadline = evaluate_game(game, reports[game.pk], at=at)
        changed = apply_settlement(game, settlement, at=at, deadline=deadline)
        game.attempts = 0
        game.save(update_fields=sorted({*changed, "confirmed_at", "attempts"}))
        if changed:
            is_adjourned = game.adjourned and "adjourned" in changed
            kind = "adjourned" if is_adjourned else game.state
            payload, rows = settlement_payload(game, settlement), changed_rows(game)
            lines.append(NewLine(f"game.{kind}", payload, rows=rows))
    if len(games) == 1:
        games[0].reports.filter(settled_at__isnull=True).update(settled_at=at)
    else:
        Report.objects.filter(game__in=games, settled_at__isnull=True).update(settled_at=at)
    if lines:
        append_lines(game_stream(games[0]), lines)


def load_reports(games: Sequence[Game]) -> dict[int, list[Report]]:
    """Return the reports of games by the games' ids, in the order of their versions."""
    if len(games) == 1:
        return {games[0].pk: list(games[0].reports.order_by("version"))}
    reports: dict[int, list[Report]] = {game.pk: [] for game in games}
    for report in Report.objects.filter(game__in=games).order_by("version"):
        reports[report.game_id].append(report)
    return reports


def evaluate_game(
    game: Game, reports: Sequence[Report], *, at: datetime
) -> tuple[Settlement, datetime | None]:
    """Return the settlement of a game at that time, and the deadline of its confirmation."""
    deadline = confirm_deadline(reports, game.confirm_hours)
    # A game that its deadline confirmed stays so if the clock is set back afterwards.
    deadline_passed = deadline is not None and deadline <= max(at, game.confirmed_at or at)
    return evaluate_reports(reports, deadline_passed=deadline_passed), deadline


def settle_unsettled(stream: str) -> None:
    """Settle the games of a stream that have a report which no task has evaluated yet."""
    unsettled = Report.objects.filter(game__stream=stream, settled_at__isnull=True)
    for game_id in unsettled.order_by("game_id").values_list("game_id", flat=True).distinct():
        settle_game(game_id)


def settlement_payload(game: Game, settlement: Settlement) -> dict[str, Any]:
    """Return the payload of the journal line of a settled game."""
    score = None if game.score_first is None else [game.score_first, game.score_second]
    return {
        "game": game.pk,
        "place": game.place,
        "state": game.state,
        "basis": game.basis,
        "termination": game.termination,
        "winner": game.winner,
        "draw": game.draw,
        "score": score,
        "record": settlement.record.digest if settlement.record else "",
        "dispute": dispute_in_words(game.dispute),
        "adjourned": game.adjourned,
    }
