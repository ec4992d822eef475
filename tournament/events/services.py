"""Create a tournament and change its settings, as long as its state allows."""

import re
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, partial
from itertools import count
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from anyascii import anyascii
from django.core.cache import caches
from django.db import IntegrityError, transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone
from django.utils.text import slugify

from games.core.accounts.tokens import end_app_tokens_of_event, end_tokens_of_event
from games.core.errors import Conflict, Unprocessable, check_all, unknown_key
from games.core.journal.lines import SITE, append_line, end_stream, lock_head
from games.core.journal.rows import Rows, changed_rows, combined, updated_rows
from games.core.limits import check_quota, lock_account
from games.models import Account, EmailLink, Game, Player, Role, Token, Upload
from games.models.streams import TOURNAMENT_STREAM
from games.play.proposals import read_game_conditions, read_time_control, require_play
from games.rules.registry import GAMES, TWO_PLAYER_GAMES
from games.rules.text import Moment, Text
from ratings.models import Pool
from tournament.core.crosstable import is_round_robin, point_system
from tournament.core.heads import stream_state
from tournament.core.locking import lock_tournament, require_state
from tournament.core.queries import is_league, was_opened
from tournament.core.states import BEFORE_START, require_event_allows
from tournament.entries.letters import move_ends_of_links
from tournament.entries.services import fill_places
from tournament.events.draw_seed import has_begun
from tournament.events.effects import (
    PublishedEffect,
    find_effect,
    require_accepted,
    withdraw_drafts,
)
from tournament.events.rating import DECIDES_RATING, require_rated_games, valid_pools
from tournament.events.set_up import check_handicaps, check_system, check_table, lacking_in
from tournament.events.verification import stored_rows
from tournament.models import Tournament, Webhook, WebhookDelivery
from tournament.models.settings import SETTINGS
from tournament.pairing.errors import OptionError
from tournament.pairing.separations import By
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.usual_tiebreaks import usual_tiebreaks
from tournament.rounds.services import (
    plan_rounds,
    remove_surplus_rounds,
    require_rounds,
    schedule_round,
    set_round_end,
)
from tournament.standings.errors import (
    PointSystemError,
    PrizeError,
    TiebreakError,
    refuse_tiebreaks,
)
from tournament.standings.prizes import parse_groups
from tournament.standings.tiebreaks import TIEBREAKS, parse_codes, valid_codes

State = Tournament.State
time_zones = cache(available_timezones)
LONGEST_SLUG = 80
DAY = timedelta(days=1)
RESERVED_SLUGS = frozenset({"import"})
FROZEN = frozenset(
    {"game", "board", "options", "swap", "advice", "main_minutes", "increment_seconds",
     "play", "days_per_turn", "rated", "pool", "seed_source", "system",
     "points", "initial_seat", "half_byes", "system_options", "balance_seats", "games_per_pairing",
     "handicaps", "handicap_table", "handicap_share", "handicap_cap", "handicap_kinds",
     "half_byes_until_round", "missed_rounds"}
)  # fmt: skip
"""Settings that rounds which were played depend on: they cannot change after the start."""

HALF_BYES = ("half_byes", "half_byes_until_round")
NEED_REASON = frozenset({"rounds", "tiebreaks", "unrated_rating"})
"""Settings that need a reason once round 1 is published, whatever they change.

Players know the number of rounds, and C.07 4.1 fixes the tie-breaks, before the start.
"""


def build_tournament(*, by: Account, slug: str = "", **settings: Any) -> Tournament:
    """Return a tournament in draft that is not saved; raises as `create_tournament` does."""
    tournament = _with_defaults(settings)
    check_all(lambda: _require_free(slug), lambda: _check_settings(tournament, settings))
    tournament.slug = slug = slug or slug_of_name(settings["name"])
    today = Tournament.objects.filter(created_by=by, created_at__gt=timezone.now() - DAY)
    check_quota("events_per_day", today.count() + _count_deleted(by.pk, 0) + 1, by=by)
    tournament.created_by, tournament.draw_seed = by, secrets.token_hex(16)
    require_rated_games(tournament)
    _require_unlike(slug, Tournament.objects.all())
    return tournament


def _with_defaults(settings: Mapping[str, Any]) -> Tournament:
    """Return an event with settings, and the defaults that depend on its game and its system."""
    defaults: dict[str, Any] = {"tiebreaks": list(usual_tiebreaks(settings.get("system", "")))}
    if settings.get("game") in GAMES:
        defaults["swap"] = GAMES[settings["game"]].swaps
    return Tournament(**{**defaults, **settings})


