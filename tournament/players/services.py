"""Merge two registrations of one person, and undo it; erase a person at their request.

Games, entries and ratings of the merged player belong to the other from then on: everything that
reads them follows `merged_into`, and a new run of the pools computes the ratings. No row of an
event or a game changes, so journals and digests stay as they are.

The public sees `player 17` instead of an erased person. Erased are the personal columns of the
player and of those merged into them, and of their entries and byes, as the models declare them;
these columns in the rows and payloads of journal lines; their names in records, with comments, and
in the reasons that their events, their casual games and what was decided about them have; their
claims, and their account unless it has roles of its own. Their personal links are revoked. Games,
results and ratings stay. A chain of the journal stays whole: a line names the digests of the
payloads and rows without the personal data.

Responses stored for `Idempotency-Key` and uploaded files are deleted after a day anyway.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from games.core.accounts.services import erase_login
from games.core.broker import send_on_commit
from games.core.errors import Conflict, Unprocessable, check_all
from games.core.journal.lines import SITE, append_line, erase_payloads, game_stream, lock_head
from games.core.journal.rows import (
    Row,
    Rows,
    changed_rows,
    combined,
    deleted_rows,
    expanded,
    kind_of,
    updated_rows,
    whole_rows,
)
from games.models import Account, Claim, Game, HiddenName, JournalLine, Merge, Player, Report
from games.models.bulk import BATCH_SIZE
from games.models.columns import columns_of, erase_columns
from games.names import name_orders
from games.players.queries import no_player
from games.rules.records.record import Record
from games.rules.text import Text
from ratings.models import Batch, Decision, Pool, Rating
from tournament.core.locking import lock_tournament
from tournament.models import (
    Bye,
    Correction,
    Entry,
    NameReport,
    Pairing,
    PersonalLink,
    Round,
    Subscription,
    Tournament,
)

MAX_LISTED_EVENTS = 20
MAX_LISTED_GAMES = 10
PLAYED_STATES = (Game.State.OPEN, Game.State.WAITING, Game.State.DISPUTED, Game.State.CONFIRMED)


def merge_players(keep_id: int, merged_id: int, *, by: Account) -> Merge:
    """Merge the second player into the first.

    Raises Unprocessable for unknown players, and Conflict for two who cannot be one person: both
    are in one event, have played each other, or have different accounts or ids of one organisation.
    """
    with transaction.atomic():
        lock_head(SITE)  # before the players, as all who change players do
        keep, merged = _lock_players(keep_id, merged_id)
        followers = list(merged.merged.order_by("pk"))
        _check_events(keep, [merged, *followers])
        _check_games(keep, [merged, *followers])
        schemes = _new_schemes(keep, merged)
        has_moved_account = merged.account is not None and not keep.is_claimed
        if keep.is_claimed and merged.is_claimed:
            detail = Text("both have an account; they are merged when one account is closed")
            raise Conflict("both_claimed", detail)

        new = {scheme: merged.external_ids[scheme] for scheme in schemes}
        keep.external_ids = keep.external_ids | new
        merged.merged_into = keep
        merged.save(update_fields=["merged_into"])
        keep.save(update_fields=["external_ids"])
        if has_moved_account:
            _swap_accounts(keep, merged)
        merged.merged.update(merged_into=keep)
        merge = Merge.objects.create(
            keep=keep,
            merged=merged,
            followed=[player.pk for player in followers],
            schemes=schemes,
            has_moved_account=has_moved_account,
            by=by,
        )
        payload = {"merge": merge.pk, "keep": keep.pk, "merged": merged.pk}
        for player in followers:
            player.merged_into = keep
        rows = changed_rows(keep, merged, *followers, merge)
        append_line(SITE, "player.merged", payload, by=by, rows=rows)
        _rate_anew([keep.pk, merged.pk, *merge.followed])
    return merge


def undo_merge(merge: Merge, *, by: Account) -> Merge:
    """Make two players of a merge again; raises Conflict if it is undone or was merged further."""
    with transaction.atomic():
        lock_head(SITE)
        merge = Merge.objects.select_for_update().get(pk=merge.pk)
        if merge.undone_at is not None:
            raise Conflict("nothing_to_do", Text("the merge is undone already"))
        both = Player.objects.select_for_update().filter(pk__in=[merge.keep_id, merge.merged_id])
        players = {player.pk: player for player in both.order_by("pk")}
        keep, merged = players[merge.keep_id], players[merge.merged_id]
        if merged.merged_into_id != keep.pk:
            detail = Text(
                "player %(number)s was merged since; undo that merge first", number=keep.pk
            )
            raise Conflict("merged_since", detail)

        merged.merged_into = None
        ids = keep.external_ids.items()
        keep.external_ids = {name: value for name, value in ids if name not in merge.schemes}
        merged.save(update_fields=["merged_into"])
        keep.save(update_fields=["external_ids"])
        if merge.has_moved_account:
            _swap_accounts(keep, merged)
        Player.objects.filter(pk__in=merge.followed).update(merged_into=merged)
        merge.undone_at = timezone.now()
        merge.save(update_fields=["undone_at"])
        followers = Player.objects.filter(pk__in=merge.followed)
        rows = combined(changed_rows(keep, merged, merge), updated_rows(followers, "merged_into"))
        append_line(SITE, "merge.undone", {"merge": merge.pk}, by=by, rows=rows)
        _rate_anew([keep.pk, merged.pk])
    return merge


def _lock_players(keep_id: int, merged_id: int) -> tuple[Player, Player]:
    if keep_id == merged_id:
        raise Unprocessable(
            "same_player", Text("keep_id and merge_id are the same player"), at="/merge_id"
        )
    both = Player.objects.select_for_update().filter(pk__in=[keep_id, merged_id])
    players = {player.pk: player for player in both.order_by("pk")}
    keep, merged = check_all(
        partial(_require_player, players, keep_id, at="/keep_id"),
        partial(_require_player, players, merged_id, at="/merge_id"),
    )
    return keep, merged


def _require_player(players: Mapping[int, Player], number: int, *, at: str) -> Player:
    if number not in players:
        raise Unprocessable("unknown_player", no_player(number), at=at)
    _require_unmerged(players[number], at=at)
    return players[number]


def _require_unmerged(player: Player, at: str = "") -> None:
    if (other := player.merged_into_id) is not None:
        detail = Text(
            "player %(number)s was merged into player %(other)s", number=player.pk, other=other
        )
        raise Conflict("player_merged", detail, at=at, player_id=other)


def _swap_accounts(one: Player, other: Player) -> None:
    """Exchange the accounts of two players, each of which may have none."""
    one.account, other.account = other.account, one.account
    Player.objects.filter(pk__in=[one.pk, other.pk]).update(account=None)
    one.save(update_fields=["account"])
    other.save(update_fields=["account"])


def _check_events(keep: Player, others: list[Player]) -> None:
    """Raise Conflict if one of the others is entered in an event of the player to keep."""
    kept = keep.registration_ids()
    events = Entry.objects.filter(player__in=kept).values("tournament")
    shared = Entry.objects.filter(player__in=others, tournament__in=events)
    slugs = list(shared.values_list("tournament__slug", flat=True)[:MAX_LISTED_EVENTS])
    if slugs:
        detail = Text(
            "both are entered in %(events)s, so they are two persons", events=", ".join(slugs)
        )
        raise Conflict("same_tournament", detail, tournaments=slugs)


def _check_games(keep: Player, others: list[Player]) -> None:
    """Raise Conflict if one of the others has played the player to keep.

    These games would be of one person against themselves, and no longer rated.
    """
    kept = keep.registration_ids()
    either = Q(first__in=kept, second__in=others) | Q(first__in=others, second__in=kept)
    played = Game.objects.filter(either, state__in=PLAYED_STATES, void=False)
    games = list(played.order_by("pk").values_list("pk", flat=True)[:MAX_LISTED_GAMES])
    if games:
        detail = Text(
            "they have played each other (games %(numbers)s), so they are two persons; games that "
            "were never played must be annulled first",
            numbers=", ".join(map(str, games)),
        )
        raise Conflict("played_each_other", detail, games=games)


def _new_schemes(keep: Player, merged: Player) -> list[str]:
    """Return the organisations whose ids only the merged player has."""
    for scheme, number in merged.external_ids.items():
        if keep.external_ids.get(scheme, number) != number:
            detail = Text(
                "they have different ids of %(scheme)s; correct the wrong one first", scheme=scheme
            )
            raise Conflict("external_ids_differ", detail, scheme=scheme)
    return sorted(merged.external_ids.keys() - keep.external_ids.keys())


def _rate_anew(players: list[int]) -> None:
    """Request a run of each pool in which one of the players is rated."""
    for pool in Rating.objects.filter(player__in=players).values_list("pool", flat=True).distinct():
        send_on_commit("ratings.tasks.advance_pool", pool)


OF_PERSONS: tuple[type[Model], ...] = (Player, Entry, Bye, Claim)
"""The models with personal columns and rows in the journal; a key begins with that of the person's
player or entry."""
PERSONAL = {kind_of(model): frozenset(columns_of(model).personal) for model in OF_PERSONS}
PERSONAL_NAMES = frozenset[str]().union(*PERSONAL.values())
"""The names of these columns, which payloads have too."""
REASONS: Mapping[type[Model], str] = {
    Report: "reason",
    Round: "reason",
    Pairing: "handicap_reason",
    Bye: "reason",
    Correction: "reason",
    Batch: "reason",
    Decision: "reason",
    NameReport: "reason",
}
"""The columns in which people write about others."""
REASON_NAMES = frozenset(REASONS.values())
HAS_REASON = Q(payload__body__has_key="reason") | Q(kind="batch.refused")
"""The condition of the lines of a pool, a casual game or the site that have one."""

Nameless = Callable[[str], str]
"""Puts `player 17` for the names of a person."""


def nameless_by(persons: Iterable[Player]) -> Nameless:
    """Return the function for these registrations of a person, in each order of their names.

    An `s` may follow them. A single word counts in its own letters only: `will` is not Will.
    """
    found = [
        (re.compile(rf"(?<!\w)(?:{'|'.join(orders)})(?=s?(?!\w))", flags), f"player {person.pk}")
        for person in persons
        for orders in [_patterns(person.name)]
        for flags in [re.IGNORECASE if " " in person.name else 0]
    ]

    def nameless(text: str) -> str:
        for pattern, new in found:
            text = pattern.sub(new, text)
        return text

    return nameless


def _patterns(name: str) -> list[str]:
    """Return patterns of the ways to write a name, the longest first."""
    orders = sorted(name_orders(name), key=len, reverse=True)
    return [r"\s+".join(map(re.escape, order.split())) for order in orders]


def erase_player(player: Player, *, by: Account | None) -> Player:
    """Erase the personal data of a player; this cannot be undone.

    Raises Conflict for a player who was merged into another: erase that one.
    """
    with transaction.atomic():
        own = Q(entries__player=player) | Q(entries__player__merged_into=player)
        events = list(Tournament.objects.filter(own).distinct().order_by("pk"))
        # Events in the order of their keys, then the site: so do those who register players in one.
        for event in events:
            lock_tournament(event)
            lock_head(event.stream)
        lock_head(SITE)
        own = Q(pk=player.pk) | Q(merged_into=player)
        persons = list(
            Player.objects.select_for_update(of=("self",))
            .select_related("account")
            .filter(own)
            .order_by("pk")
        )
        ids = [person.pk for person in persons]
        (player,) = (person for person in persons if person.pk == player.pk)
        _require_unmerged(player)

        nameless = nameless_by(persons)
        streams = [event.stream for event in events]
        _erase_records(ids, streams, nameless)
        for event in events:
            _erase_from_event(event, ids, nameless, by)
        for pool in Pool.objects.order_by("pk"):
            tables = [pool.batches.all(), pool.decisions.all()]
            _erase_from_stream(pool.stream, tables, nameless, by)
        for game in Game.objects.filter(_are_of(ids), stream="").order_by("pk"):
            _erase_from_stream(game_stream(game), [game.reports.all()], nameless, by)
        claims = Claim.objects.filter(player__in=ids)
        hidden = HiddenName.objects.filter(about__in=[person.hidden_as for person in persons])
        rows = deleted_rows(*claims, *hidden)
        claims.delete()
        hidden.delete()
        NameReport.objects.filter(player__in=ids).delete()
        Subscription.objects.filter(account__player__in=ids).delete()
        _erase_reasons([NameReport.objects.all()], nameless)
        for person in persons:
            if person.account is not None and closes_account(person):
                erase_login(person.account)
            erase_columns(person)
            person.name = f"player {person.pk}"
            person.save()
        keys = [person.key for person in persons]
        about = Q(payload__body__player__in=ids) | Q(payload__rows__player__has_any_keys=keys)
        lines = JournalLine.objects.filter(about | HAS_REASON, stream=SITE)
        replaced = _without_personal_data(
            lines, keys, lambda body: body.get("player") in ids, nameless
        )
        erase_payloads(SITE, replaced, by=by, rows={})
        rows = combined(rows, whole_rows(*persons))
        append_line(SITE, "player.erased", {"player": player.pk}, by=by, rows=rows)
    player.refresh_from_db()
    return player


def _are_of(players: Collection[int], prefix: str = "") -> Q:
    """Return the condition that games, or what belongs to them, are of these players."""
    return Q(**{f"{prefix}first__in": players}) | Q(**{f"{prefix}second__in": players})


def _erase_from_stream(
    stream: str, tables: "Iterable[QuerySet[Any]]", nameless: Nameless, by: Account | None
) -> None:
    """Erase the names from the reasons of a pool or a casual game, and from those that it had."""
    rows = _erase_reasons(tables, nameless)
    lines = JournalLine.objects.filter(HAS_REASON, stream=stream)
    replaced = _without_personal_data(lines, (), lambda _: False, nameless)
    erase_payloads(stream, replaced, by=by, rows=rows)


def _erase_reasons(tables: "Iterable[QuerySet[Any]]", nameless: Nameless) -> Rows:
    """Erase the names from the reasons of rows; return the changed columns."""
    changed = []
    for rows in tables:
        column = REASONS[rows.model]
        for row in rows.exclude(**{column: ""}):
            text = getattr(row, column)
            if (new := nameless(text)) != text:
                setattr(row, column, new)
                row.save(update_fields=[column])
                changed.append(row)
    return changed_rows(*changed)


def _erase_from_event(
    event: Tournament, players: Collection[int], nameless: Nameless, by: Account | None
) -> None:
    """Erase the personal columns of the entries of these players in the tables and the journal."""
    entries = list(event.entries.filter(player__in=players))
    byes = list(Bye.objects.filter(entry__in=entries))
    for row in (*entries, *byes):
        erase_columns(row)
        row.save()
    links = list(PersonalLink.objects.filter(entry__in=entries, revoked_at=None))
    for link in links:
        link.revoked_at = timezone.now()
        link.save(update_fields=["revoked_at"])
    ordinals = [entry.ordinal for entry in entries]
    numbers = [entry.pk for entry in entries]
    corrections = _erase_corrections(event, numbers)
    tables: list[QuerySet[Any]] = [Report.objects.filter(game__stream=event.stream)]
    tables += [
        model.objects.filter(tournament=event) for model in (Round, Pairing, Bye, Correction)
    ]
    reasons = _erase_reasons(tables, nameless)
    lines = JournalLine.objects.filter(stream=event.stream)
    replaced = _without_personal_data(
        lines, list(map(str, ordinals)), lambda body: body.get("ordinal") in ordinals, nameless
    )
    rows = combined(whole_rows(*entries, *byes), changed_rows(*links, *corrections), reasons)
    erase_payloads(event.stream, replaced, by=by, rows=rows)


def closes_account(player: Player) -> bool:
    """Return True if the account of a player is closed when the player is erased."""
    account = player.account
    return account is not None and not (account.roles.exists() or account.is_staff)


def _erase_records(players: Collection[int], streams: Collection[str], nameless: Nameless) -> None:
    """Remove the names of the players, and what else the tags of their seat say, from records.

    The names are also in comments and other tags, such as that of the event; there they are
    replaced in all records of these streams. The digests stay valid.
    """
    changed = []
    about = _are_of(players, "game__") | Q(game__stream__in=streams)
    reports = Report.objects.filter(about).exclude(record="").select_related("game")
    for report in reports.iterator(chunk_size=BATCH_SIZE):
        own = tuple(
            seat.capitalize()
            for seat in ("first", "second")
            if getattr(report.game, f"{seat}_id") in players
        )
        if not own and nameless(report.record) == report.record:
            continue
        record = Record.parse(report.record)
        tags = {
            name: nameless(text) for name, text in record.tags.items() if not name.startswith(own)
        }
        comments = tuple(replace(each, text=nameless(each.text)) for each in record.comments)
        new = replace(record, tags=tags, comments=comments)
        if new != record:
            report.record = str(new)
            changed.append(report)
    Report.objects.bulk_update(changed, ["record"], batch_size=BATCH_SIZE)


def _erase_corrections(event: Tournament, entries: Collection[int]) -> list[Correction]:
    """Remove the personal values from corrections of these entries; they can be undone no more.

    Return the corrections that change.
    """
    changed = []
    for correction in Correction.objects.filter(tournament=event):
        changes = _without(correction.changes, lambda change: change.get("entry") in entries)
        if changes != correction.changes:
            correction.changes = changes
            changed.append(correction)
    Correction.objects.bulk_update(changed, ["changes"], batch_size=BATCH_SIZE)
    return changed


IsOwn = Callable[[dict[str, Any]], bool]
"""Whether an object of a payload is about the person."""


def _without_personal_data(
    lines: "QuerySet[JournalLine]", keys: Collection[str], is_own: IsOwn, nameless: Nameless
) -> Iterator[tuple[JournalLine, dict[str, Any], Rows | None]]:
    """Yield the lines with personal data, with their payloads and rows without it.

    `keys` are those of the player or the entries in rows.
    """
    found = lines.filter(payload__isnull=False).select_related("payload").order_by("sequence")
    for line in found.iterator(chunk_size=BATCH_SIZE):
        body = _without_names(_without(line.payload.body, is_own), nameless)
        stored = line.payload.rows
        rows = _rows_without(stored, keys, nameless) if stored else None
        if rows == _rows_without(stored or {}, (), str):
            rows = None
        if rows is not None or body != line.payload.body:
            yield line, body, rows


def _rows_without(stored: dict[str, Any], keys: Collection[str], nameless: Nameless) -> Rows:
    """Return the rows of a line without the personal columns of those whose key begins so."""
    rows: Rows = {}
    for kind, key, row in expanded(stored):
        without = row and _without_names(_row_without(kind, key, row, keys), nameless)
        rows.setdefault(kind, {})[key] = without
    return rows


def _row_without(kind: str, key: str, row: Row, keys: Collection[str]) -> Row:
    if kind == kind_of(Correction):
        return dict(_without(row, lambda change: change.get("entry") in keys))
    if kind in PERSONAL and key.partition("/")[0] in keys:
        return {name: value for name, value in row.items() if name not in PERSONAL[kind]}
    return row


def _without_names(value: Any, nameless: Nameless) -> Any:
    """Return JSON without the names of a person in the reasons."""
    if isinstance(value, list):
        return [_without_names(item, nameless) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: nameless(item)
        if name in REASON_NAMES and isinstance(item, str)
        else _without_names(item, nameless)
        for name, item in value.items()
    }


def _without(value: Any, is_own: IsOwn, *, owned: bool = False) -> Any:
    """Return JSON without the personal values of the objects that are about the person."""
    if isinstance(value, list):
        return [_without(item, is_own, owned=owned) for item in value]
    if not isinstance(value, dict):
        return value
    owned = owned or is_own(value)
    return {
        name: _without(item, is_own, owned=owned)
        for name, item in value.items()
        if not (owned and name in PERSONAL_NAMES)
    }
