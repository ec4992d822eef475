"""What the service holds about a person, as JSON: every row that names the account or the player.

The tables are those of the apps, so that a new one is not forgotten. Rows of the person's entries
and games belong to it, messages to their address, their files that wait, and what the journals say
of them. What is left out are secrets; others in the same rows are numbers.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import BinaryField, Model, Q
from django.http import JsonResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from games.core.accounts.administration import AdministerAccount, find_account
from games.core.accounts.views import unrestricted_account
from games.core.journal.lines import SITE, append_line
from games.core.journal.rows import expanded
from games.core.pages import PageView
from games.core.permissions import current_account
from games.core.views import call_of
from games.models import Account, EmailLink, Game, JournalLine, Message, Player, Upload
from games.models.columns import columns_of
from tournament.models import Correction, Entry, Subscription, Tournament
from tournament.players.queries import player_seen
from tournament.players.services import PERSONAL

SECRETS: Final = frozenset(
    {"password", "digest", "token_key", "session_key", "data", "key"}
    | {"secret", "previous_secret", "application_key", "client_secret", "code", "code_challenge"}
    | {"token", "token_checksum"}
)
"""Columns that let somebody act as the person, or read what is sent to them."""

Numbers = Mapping[type[Model], Sequence[int]]


class HeldPage(PageView):
    """The file of what is held, which needs the password of the account."""

    throttle_scope = "dear"

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the file, and note in the journal that it was read."""
        account, player = self.person(request, **address)
        kind, number = ("account", account.pk) if account else ("player", player.pk)
        by, _ = current_account(request)
        with transaction.atomic():
            content = held_about(account, player)
            append_line(SITE, f"{kind}.exported", {kind: number}, by=by)
        response = JsonResponse(content, encoder=DjangoJSONEncoder, json_dumps_params={"indent": 1})
        response.headers["Content-Disposition"] = f'attachment; filename="{kind}.json"'
        response.headers["Cache-Control"] = "private, no-store"
        return response

    def person(self, request: Request, **address: Any) -> tuple[Account | None, Any]:
        """Return the account that asks, and its player."""
        account = unrestricted_account(request)
        return account, getattr(account, "player", None)


class HeldForStaff(HeldPage):
    """The same of another person, who has asked the site's staff for it."""

    def person(self, request: Request, **address: Any) -> tuple[Account | None, Any]:
        """Return the account of the address and its player, or the player of the address."""
        AdministerAccount().check(call_of(request, address), None)
        if "player_id" in address:
            player = player_seen(address["player_id"])
            return player.account, player
        account = find_account(address["account_id"])
        return account, getattr(account, "player", None)


def held_about(account: Account | None, player: Player | None) -> dict[str, Any]:
    """Return the rows about a person, by table and by the column that names them."""
    accounts = [account.pk] if account else []
    players = player.registration_ids() if player else []
    entries = Entry.objects.filter(player__in=players)
    games = Game.objects.filter(Q(first__in=players) | Q(second__in=players))
    numbers: Numbers = {
        Account: accounts,
        Player: players,
        Entry: list(entries.values_list("pk", flat=True)),
        Game: list(games.values_list("pk", flat=True)),
        Subscription: list(
            Subscription.objects.filter(account__in=accounts).values_list("pk", flat=True)
        ),
    }
    held: dict[str, Any] = {
        "accounts": _rows(Account, pk__in=accounts),
        "players": _rows(Player, pk__in=players),
    }
    for model, field in _references():
        rows = _rows(
            model,
            without=_about_others(model, field.name),
            **{f"{field.name}__in": numbers[field.related_model]},
        )
        if rows:
            held[f"{model._meta.label_lower} ({field.name})"] = rows
    if account and account.email:
        held["messages"] = [
            *_rows(EmailLink, email=account.email),
            *_rows(Message, without=("text",), email=account.email),
        ]
    held["corrections"] = list(_corrections(entries))
    held["journal"] = list(
        JournalLine.objects.filter(
            Q(actor__in=[f"account/{number}" for number in accounts])
            | Q(stream=SITE, payload__body__account__in=accounts)
        )
        .order_by("pk")
        .values("stream", "sequence", "kind", "at", "actor")
    )
    held["journal_rows"] = list(_journal_rows(players, entries))
    return held


def _references() -> Iterator[tuple[type[Model], Any]]:
    """Yield the columns of all tables that name a person, their entry, game or subscription.

    What is computed of a game, such as the index of openings, is not about its players.
    """
    for model in apps.get_models():
        columns = vars(model).get("columns")
        indirect = (Entry, Game) if columns and columns.journalled else ()
        for field in model._meta.concrete_fields:
            named = field.related_model
            if model not in (Account, Player) and named in (
                Account,
                Player,
                Subscription,
                *indirect,
            ):
                yield model, field


def _about_others(model: type[Model], name: str) -> Sequence[str]:
    """Return the columns that are about somebody else where the person is only who acted."""
    return columns_of(model).personal if name == "by" or name.endswith("_by") else ()


def _rows(
    model: type[Model], *, without: Sequence[str] = (), **condition: Any
) -> list[dict[str, Any]]:
    columns = [
        field.attname
        for field in model._meta.concrete_fields
        if field.name not in SECRETS
        and field.name not in without
        and (model is Upload or not isinstance(field, BinaryField))
    ]
    rows = model._default_manager.filter(**condition).order_by("pk")
    return [_readable(row) for row in rows.values(*columns)]


def _readable(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row whose file, if it has one, is in Base64."""
    return {
        name: b64encode(value).decode() if isinstance(value, bytes | memoryview) else value
        for name, value in row.items()
    }


def _corrections(entries: Any) -> Iterator[dict[str, Any]]:
    """Yield what corrections have changed in these entries."""
    numbers = {entry.pk for entry in entries}
    events = Tournament.objects.filter(entries__in=entries)
    for correction in Correction.objects.filter(tournament__in=events).order_by("pk"):
        if own := [each for each in correction.changes if each.get("entry") in numbers]:
            yield {"id": correction.pk, "reason": correction.reason, "changes": own}


def _journal_rows(players: Sequence[int], entries: Any) -> Iterator[dict[str, Any]]:
    """Yield what each line of the journals says about the players, and about these entries."""
    keys = list(Player.objects.filter(pk__in=players).values_list("key", flat=True))
    lines = JournalLine.objects.select_related("payload").order_by("sequence")
    about = Q(payload__rows__has_any_keys=[kind for kind in PERSONAL if kind != "entry"])
    yield from _rows_of(lines.filter(about, stream=SITE), keys)
    for entry in entries.select_related("tournament").order_by("pk"):
        key = str(entry.ordinal)
        about = Q(payload__rows__entry__has_key=key) | Q(payload__rows__has_key="bye")
        yield from _rows_of(lines.filter(about, stream=entry.tournament.stream), [key])


def _rows_of(lines: Any, keys: Sequence[str]) -> Iterator[dict[str, Any]]:
    for line in lines:
        for kind, key, row in expanded(line.payload.rows):
            if kind in PERSONAL and key.partition("/")[0] in keys:
                place = {"stream": line.stream, "sequence": line.sequence, "at": line.at}
                yield {**place, "kind": kind, "key": key, "row": row}