def _require_free(slug: str) -> None:
    """Raise Unprocessable for a slug that is part of another address."""
    if slug in RESERVED_SLUGS:
        detail = Text("the slug %(name)s is reserved; send another slug", name=f"{slug!r}")
        raise Unprocessable("slug_needed", detail, at="/slug")


def _require_unlike(slug: str, others: "QuerySet[Tournament]") -> None:
    """Raise Conflict if one of the others has the slug, or would be taken for it."""
    if others.filter(slug__iregex=_like(slug)).exists():
        raise slug_taken(slug)


def _like(slug: str) -> str:
    """Return the expression for slugs that differ from this one only in case and hyphens.

    The address of an event is printed and read out, so these would be taken for the same.
    """
    return "^[-_]*" + "[-_]+".join(re.findall("[^-_]+", slug)) + "[-_]*$"


def slug_of_name(name: str) -> str:
    """Return the slug of a name in Latin letters; with a number where the name gives none."""
    slug = slugify(anyascii(name))[:LONGEST_SLUG].rstrip("-_")
    if slug and slug not in RESERVED_SLUGS:
        return slug
    start = f"{slug or 'event'}-"
    taken = set(Tournament.objects.filter(slug__startswith=start).values_list("slug", flat=True))
    return next(f"{start}{number}" for number in count(1) if f"{start}{number}" not in taken)


def create_tournament(*, by: Account, **settings: Any) -> Tournament:
    """Create a tournament in draft, owned by the account.

    Raises Unprocessable for unknown keys (with the valid ones) and impossible values, Conflict if
    the slug is taken or the account has created too many events.
    """
    with transaction.atomic():
        lock_account(by)
        tournament = build_tournament(by=by, **settings)
        _save_slug(tournament)
        owner = Role.objects.create(stream=tournament.stream, account=by, role=Role.Name.OWNER)
        payload = settings_payload(tournament)
        rows = changed_rows(tournament, owner)
        append_line(tournament.stream, "tournament.created", payload, by=by, rows=rows)
    return tournament


def _save_slug(tournament: Tournament) -> None:
    """Save a tournament with a new slug; raises Conflict if another one took it meanwhile."""
    try:
        with transaction.atomic():
            tournament.save()
    except IntegrityError as error:
        if not Tournament.objects.filter(slug=tournament.slug).exists():
            raise
        raise slug_taken(tournament.slug) from error


def slug_taken(slug: str) -> Conflict:
    """Return the conflict with an event that has the same slug."""
    detail = Text("another event has the address %(slug)s; choose another one", slug=f"{slug!r}")
    return Conflict("slug_taken", detail, at="/slug")


