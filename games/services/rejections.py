"""Records that the referee rejected: the journal lists them, within a quota."""

import hashlib
from typing import Any

from django.conf import settings
from django.db import transaction

from games.core.errors import ApiError
from games.core.journal.lines import append_game_line, game_stream
from games.models import Account, Game, JournalPayload


def journal_rejected_record(
    game: Game, seat: str, content: str | dict[str, Any], error: ApiError, *, by: Account
) -> None:
    """Write a journal line for an illegal record, in its own transaction.

    Nothing is written after the end of the event, for a record that the account has sent before,
    and for more than the quota of rejected records.
    """
    text = content if isinstance(content, str) else repr(content)
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    payload = {
        "game": game.pk,
        "seat": seat,
        "errors": error.errors,
        "content_digest": digest,
    }
    with transaction.atomic():
        game = Game.objects.select_for_update(no_key=True).get(pk=game.pk)
        rejected = _rejected_record_digests(game, by)
        is_repeated = (game.pk, digest) in rejected
        if game.closed or is_repeated or len(rejected) >= settings.QUOTAS["rejected_records"]:
            return
        append_game_line(game, "report.refused", payload, by=by)


def _rejected_record_digests(game: Game, by: Account) -> set[tuple[int, str]]:
    """Return the game and the digest of each record in the journal that was rejected.

    The journal is that of the event, and the records are those of one account.
    """
    payloads = JournalPayload.objects.filter(
        line__stream=game_stream(game),
        line__kind="report.refused",
        line__actor=f"account/{by.pk}",
    )
    return {
        (body["game"], body["content_digest"]) for body in payloads.values_list("body", flat=True)
    }
