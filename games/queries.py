"""Reads: a fixed number of queries each, rows to plain values."""

from datetime import datetime
from typing import Any

from django.db.models import Case, F, Q, QuerySet, Value, When
from django.utils import timezone

from games.imports.task_progress import read_progress
from games.models import Account, Game, Player, Report, Upload
from games.rules.game import GameRules

GAME_FIELDS = (
    "id", "stream", "event", "round", "game", "board", "options", "swap", "handicap", "advice",
    "first_id", "first__name", "second_id", "second__name", "rated", "public", "played_on",
    "state", "basis", "termination", "winner", "draw", "score_first", "score_second",
    "record__digest", "told_dispute", "confirm_by", "confirmed_at",
)  # fmt: skip
MAX_ATTEMPTS = 5
"""After which the settlement of a game, or an import, is given up."""


def plain(rows: "QuerySet[Any]", *fields: str) -> list[dict[str, Any]]:
    """The rows as plain dicts of these columns."""
    return list(rows.values(*fields))


def due_games(now: datetime | None = None) -> list[int]:
    """Games to settle: a report not yet weighed, or a deadline that has passed."""
    at = now or timezone.now()
    unsettled = Report.objects.filter(settled_at__isnull=True).values("game_id")
    late = Q(state=Game.State.WAITING, confirm_by__lte=at)
    return list(
        Game.objects.filter(Q(pk__in=unsettled) | late).order_by("pk").values_list("pk", flat=True)
    )


def visible_games(account: Account | None, stream: str = "") -> "QuerySet[Game]":
    """Games that this account may see: public ones, its own, and those where it holds a role.

    With a `stream` (that of a token good for one event) what is not public is seen there only.
    Each has `told_dispute`: what its dispute is about, for those whose game it is.
    """
    if account is None:
        return Game.objects.filter(public=True).annotate(told_dispute=Value(""))
    own = Q(first__account=account) | Q(second__account=account)
    own |= Q(stream__in=account.roles.values("stream")) & ~Q(stream="")
    if account.is_staff:
        own = Q()
    if stream:
        own &= Q(stream=stream)
    if not own:
        return Game.objects.annotate(told_dispute=F("dispute"))
    told = Case(When(own, then="dispute"), default=Value(""))
    return Game.objects.filter(Q(public=True) | own).annotate(told_dispute=told)


def game_as_json(row: dict[str, Any]) -> dict[str, Any]:
    """One row of `GAME_FIELDS` as the API shows it."""
    score = None
    if row["score_first"] is not None:
        score = {"first": row["score_first"], "second": row["score_second"]}
    return {
        "id": row["id"],
        "event": row["event"],
        "stream": row["stream"],
        "round": row["round"],
        "game": row["game"],
        "board": row["board"],
        "options": row["options"],
        "swap": row["swap"],
        "handicap": row["handicap"],
        "advice": row["advice"] or None,
        "first": {"id": row["first_id"], "name": row["first__name"]},
        "second": {"id": row["second_id"], "name": row["second__name"]},
        "rated": row["rated"],
        "played_on": row["played_on"],
        "state": row["state"],
        "basis": row["basis"] or None,
        "termination": row["termination"] or None,
        "winner": row["winner"] or None,
        "draw": row["draw"],
        "score": score,
        "record": row["record__digest"],
        "dispute": row["told_dispute"] or None,
        "confirm_by": row["confirm_by"],
        "confirmed_at": row["confirmed_at"],
    }


def rules_as_json(rules: GameRules) -> dict[str, Any]:
    """A game's rules as the API shows them."""
    return {
        "code": rules.code,
        "name": rules.name,
        "players": rules.players,
        "boards": list(rules.boards),
        "board_form": rules.board_form,
        "options": list(rules.options),
        "swap": rules.swaps,
        "notation": rules.notation,
        "summary": rules.summary,
        "source": rules.source,
    }


def players(name: str = "") -> "QuerySet[Player]":
    """Players that stand for themselves, merged ones left out."""
    found = Player.objects.filter(merged_into__isnull=True)
    return found.filter(name__icontains=name) if name else found


def report_progress(report_id: int) -> dict[str, Any] | None:
    """How far the settlement of a report has come, computed from the rows; None if unknown."""
    report = Report.objects.filter(pk=report_id).select_related("game").first()
    if report is None:
        return None
    done = report.settled_at is not None
    failed = not done and report.game.attempts >= MAX_ATTEMPTS
    return {
        "id": f"report-{report.pk}",
        "state": "done" if done else "failed" if failed else "waiting",
        "progress": 1 if done else 0,
        "stream": report.game.stream,
        "result": {"game": report.game_id, "state": report.game.state} if done else None,
    }


def due_uploads() -> "QuerySet[Upload]":
    """Files that are neither imported nor refused, nor given up; the oldest first."""
    due = Upload.objects.filter(finished_at=None, attempts__lt=MAX_ATTEMPTS)
    return due.order_by("asked_at", "pk")


def old_uploads(before: datetime) -> "QuerySet[Upload]":
    """Files that ended before that time, or were given up and asked for before it."""
    given_up = Q(finished_at=None, attempts__gte=MAX_ATTEMPTS, asked_at__lt=before)
    return Upload.objects.filter(Q(finished_at__lt=before) | given_up)


def upload_task(upload_id: int) -> str:
    """The name of the task of an upload."""
    return f"import-{upload_id}"


def upload_progress(upload_id: int) -> dict[str, Any] | None:
    """How far an import has come, computed from the row and what its task tells; None if unknown.

    Beside what all tasks have: `location` of what was made, `by` and `action` for who may ask,
    and `problem`, a refusal as it is kept.
    """
    told = read_progress(upload_task(upload_id))  # first: an import may end in between
    row = Upload.objects.filter(pk=upload_id).values(
        "by_id", "action", "stream", "attempts", "finished_at", "answer", "location", "problem"
    ).first()  # fmt: skip
    if row is None:
        return None
    problem = row["problem"]
    if row["finished_at"]:
        state, told = "refused" if problem else "done", None
    elif told is not None:
        state = "running"
    elif row["attempts"] >= MAX_ATTEMPTS:
        stays = "it is in, but" if row["answer"] else "nothing was imported:"
        detail = f"{stays} the task broke down {MAX_ATTEMPTS} times and is given up"
        state, problem = "failed", {"status": 503, "code": "given_up", "detail": detail}
    else:
        state = "waiting"
    return {
        "id": upload_task(upload_id),
        "state": state,
        "progress": told,
        "result": row["answer"] if row["finished_at"] else None,
        "problem": problem,
        "location": row["location"],
        "stream": row["stream"],
        "by": row["by_id"],
        "action": row["action"],
    }
