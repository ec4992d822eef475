"""What the service holds about a person, as JSON: every row that names the account or its player.

The tables are those of the apps, so that a new one is not forgotten. What is left out are secrets,
and how others are named in the same rows is their number.
"""

from collections.abc import Iterator
from typing import Any, Final

from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import BinaryField, Model
from django.http import JsonResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from games.core.accounts.views import unrestricted_account
from games.core.journal.lines import SITE, append_line
from games.core.pages import PageView
from games.models import Account, JournalLine, Player

SECRETS: Final = frozenset(
    {"password", "digest", "token_key", "session_key", "data", "key"}
    | {"secret", "previous_secret", "application_key", "client_secret", "code", "code_challenge"}
    | {"token", "token_checksum"}
)
"""Columns that let somebody act as the person, or read what is sent to them."""


class HeldPage(PageView):
    """The file of what is held, which needs the password of the account."""

    throttle_scope = "export"

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        """Return the file, and note in the journal that it was read."""
        account = unrestricted_account(request)
        with transaction.atomic():
            content = held_about(account)
            append_line(SITE, "account.exported", {"account": account.pk}, by=account)
        response = JsonResponse(content, encoder=DjangoJSONEncoder, json_dumps_params={"indent": 1})
        response.headers["Content-Disposition"] = 'attachment; filename="account.json"'
        response.headers["Cache-Control"] = "private, no-store"
        return response


def held_about(account: Account) -> dict[str, Any]:
    """Return the rows about an account and its player, by table and by the column that names it."""
    player = getattr(account, "player", None)
    players = [player.pk, *player.merged.values_list("pk", flat=True)] if player else []
    held: dict[str, Any] = {"accounts": _rows(Account, pk=account.pk)}
    held["players"] = _rows(Player, pk__in=players)
    for model, field in _references():
        numbers = [account.pk] if field.related_model is Account else players
        if rows := _rows(model, **{f"{field.name}__in": numbers}):
            held[f"{model._meta.label_lower} ({field.name})"] = rows
    held["journal"] = list(
        JournalLine.objects.filter(actor=f"account/{account.pk}")
        .order_by("pk")
        .values("stream", "sequence", "kind", "at")
    )
    return held


def _references() -> Iterator[tuple[type[Model], Any]]:
    """Yield the columns of all tables that name an account or a player."""
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if field.related_model in (Account, Player) and model not in (Account, Player):
                yield model, field


def _rows(model: type[Model], **condition: Any) -> list[dict[str, Any]]:
    columns = [
        field.attname
        for field in model._meta.concrete_fields
        if field.name not in SECRETS and not isinstance(field, BinaryField)
    ]
    rows = model._default_manager.filter(**condition).order_by("pk")
    return [dict(row) for row in rows.values(*columns)]