def copy_tournament(
    original: Tournament, *, by: Account, name: str, starts_on: date, slug: str = ""
) -> Tournament:
    """Create a draft with the settings of another event, whose days begin at another date.

    The days of its rounds are those of the original, as far as it has them; who is named in it, and
    its table of handicaps, are not copied. Raises as `create_tournament` does.
    """
    later = starts_on - original.starts_on
    values = {each: getattr(original, each) for each in SETTINGS if each != "handicap_table"}
    days = {each: value + later for each, value in values.items() if isinstance(value, date)}
    separations = [each for each in original.separations if each["by"] != By.PLAYERS]
    is_rated = original.rated and bool(original.pool)
    values |= {**days, "name": name, "slug": slug, "separations": separations, "rated": is_rated}
    with transaction.atomic():
        tournament = create_tournament(by=by, **values)
        for dated in original.round_set.order_by("number"):
            if (day := dated.starts_on) and original.starts_on <= day <= original.ends_on:
                schedule_round(tournament, dated.number, day + later, dated.start_time, by=by)
    return tournament


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The effect of changes, and the heads of the journals before it was found."""

    state: list[Any]
    effect: PublishedEffect


def edit_tournament(
    tournament: Tournament,
    changes: Mapping[str, Any],
    *,
    by: Account,
    reason: str = "",
    accept: Collection[str] | None = (),
    foreseen: Foreseen | None = None,
) -> tuple[Tournament, PublishedEffect]:
    """Change settings, and return the event with the effect on what is published.

    Raises Conflict for settings that are frozen after the start, and for an effect that `accept`
    does not name; None accepts all, without a reason. Raises Unprocessable if one is needed. Drafts
    that would be paired differently are withdrawn. An effect that was `foreseen` is found again if
    the event has changed since. The `slug` of a draft changes by `_move`. Before the start, the
    days of applications move along with the first day, and those of the rounds with both.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        later = _days_moved(tournament, changes)
        if foreseen is None or foreseen.state != stream_state(tournament.stream):
            foreseen = foresee(tournament, changes)
        changed, effect = _set_settings(tournament, changes), foreseen.effect
        is_moved = "slug" in changed
        changed.discard("slug")
        if accept is not None:
            require_accepted(effect, accept, reason=reason)
            if changed & NEED_REASON and not reason and has_begun(tournament):
                detail = Text("round 1 is published; say why the rounds or the ranking change")
                raise Unprocessable("reason_needed", detail, at="/reason")
        tournament.save()
        rows = changed_rows(tournament)
        if "rounds" in changed:
            rows = combined(rows, remove_surplus_rounds(tournament))
        if "rounds" in changed and tournament.state not in BEFORE_START:
            rows = combined(rows, plan_rounds(tournament))
        if changed & {"places", "fills_places"}:
            fill_places(tournament, by=by)
        if changed & {"registration_until", "time_zone"}:
            move_ends_of_links(tournament)
        for name in changed & {"public", "live_delay"}:
            games = Game.objects.filter(stream=tournament.stream)
            games.update(**{name: getattr(tournament, name)})
            rows = combined(rows, updated_rows(games, name))
        if changed:
            payload = settings_payload(tournament)
            payload = {name: payload[name] for name in SETTINGS if name in changed}
            if reason:
                payload["reason"] = reason
            payload |= effect.as_payload()
            append_line(tournament.stream, "tournament.edited", payload, by=by, rows=rows)
        for dated in tournament.round_set.order_by("number") if later else ():
            if day := dated.starts_on:
                schedule_round(tournament, dated.number, day + later, dated.start_time, by=by)
            if end := dated.ends_at:
                # The same time of the clock, whatever the offset of the other day is.
                end = end.astimezone(ZoneInfo(tournament.time_zone)) + later
                set_round_end(tournament, dated.number, end, by=by)
        withdraw_drafts(tournament, effect, reason=reason, by=by)
        if is_moved:
            _move(tournament, changes["slug"], by=by)
    return tournament, effect


def foresee(tournament: Tournament, changes: Mapping[str, Any]) -> Foreseen:
    """Return what changes of the settings would do; raises what `edit_tournament` does for them.

    Rounds are paired again, which takes time.
    """
    state = stream_state(tournament.stream)
    before = Tournament.objects.filter(pk=tournament.pk).first() or tournament
    after = copy(before)
    changed = _set_settings(after, changes)
    return Foreseen(state, find_effect(before, after, changed))


def _set_settings(tournament: Tournament, changes: Mapping[str, Any]) -> set[str]:
    """Set changes that are possible on an event, which is not saved; return what changes."""
    require_event_allows(tournament, "edit")
    later = _days_moved(tournament, changes)
    changes = {**changes, **_moved_registration(tournament, changes)}
    changed = {name for name, value in changes.items() if getattr(tournament, name) != value}
    if "slug" in changed:
        _require_movable(tournament, changes["slug"])
    frozen = sorted(changed & FROZEN)
    if frozen and tournament.state not in BEFORE_START:
        detail = Text(
            "the event has started; %(settings)s cannot change", settings=", ".join(frozen)
        )
        raise Conflict("set_up_frozen", detail)
    for name in changed - {"slug"}:
        setattr(tournament, name, changes[name])
    _check_settings(tournament, changed)
    if changed & DECIDES_RATING:
        require_rated_games(tournament)
    if changed & {"starts_on", "ends_on"} and not later:
        _check_dates_of_rounds(tournament)
    if "rounds" in changed and tournament.state not in BEFORE_START:
        require_state(tournament, State.RUNNING)
        require_rounds(tournament)
    return changed


def _require_movable(tournament: Tournament, slug: str) -> None:
    """Raise Conflict if others may know the slug of an event, or if the new one is taken."""
    if was_opened(tournament):
        detail = Text(
            "%(event)s was open for entries, and others may refer to its address, which cannot"
            " change any more",
            event=tournament.name,
        )
        raise Conflict("was_public", detail, at="/slug")
    _require_free(slug)
    _require_unlike(slug, Tournament.objects.exclude(pk=tournament.pk))


