"""Erase a person at their request: the public then sees `player 17`.

Erased are the details of the player and of those merged into them, the personal values of their
entries, the reasons of their byes, their names in records, snapshots and journal payloads, their
claims, and their account unless it has roles of its own. Their personal links are revoked. Games,
results and ratings stay. A chain of the journal stays whole: a line names the digests of the
payloads without the personal data.

Responses stored for `Idempotency-Key` and uploaded files are deleted after a day anyway.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.bulk import BATCH_SIZE
from games.http.errors import Conflict
from games.journal import append_line, erase_payloads
from games.models import Account, EmailLink, JournalLine, Player, Report
from games.rules.records.record import Record
from games.rules.text import Text
from games.services.players import SITE
from tournament.models import Bye, Correction, Entry, PersonalLink, Tournament
from tournament.services.entry_payloads import PERSONAL_DETAILS
from tournament.snapshots.creation import erase_player as erase_from_snapshots

PERSONAL_KINDS = (
    Q(kind__startswith="entry.")
    | Q(kind="entries.imported")
    | Q(kind="tournament.imported")
    | Q(kind="bye.granted")
)
"""The lines of an event whose payloads can contain personal data."""


def erase_player(player: Player, *, by: Account | None) -> Player:
    """Erase the personal data of a player; this cannot be undone.

    Raises Conflict for a player who was merged into another: erase that one.
    """
    with transaction.atomic():
        player = Player.objects.select_for_update(of=("self",)).get(pk=player.pk)
        if player.merged_into_id is not None:
            detail = Text(
                "player %(number)s was merged into player %(other)s",
                number=player.pk,
                other=player.merged_into_id,
            )
            raise Conflict("player_merged", detail, player=player.merged_into_id)
        persons = [player, *player.merged.select_for_update(of=("self",)).order_by("pk")]
        ids = [person.pk for person in persons]
        entries = set(Entry.objects.filter(player__in=ids).values_list("pk", flat=True))
        events = Tournament.objects.filter(entries__in=entries).distinct().order_by("pk")

        _erase_records(ids)
        Entry.objects.filter(pk__in=entries).update(
            birth_year=None, sex="", title="", category="", club=""
        )
        Bye.objects.filter(entry__in=entries).update(reason="")
        links = PersonalLink.objects.filter(entry__in=entries, revoked_at=None)
        links.update(revoked_at=timezone.now())
        _erase_corrections(entries)
        for person in persons:
            erase_from_snapshots(person)
            person.claims.all().delete()
            _erase_account(person)
            _erase_details(person)
        for event in list(events):
            lines = JournalLine.objects.filter(PERSONAL_KINDS, stream=event.stream)
            erase_payloads(event.stream, _without_personal_data(lines, entries), by=by)
        about = Q(kind__in=["player.registered", "player.edited"], payload__body__player__in=ids)
        lines = JournalLine.objects.filter(about, stream=SITE)
        erase_payloads(SITE, _without_personal_data(lines, entries), by=by)
        append_line(SITE, "player.erased", {"player": player.pk}, by=by)
    player.refresh_from_db()
    return player


def _erase_details(player: Player) -> None:
    player.name = f"player {player.pk}"
    player.country = player.club = player.sex = ""
    player.birth_year, player.external_ids, player.account = None, {}, None
    player.save()


def closes_account(player: Player) -> bool:
    """Return True if the account of a player is closed when the player is erased."""
    account = player.account
    return account is not None and not (account.roles.exists() or account.is_staff)


def _erase_account(player: Player) -> None:
    """Close the account and erase its address, unless it has roles of its own."""
    account = player.account
    if account is None or not closes_account(player):
        return
    if account.email:
        EmailLink.objects.filter(email__iexact=account.email).delete()
    account.auth_token_set.all().delete()
    account.email, account.name, account.is_active = None, "", False
    account.set_unusable_password()
    account.save()


def _erase_records(players: Collection[int]) -> None:
    """Remove the names of the players, and what else the tags of their seat say, from records.

    The digests stay valid.
    """
    changed = []
    for seat in ("first", "second"):
        reports = Report.objects.filter(**{f"game__{seat}__in": players}).exclude(record="")
        for report in reports.iterator(chunk_size=BATCH_SIZE):
            record = Record.parse(report.record)
            tag = seat.capitalize()
            if tag in record.tags:
                others = {
                    name: text for name, text in record.tags.items() if not name.startswith(tag)
                }
                report.record = str(replace(record, tags=others))
                changed.append(report)
        Report.objects.bulk_update(changed, ["record"], batch_size=BATCH_SIZE)
        changed.clear()


def _erase_corrections(entries: Collection[int]) -> None:
    """Remove the personal values from corrections of these entries; they can be undone no more."""
    changed = []
    corrections = Correction.objects.filter(tournament__entries__in=entries).distinct()
    for correction in corrections:
        changes = [_redact_change(change, entries) for change in correction.changes]
        if changes != correction.changes:
            correction.changes = changes
            changed.append(correction)
    Correction.objects.bulk_update(changed, ["changes"], batch_size=BATCH_SIZE)


def _redact_change(change: dict[str, Any], entries: Collection[int]) -> dict[str, Any]:
    """Return a change of a correction without the personal values of these entries."""
    if "before" not in change or change.get("entry") not in entries:
        return change
    values = {
        time: {
            name: value
            for name, value in change[time].items()
            if name not in (*PERSONAL_DETAILS, "title")
        }
        for time in ("before", "after")
    }
    return {**change, **values}


def _without_personal_data(
    lines: "QuerySet[JournalLine]", entries: Collection[int]
) -> Iterator[tuple[JournalLine, dict[str, Any]]]:
    """Yield the lines whose payloads contain personal data, with the payloads without it."""
    for line in lines.select_related("payload").order_by("sequence"):
        payload = getattr(line, "payload", None)
        if payload is not None:
            body = _redact(line.kind, payload.body, entries)
            if body != payload.body:
                yield line, body


def _redact(kind: str, body: Mapping[str, Any], entries: Collection[int]) -> dict[str, Any]:
    if kind == "player.registered":
        return {name: value for name, value in body.items() if name != "name"}
    if kind == "player.edited":
        return {**body, "old": {}, "new": {}}
    if kind in ("entries.imported", "tournament.imported"):
        return {**body, "entries": [_redact_entry(entry, entries) for entry in body["entries"]]}
    if kind == "bye.granted":
        return {**body, "reason": ""} if body["entry"] in entries else dict(body)
    return _redact_entry(body, entries)


def _redact_entry(body: Mapping[str, Any], entries: Collection[int]) -> dict[str, Any]:
    is_own = body.get("entry") in entries
    removed = (*PERSONAL_DETAILS, "reason") if is_own else ()
    return {name: value for name, value in body.items() if name not in removed}
