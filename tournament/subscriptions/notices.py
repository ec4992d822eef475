"""What is due to readers: lines of the journal become notices, which are claimed and then sent.

A notice is a mail, or what one device shows. It waits for `GATHERING`, so that one contains what
happens meanwhile, and none a mistake that is taken back at once. The rows say what is
due: the lines after `Subscription.queued`, and the notices themselves, which are deleted when they
are sent. An attempt is written down before it begins, so a killed worker costs only its lease, and
what was being handed over may come twice.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Substr
from django.utils import timezone

from games.core.accounts.mail import MESSAGE_LIFETIME, PAUSES
from games.core.errors import ApiError
from games.models import JournalHead, LiveRecord, Player
from games.models.streams import TOURNAMENT_STREAM, tournament_of
from games.play.by_turns import awaited_players, notify_each, turns_to_notify
from games.play.live import deadline_of
from games.play.mails import about_turn
from games.play.queries import game_page
from games.rules.seat import Seat
from games.rules.text import Text
from tournament.core.queries import ENDED_APPLICATIONS
from tournament.messages.feed import PAIRED, find_entries, last_number, lines_of, load_feed
from tournament.messages.words import PLAYERS, Message
from tournament.models import GATHERING, Entry, Notice, PushDevice, Subscription, Tournament
from tournament.subscriptions.choices import News, Reader, holding, load_readers, news_of

log = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=60)
"""The time after which an attempt counts as lost: longer than any takes."""
MOST_LINES: Final = 100
"""Lines of a journal that are looked at in one transaction."""
MOST_STANDINGS: Final = 10
"""Places of the standings in a message."""
ENDED: Final = (Tournament.State.FINAL, Tournament.State.ARCHIVED, Tournament.State.CANCELLED)


def events_behind() -> "QuerySet[Tournament]":
    """Return the events whose journals have lines that no subscription was looked at for."""
    heads = JournalHead.objects.filter(stream__startswith=TOURNAMENT_STREAM).annotate(
        slug=Substr("stream", len(TOURNAMENT_STREAM) + 1)
    )
    newer = heads.filter(slug=OuterRef("tournament__slug"), sequence__gt=OuterRef("queued"))
    behind = Subscription.objects.filter(Exists(newer))
    return Tournament.objects.filter(pk__in=behind.values("tournament"))


def queue_notices() -> None:
    """Make the notices of turns, and of all new lines.

    An event whose lines cannot be read delays no other.
    """
    queue_turns()
    for tournament in events_behind():
        try:
            while queue_lines(tournament) == MOST_LINES:
                pass
        except Exception:
            log.exception("the messages of %s were not made", tournament.stream)


def queue_lines(tournament: Tournament) -> int:
    """Make the notices of the next lines of an event; return how many lines there were."""
    with transaction.atomic():
        rows = Subscription.objects.select_for_update().filter(tournament=tournament)
        subscriptions = list(rows.order_by("pk"))
        if not subscriptions:
            return 0
        end = last_number(tournament.stream)
        start = min(subscription.queued for subscription in subscriptions)
        news = [*map(news_of, load_feed(tournament.stream, after=start, limit=MOST_LINES))]
        accounts = [subscription.account_id for subscription in subscriptions]
        readers = load_readers(tournament, accounts)
        told = {
            subscription: numbers
            for subscription in subscriptions
            if (numbers := _numbers_for(subscription, readers, news))
        }
        _add_notices(told)
        # Lines are written meanwhile: the feed can have some after the end that was read before.
        last = news[-1].entry.number if news else start
        rows.update(queued=last if len(news) == MOST_LINES else max(end, last))
    return len(news)


def _numbers_for(
    subscription: Subscription, readers: dict[int, Reader], news: Iterable[News]
) -> list[int]:
    """Return the lines of which the owner of a subscription is notified."""
    reader = readers.get(subscription.account_id, Reader())
    return [
        each.entry.number
        for each in news
        if each.entry.number > subscription.queued >= each.undoes
        and any(each.to(reader, subscription.kinds))
    ]


def queue_turns() -> None:
    """Make the notices of those whose turn it is in a game of an event by turns."""
    notify_each(
        turns_to_notify().filter(game__stream__startswith=TOURNAMENT_STREAM), _add_turn_notices
    )


def _add_turn_notices(live: LiveRecord) -> None:
    accounts = [player.account_id for _, player, _ in awaited_players(live)]
    slug = tournament_of(live.game.stream)
    found = Subscription.objects.filter(tournament__slug=slug, account__in=accounts)
    turn = [live.game_id, len(live.turns) + 1]
    _add_notices({row: [turn] for row in found if "turn" in row.kinds}, column="turns")


def _add_notices(told: dict[Subscription, list[Any]], column: str = "sequences") -> None:
    """Make notices of these lines or turns for mails and devices, or add to those that wait."""
    due = timezone.now() + GATHERING
    waiting = {
        (notice.subscription_id, notice.device_id): notice
        for notice in Notice.objects.select_for_update().filter(subscription__in=told, attempts=0)
    }
    devices: dict[int, list[int]] = defaultdict(list)
    for device in PushDevice.objects.filter(subscription__in=told):
        devices[device.subscription_id].append(device.pk)
    new, longer = [], []
    for subscription, numbers in told.items():
        receivers: list[int | None] = [None] if subscription.by_mail else []
        for receiver in receivers + devices[subscription.pk]:
            notice = waiting.get((subscription.pk, receiver))
            if notice is None:
                new.append(
                    Notice(
                        subscription=subscription,
                        device_id=receiver,
                        next_attempt_at=due,
                        **{column: numbers},
                    )
                )
            else:
                setattr(notice, column, [*getattr(notice, column), *numbers])
                longer.append(notice)
    Notice.objects.bulk_create(new)
    Notice.objects.bulk_update(longer, [column], batch_size=500)


def due_notices(at: datetime, *, to_devices: bool) -> "QuerySet[Notice]":
    """Return the notices, as mails or to devices, whose next attempt is due at a time."""
    return Notice.objects.filter(next_attempt_at__lte=at, device__isnull=not to_devices)


def count_failing_notices() -> int:
    """Return how many mails wait that could not be sent at least twice."""
    return Notice.objects.filter(device=None, attempts__range=(2, len(PAUSES))).count()


def claim_notices(most: int, *, to_devices: bool, besides: Iterable[int] = ()) -> list[Notice]:
    """Begin an attempt at those of the notices that are due, the oldest first."""
    now = timezone.now()
    due = due_notices(now, to_devices=to_devices)
    due = due.exclude(device__in=[*besides]) if besides else due
    found = due.select_related("subscription__account", "subscription__tournament", "device")
    claimed = []
    for notice in found.order_by("next_attempt_at", "pk")[:most]:
        # A conditional update and no lock: of two workers, one changes the row.
        same = Notice.objects.filter(pk=notice.pk, next_attempt_at=notice.next_attempt_at)
        if same.update(attempts=F("attempts") + 1, next_attempt_at=now + LEASE):
            notice.refresh_from_db(fields=["attempts", "sequences", "turns"])
            claimed.append(notice)
    return claimed


def put_off(notice: Notice) -> None:
    """Try a notice again after a pause, which grows."""
    pause = PAUSES[min(notice.attempts, len(PAUSES)) - 1]
    Notice.objects.filter(pk=notice.pk).update(next_attempt_at=timezone.now() + pause)


@dataclass(frozen=True, slots=True)
class Told:
    """A message as it is sent, with the lines that follow its title."""

    message: Message
    lines: Sequence[str]


def tell(notices: Sequence[Notice]) -> dict[int, list[Told]]:
    """Return what each notice of a subscription says now, by its id; nothing if nothing holds."""
    of_event: dict[Tournament, list[tuple[Notice, Subscription]]] = defaultdict(list)
    for notice in notices:
        if notice.subscription is not None:
            of_event[notice.subscription.tournament].append((notice, notice.subscription))
    found: dict[int, list[Told]] = {}
    for tournament, own in of_event.items():
        numbers = {number for notice, _ in own for number in notice.sequences}
        held = holding(tournament, find_entries(tournament.stream, numbers))
        readers = load_readers(tournament, [subscription.account_id for _, subscription in own])
        lines: dict[tuple[int, int | None], list[str]] = {}
        for notice, subscription in own:
            told = {}
            paired: set[int] = set()
            reader = readers.get(subscription.account_id, Reader())
            for each in held:
                if each.entry.number not in notice.sequences or each.undoes in notice.sequences:
                    continue
                if notice.device is None and each.entry.kind == "tournament.cancelled":
                    continue  # a letter with the reason goes to all (tournament/entries/letters.py)
                if each.entry.kind in PAIRED:
                    # The first one says already what boards there are now, and whose are others.
                    if each.entry.data["round"] in paired:
                        continue
                    paired.add(each.entry.data["round"])
                for message in each.to(reader, subscription.kinds):
                    place = (each.entry.number, message.standings)
                    if message.standings is not None and place not in lines:
                        lines[place] = lines_of(message, each.entry)[:MOST_STANDINGS]
                    said = tuple(lines.get(place, message.lines))
                    # The last of those that say the same of a page replaces the others.
                    told[message.title, message.link, said] = Told(message, said)
            found[notice.pk] = [*told.values(), *_tell_turns(notice, reader, tournament)]
    return found


def _tell_turns(notice: Notice, reader: Reader, tournament: Tournament) -> Iterator[Told]:
    """Yield what a notice says of games in which the reader is still to move."""
    games = [game for game, _ in notice.turns]
    for live in LiveRecord.objects.filter(game__in=games).select_related("game"):
        if [live.game_id, len(live.turns) + 1] not in notice.turns:
            continue
        awaited: list[tuple[Seat, Player, Player]] = []
        with suppress(ApiError):  # it cannot be replayed any more
            awaited = awaited_players(live)
        for seat, own, other in awaited:
            if own.pk == reader.player and reader.is_entrant:
                title = Text(
                    "%(event)s: it is your turn against %(name)s",
                    event=tournament.name,
                    name=other.name,
                )
                lines = about_turn(live, seat, deadline_of(live), tournament.time_zone)
                yield Told(Message(PLAYERS, title, f"{game_page(live.game_id)}/live"), lines)


def delete_old(*, at: datetime) -> None:
    """Delete notices that nothing takes, and the subscriptions of events and people that are gone.

    An address, an applicant's too, is held as long after the end of its event as links of messages
    are; that of an application that was refused or withdrawn as long after that.
    """
    Notice.objects.filter(created_at__lt=at - MESSAGE_LIFETIME).delete()
    since = at - timedelta(days=settings.LINK_DAYS)
    ended = Q(tournament__state__in=ENDED, tournament__updated_at__lt=since)
    refused = Q(state__in=ENDED_APPLICATIONS, updated_at__lt=since)
    Entry.objects.filter(ended | refused).exclude(email="").update(email="", language="")
    Subscription.objects.filter(ended | Q(account__is_active=False)).delete()