def _move(tournament: Tournament, slug: str, *, by: Account) -> None:
    """Give a draft another slug: its journal ends, and that of the new slug begins with all rows.

    What is for the event is for the new slug, except what apps have: their scope names the old one.
    The journal of the site keeps the last line of the old journal.
    """
    old = tournament.stream
    last = end_stream(old)
    end_app_tokens_of_event(old)
    tournament.slug = slug
    _save_slug(tournament)
    new = tournament.stream
    models: tuple[type[Model], ...] = (Role, Token, EmailLink, Upload, Webhook)
    for model in models:
        model._base_manager.filter(stream=old).update(stream=new)
    # They are numbered by the lines of the old journal.
    WebhookDelivery.objects.filter(webhook__stream=new).delete()
    Webhook.objects.filter(stream=new).update(queued=0)
    payload = {"tournament": last.stream.removeprefix(TOURNAMENT_STREAM), "slug": slug}
    head = {"line": last.sequence, "digest": last.digest}
    players = _registered_elsewhere(old, new)
    append_line(SITE, "tournament.moved", payload | head, by=by, rows=players)
    settings = settings_payload(tournament)
    rows: Rows = {kind: {**of_kind} for kind, of_kind in stored_rows(new).items()}
    append_line(new, "tournament.moved", settings, by=by, rows=rows)


def _registered_elsewhere(old: str, new: str) -> Rows:
    """Change the stream in which players were registered, and return their rows."""
    lock_head(SITE)
    players = Player.objects.filter(registered_in=old)
    numbers = list(players.order_by("pk").values_list("pk", flat=True))
    players.update(registered_in=new)
    return updated_rows(Player.objects.filter(pk__in=numbers), "registered_in")


def delete_tournament(tournament: Tournament, *, by: Account) -> None:
    """Delete a draft with its journal, and what gives access to it; raises Conflict for others.

    The journal of the site keeps its address and its last line. Nothing that was for this event is
    for another one that gets the same address: the registrations that were made in it are those of
    the accounts that made them. Its invitations end, and count in the quotas of the day.
    """
    with transaction.atomic():
        tournament = lock_tournament(tournament)
        require_event_allows(tournament, "delete")
        stream = tournament.stream
        last = end_stream(stream)
        for model in (Role, Upload, Webhook):
            model.objects.filter(stream=stream).delete()
        EmailLink.objects.filter(stream=stream).update(stream="", revoked_at=timezone.now())
        end_tokens_of_event(stream)
        rows = _registered_elsewhere(stream, "")
        if tournament.created_by_id and tournament.created_at > timezone.now() - DAY:
            transaction.on_commit(partial(_count_deleted, tournament.created_by_id, 1))
        tournament.delete()
        payload = {"tournament": tournament.slug, "line": last.sequence, "digest": last.digest}
        append_line(SITE, "tournament.deleted", payload, by=by, rows=rows)


def _count_deleted(account_id: int, number: int) -> int:
    """Add to the events of a day that an account has created and that are deleted; return them."""
    name, day = f"deleted-events-{account_id}", int(DAY.total_seconds())
    caches["default"].add(name, 0, day)
    return caches["default"].incr(name, number)


def _days_moved(tournament: Tournament, changes: Mapping[str, Any]) -> timedelta:
    """Return by how many days changes move an event that has not started, without another length.

    The days of its rounds move along.
    """
    first, last = (
        changes.get(name, getattr(tournament, name)) - getattr(tournament, name)
        for name in ("starts_on", "ends_on")
    )
    is_move = first == last and tournament.state in BEFORE_START
    return first if is_move else timedelta(0)


def _moved_registration(tournament: Tournament, changes: Mapping[str, Any]) -> dict[str, date]:
    """Return the days of applications, moved with the first day before the start.

    Those that are changed besides are what they are changed to.
    """
    later = changes.get("starts_on", tournament.starts_on) - tournament.starts_on
    days = {name: getattr(tournament, name) for name in ("registration_from", "registration_until")}
    return {
        name: day + later
        for name, day in days.items()
        if day and later and tournament.state in BEFORE_START and changes.get(name, day) == day
    }


