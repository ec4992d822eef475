"""Create and change pools, appoint their rating officers, approve or refuse events for rating."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from games.core.errors import (
    Conflict,
    NotFound,
    Unprocessable,
    check_all,
    pointer_step,
    unknown_key,
)
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows, deleted_rows
from games.core.roles.services import remove_role
from games.models import Account, Role
from games.models.time_controls import TimeClass
from games.rules.registry import GAMES, TWO_PLAYER_GAMES
from games.rules.text import Text
from ratings.batches.services import find_high_seed, lock_batches, review_batches, rows_of
from ratings.core.conditions import load_table
from ratings.core.locking import lock_pool
from ratings.models import Batch, Decision, Pool
from ratings.systems.presets import DEFAULT, PRESETS, BadParameter, find_bad_parameters

EDITABLE_SETTINGS = ("policy", "rated_games", "time_classes", "least_expected", "handicap_table")
"""The columns of a pool that its officers change."""


def create_pool(
    *,
    code: str,
    name: str,
    preset: str = DEFAULT.value,
    parameters: Mapping[str, Any],
    casual_games: Sequence[str],
    policy: str = Pool.Policy.APPROVED,
    rated_games: Mapping[str, Sequence[str]],
    time_classes: Collection[str] = (),
    least_expected: int = 5,
    by: Account,
) -> Pool:
    """Create a pool, which names the games that it rates.

    Raises Unprocessable for unknown keys and without games, Conflict if the code is taken.
    """
    settings = {
        "preset": preset,
        "parameters": parameters,
        "casual_games": casual_games,
        "rated_games": rated_games,
    }
    check_all(
        lambda: _check_settings(settings),
        lambda: _require_games(rated_games),
        *(
            partial(_require_rated, game, rated_games, f"/casual_rulesets/{index}")
            for index, game in enumerate(casual_games)
            if rated_games and game in GAMES
        ),
    )
    payload = {
        "code": code,
        "name": name,
        "preset": preset,
        "parameters": dict(parameters),
        "casual_games": sorted(set(casual_games)),
        "policy": policy,
        "rated_games": dict(rated_games),
        "time_classes": _in_order(time_classes),
        "least_expected": least_expected,
    }
    try:
        with transaction.atomic():
            pool = Pool.objects.create(**payload)
            append_line(pool.stream, "pool.created", payload, by=by, rows=changed_rows(pool))
    except IntegrityError:
        detail = Text("there is a pool %(pool)s already", pool=f"{code!r}")
        raise Conflict("code_taken", detail) from None
    return pool


def edit_pool(pool: Pool, changes: Mapping[str, Any], *, by: Account) -> Pool:
    """Change `EDITABLE_SETTINGS` columns of a pool; raises Unprocessable for unknown keys.

    A pool that names its games goes on doing so. Waiting batches that the policy allows are filed
    at once. Filed games stay as they are, and events that have started have the table of handicaps
    that the pool had then.
    """
    _check_settings(changes)
    if "time_classes" in changes:
        changes = {**changes, "time_classes": _in_order(changes["time_classes"])}
    with transaction.atomic():
        pool = lock_pool(pool.pk)
        new = {name: value for name, value in changes.items() if getattr(pool, name) != value}
        if new:
            if "rated_games" in new:
                _require_games(new["rated_games"])
            for name, value in new.items():
                setattr(pool, name, value)
            pool.save(update_fields=list(new))
            waiting = lock_batches(pool.batches.filter(state=Batch.State.WAITING))
            append_line(pool.stream, "pool.edited", new, by=by, rows=changed_rows(pool))
            review_batches(waiting, by=by)
    return pool


def _check_settings(members: Mapping[str, Any]) -> None:
    """Raise Unprocessable for unknown keys and impossible values among some settings of a pool."""
    rated = {
        f"/rated_rulesets/{pointer_step(game)}": (game, boards)
        for game, boards in members.get("rated_games", {}).items()
    }
    check_all(
        partial(_require_preset, members.get("preset"), members.get("parameters", {})),
        *(
            partial(_require_game, game, f"/casual_rulesets/{index}")
            for index, game in enumerate(members.get("casual_games", ()))
        ),
        *(partial(_require_game, game, at) for at, (game, _) in rated.items()),
        *(
            partial(_require_board, game, board, f"{at}/{index}")
            for at, (game, boards) in rated.items()
            for index, board in enumerate(boards)
        ),
        lambda: "handicap_table" in members and load_table(members["handicap_table"]),
    )


def _in_order(time_classes: Collection[str]) -> list[str]:
    """Return time classes once each, the fastest first."""
    return [name.value for name in TimeClass if name in time_classes]


def _require_preset(preset: str | None, parameters: Mapping[str, Any]) -> None:
    if preset is None:
        return
    if preset not in PRESETS:
        raise unknown_key("preset", preset, list(PRESETS))
    check_all(*(partial(_refuse, error) for error in find_bad_parameters(preset, parameters)))


def _refuse(error: BadParameter) -> None:
    at = f"/parameters/{pointer_step(error.parameter)}"
    raise Unprocessable("bad_parameter", str(error), at=at)


def _require_game(game: str, at: str) -> None:
    if game not in GAMES:
        raise unknown_key("ruleset", game, TWO_PLAYER_GAMES, at=at)
    if GAMES[game].players != 2:
        detail = Text(
            "%(game)s is a solitaire; two players need another game", game=GAMES[game].name
        )
        raise Unprocessable("solitaire", detail, at=at, valid=TWO_PLAYER_GAMES)


def _require_games(rated_games: Mapping[str, Sequence[str]]) -> None:
    """Raise Unprocessable for a pool that would rate every game on one scale."""
    if not rated_games:
        detail = Text("a pool names the games that it rates; choose at least one")
        raise Unprocessable("rulesets_needed", detail, at="/rated_rulesets", valid=TWO_PLAYER_GAMES)


def _require_rated(game: str, rated_games: Mapping[str, Sequence[str]], at: str) -> None:
    if game not in rated_games:
        detail = Text(
            "the pool does not rate %(game)s, so no casual games of it either",
            game=GAMES[game].name,
        )
        raise Unprocessable("ruleset_not_rated", detail, at=at, valid=list(rated_games))


def _require_board(game: str, board: str, at: str) -> None:
    if game in GAMES and GAMES[game].find_board(board) != board:
        valid = list(GAMES[game].boards)
        detail = Text(
            "%(board)s is not a board of %(game)s; valid: %(boards)s",
            board=repr(board[:60]),
            game=GAMES[game].name,
            boards=", ".join(valid),
        )
        raise Unprocessable("unknown_board_size", detail, at=at, valid=valid)


def add_officer(pool: Pool, account: Account, *, by: Account) -> None:
    """Appoint an officer, who thereby approves their own events.

    Raises Conflict if the account is an officer already.
    """
    with transaction.atomic():
        # Before the journal of the pool, as runs do.
        batches = lock_batches(pool.batches.filter(organiser=account))
        officer, is_new = Role.objects.get_or_create(
            stream=pool.stream, account=account, role=Role.Name.RATING_OFFICER
        )
        if not is_new:
            detail = Text(
                "account %(account)s is an officer of %(pool)s already",
                account=account.pk,
                pool=pool.code,
            )
            raise Conflict("officer_already", detail)
        payload, rows = {"account": account.pk}, changed_rows(officer)
        append_line(pool.stream, "officer.added", payload, by=by, rows=rows)
        review_batches(batches, by=by)


def remove_officer(pool: Pool, account_id: int, *, by: Account) -> None:
    """Remove an officer; raises NotFound if the account is none, Conflict for the last one."""
    officers = Role.objects.filter(stream=pool.stream, role=Role.Name.RATING_OFFICER)
    officer = officers.filter(account=account_id).first()
    if officer is None:
        detail = Text(
            "account %(account)s is no officer of %(pool)s", account=account_id, pool=pool.code
        )
        raise NotFound("not_found", detail)
    remove_role(officer, by=by)


def decide_event(
    pool: Pool,
    stream: str,
    *,
    approved: bool,
    reason: str,
    by: Account,
    covers: Mapping[str, Any] | None = None,
) -> None:
    """Approve or refuse an event, final or not; its batch follows at once.

    An approval is one of the event as it is now, which `covers` describes, and of the stated
    ratings of the players of its games.

    Raises Conflict for the refusal of an event whose batch is filed, and Unprocessable for one
    without a reason.
    """
    with transaction.atomic():
        batches = lock_batches(pool.batches.filter(stream=stream))
        if not approved and any(batch.state == Batch.State.FILED for batch in batches):
            detail = Text("the games of this event are filed; withdraw its batch instead")
            raise Conflict("batch_filed", detail)
        covered = dict(covers or {}) if approved else {}
        seeds = [find_high_seed(batch, rows_of(batch)) or 0 for batch in batches]
        if approved and any(seeds):
            covered["seed"] = max(seeds)
        _save_decision(pool, "event", {"stream": stream}, approved, reason, by, covered)
        review_batches(batches, by=by)


def remove_approval(pool: Pool, stream: str) -> None:
    """Remove the approval of an event that is not what was approved; call it in a transaction."""
    lock_batches(pool.batches.filter(stream=stream))
    decision = pool.decisions.get(stream=stream)
    rows = deleted_rows(decision)
    decision.delete()
    append_line(pool.stream, "event.changed", {"stream": stream}, by=None, rows=rows)


def decide_organiser(
    pool: Pool, organiser: Account, *, approved: bool, reason: str, by: Account
) -> Decision:
    """Approve or refuse the events of an organiser; batches that are filed stay filed.

    Raises Unprocessable for a refusal without a reason.
    """
    with transaction.atomic():
        batches = lock_batches(pool.batches.filter(organiser=organiser))
        decision = _save_decision(pool, "organiser", {"organiser": organiser}, approved, reason, by)
        review_batches(batches, by=by)
    return decision


def _save_decision(
    pool: Pool,
    kind: str,
    about: dict[str, Any],
    approved: bool,
    reason: str,
    by: Account,
    covers: Mapping[str, Any] | None = None,
) -> Decision:
    """Save a decision about the stream of an event, or an organiser, with its line."""
    if not approved and not reason:
        detail = Text("a refusal needs a reason, which the organiser can read")
        raise Unprocessable("reason_needed", detail, at="/reason")
    defaults = {
        "approved": approved,
        "reason": reason,
        "covers": dict(covers or {}),
        "by": by,
        "decided_at": timezone.now(),
    }
    decision, _ = Decision.objects.update_or_create(pool=pool, **about, defaults=defaults)
    named = {"account": about["organiser"].pk} if "organiser" in about else about
    payload, rows = {**named, "reason": reason}, changed_rows(decision)
    kind = f"{kind}.{'approved' if approved else 'refused'}"
    append_line(pool.stream, kind, payload, by=by, rows=rows)
    return decision