def _check_dates_of_rounds(tournament: Tournament) -> None:
    """Raise Unprocessable with the rounds that would be outside the days of the event."""
    before, after = Q(starts_on__lt=tournament.starts_on), Q(starts_on__gt=tournament.ends_on)
    outside = [
        Text("round %(number)s (%(day)s)", number=found.number, day=Moment(found.starts_on))
        for found in tournament.round_set.filter(before | after).order_by("number")
    ]
    if outside:
        way = (
            Text(
                "move the first and the last day by the same number of days, and the rounds move"
                " along, or change the days of these rounds first"
            )
            if tournament.state in BEFORE_START
            else Text("change the days of these rounds first")
        )
        detail = Text(
            "these rounds would be outside the event: %(rounds)s; %(way)s",
            rounds=outside,
            way=way,
        )
        raise Unprocessable("outside_tournament", detail, at="/starts_on")


def settings_payload(tournament: Tournament) -> dict[str, Any]:
    """Return the settings of a tournament as the journal holds them."""
    values = {name: getattr(tournament, name) for name in SETTINGS}
    return {
        name: value.isoformat() if isinstance(value, date) else value
        for name, value in values.items()
    }


def _check_settings(tournament: Tournament, changed: Collection[str] = ()) -> None:
    """Raise Unprocessable with all unknown keys and impossible values."""
    check_all(
        lambda: _check_game(tournament),
        lambda: check_system(tournament),
        lambda: _check_check_in(tournament),
        lambda: _check_half_byes(tournament, changed),
        lambda: _check_prizes(tournament),
        lambda: _check_points(tournament),
        lambda: _check_tiebreaks(tournament, changed),
        lambda: read_time_control(
            tournament.main_minutes, tournament.increment_seconds, sent=changed
        ),
        lambda: require_play(tournament.play, tournament.days_per_turn, tournament.main_minutes),
        lambda: _check_pool(tournament, changed),
        lambda: _check_time_zone(tournament),
        lambda: _check_dates(tournament),
        lambda: _check_registration(tournament),
    )


def _check_game(tournament: Tournament) -> None:
    if tournament.game not in GAMES:
        raise unknown_key("ruleset", tournament.game, TWO_PLAYER_GAMES)
    if GAMES[tournament.game].players != 2:
        detail = Text(
            "%(game)s is a solitaire; an event needs a two-player game",
            game=GAMES[tournament.game].name,
        )
        raise Unprocessable("solitaire", detail, at="/ruleset", valid=TWO_PLAYER_GAMES)
    check_all(lambda: _check_conditions(tournament), lambda: check_table(tournament))
    check_handicaps(tournament)


def _check_check_in(tournament: Tournament) -> None:
    try:
        is_for_all = tournament.system in PAIRING_SYSTEMS and is_league(tournament)
    except OptionError:
        return  # check_system has said so
    if tournament.check_in != Tournament.CheckIn.NONE and is_for_all:
        detail = Text("the start of a league pairs everybody; set none")
        raise Unprocessable("no_check_in", detail, at="/check_in")


def _check_half_byes(tournament: Tournament, changed: Collection[str]) -> None:
    """Raise Unprocessable for a number that is sent and is above that of the rounds."""
    numbers = [getattr(tournament, name) for name in HALF_BYES]
    check_all(
        *(
            partial(_require_a_round, number, tournament.rounds, at=f"/{name}")
            for name, number in zip(HALF_BYES, numbers, strict=True)
            if number and name in changed
        )
    )


def _require_a_round(number: int, rounds: int, *, at: str) -> None:
    if number > rounds:
        detail = Text(
            "%(number)s is more than the event has rounds (%(rounds)s)",
            number=number,
            rounds=rounds,
        )
        raise Unprocessable("more_than_rounds", detail, at=at)


def _check_pool(tournament: Tournament, changed: Collection[str]) -> None:
    if tournament.pool:
        if not Pool.objects.filter(code=tournament.pool).exists():
            raise unknown_key("pool", tournament.pool, valid_pools(tournament))
    elif tournament.seed_source == Tournament.SeedSource.POOL:
        detail = Text("the seeds come from a pool; name it")
        raise Unprocessable("pool_needed", detail, at="/pool", valid=valid_pools(tournament))
    elif tournament.rated and ("rated" in changed or (tournament.pk and "pool" in changed)):
        valid = valid_pools(tournament)
        detail = (
            Text("a rated event needs a pool, which rates its games; choose it")
            if valid
            else Text("a rated event needs a pool, and none rates its games; send rated: false")
        )
        raise Unprocessable("pool_needed", detail, at="/pool", valid=valid)


def _check_time_zone(tournament: Tournament) -> None:
    if tournament.time_zone not in time_zones():
        detail = Text(
            "%(name)s is not a time zone of the tz database, such as Europe/Lisbon",
            name=f"{tournament.time_zone[:40]!r}",
        )
        raise Unprocessable("unknown_time_zone", detail, at="/time_zone")


def _check_dates(tournament: Tournament) -> None:
    first, last = tournament.starts_on, tournament.ends_on
    if first and last and last < first:
        raise Unprocessable(
            "senseless_dates", Text("the event ends before it starts"), at="/ends_on"
        )


def _check_registration(tournament: Tournament) -> None:
    first, last = tournament.registration_from, tournament.registration_until
    if first and last and last < first:
        detail = Text("applications end before they begin")
        raise Unprocessable("senseless_dates", detail, at="/registration_until")


def _check_conditions(tournament: Tournament) -> None:
    """Check board and options by the rules of the game, and store their canonical form."""
    rules = GAMES[tournament.game]
    board = rules.find_board(tournament.board)
    _, conditions = check_all(
        partial(_require_board, tournament),
        lambda: read_game_conditions(
            ruleset=rules.code,
            board_size=board or rules.first_board,
            options=tournament.options,
            swap=tournament.swap,
            handicap="",
        ),
    )
    tournament.board, tournament.options = conditions.board, list(conditions.options)


def _require_board(tournament: Tournament) -> None:
    rules = GAMES[tournament.game]
    if rules.find_board(tournament.board) is not None:
        return
    detail = Text(
        "%(board)s is not a board of %(game)s; valid: %(boards)s",
        board=f"{tournament.board[:20]!r}",
        game=rules.name,
        boards=Text(rules.board_form),
    )
    raise Unprocessable("unknown_board_size", detail, at="/board_size", valid=list(rules.boards))


def _check_prizes(tournament: Tournament) -> None:
    try:
        parse_groups(tournament.prizes)
    except PrizeError as error:
        raise wrong_prizes(error, lambda each: f"/prizes/{each.pointer}".rstrip("/")) from error


def wrong_prizes(error: PrizeError, pointer: Callable[[Any], str]) -> Unprocessable:
    """Return the error of all prizes that were refused, with the pointer of each."""
    refused: Sequence[Any] = (error, *error.others)
    errors = [
        {"pointer": pointer(each), "code": "senseless_prizes", "detail": str(each), **each.right}
        for each in refused
    ]
    return Unprocessable("senseless_prizes", error.detail, errors)


def _check_points(tournament: Tournament) -> None:
    try:
        point_system(tournament)
    except (PointSystemError, ValueError, ZeroDivisionError) as error:
        detail = Text("these points are impossible: %(detail)s", detail=error)
        valid = error.valid if isinstance(error, PointSystemError) else ()
        raise Unprocessable("senseless_points", detail, at="/points", valid=valid) from error


def _check_tiebreaks(tournament: Tournament, changed: Collection[str]) -> None:
    """Raise Unprocessable for tie-breaks that the event cannot have, with those that it can.

    Those that need what the game lacks were once allowed: an event that has them keeps them.
    """
    system = PAIRING_SYSTEMS.get(tournament.system)
    has_groups = system is not None and system.rank_groups is not None
    is_for_groups = has_groups or (system is not None and is_round_robin(tournament))
    lacks = lacking_in(tournament.game) if {"tiebreaks", "game"} & {*changed} else {}

    def refusal(name: str, code: object) -> Text | None:
        rule = TIEBREAKS[name]
        if rule.needs_records and has_groups:
            return Text("%(code)s needs records, and who qualifies has to be certain", code=code)
        if rule.needs_bracket and system is not None and system.find_progress is None:
            return Text("%(code)s is the final order of a knockout", code=code)
        return lacks.get(name)

    try:
        codes = parse_codes(tournament.tiebreaks, round_robin=is_for_groups)
        found = [(refusal(code.name, code), str(code)) for code in codes]
        refuse_tiebreaks([TiebreakError(detail, code) for detail, code in found if detail])
    except TiebreakError as error:
        forms = error.valid or valid_codes(round_robin=is_for_groups)
        possible = [form for form in forms if not refusal(re.split(r"[/\[]", form)[0], form)]
        raise Unprocessable(
            "unknown_tiebreak", str(error), at="/tiebreaks", valid=possible
        ) from error
