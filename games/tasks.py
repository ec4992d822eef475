"""Celery tasks: each brings rows to their due state.

A message is only a hint. A sweep finds the work of a lost message; a doubled message finds nothing
to do; a message that kills its worker is counted in the row and given up after some attempts,
because the broker would deliver it again forever.
"""

import logging
from datetime import timedelta

from allauth.usersessions.models import UserSession
from celery import shared_task
from django.contrib.sessions.models import Session
from django.utils import timezone
from oauth2_provider.models import clear_expired

from games.core.accounts import mail
from games.core.accounts.queries import unconfirmed_accounts
from games.core.accounts.services import erase_due
from games.core.idempotency import oldest_response
from games.core.turns import send_next
from games.core.uploads.services import delete_old_uploads, import_in_turn
from games.core.uploads.tasks import uploads_in_turn
from games.models import Game, StoredResponse
from games.models.attempts import MAX_ATTEMPTS, attempt_each, count_attempt
from games.play import by_turns, proposals, settlement
from games.play.queries import due_games, given_up_games
from games.players.imports import IMPORT
from games.study.services import index_due

log = logging.getLogger(__name__)

MAX_MESSAGES = 50
"""Emails that one sweep sends."""

MAX_INDEXED = 2000
"""Games that one sweep adds to the index; `manage.py index_games` has no limit."""


@shared_task(name="games.tasks.settle_game")
def settle_game(game_id: int) -> None:
    """Settle one game, unless it has failed too often."""
    due = Game.objects.filter(attempts__lt=MAX_ATTEMPTS)
    with count_attempt(due, game_id) as is_due:
        if is_due:
            settlement.settle_game(game_id)
        else:
            log.error("game %s is not settled: it failed %s times", game_id, MAX_ATTEMPTS)


@shared_task(name="games.tasks.settle_due")
def settle_due() -> int:
    """Settle every game that is due; return how many there were."""
    return attempt_each(due_games(), settle_game.run, what="settlement of game")


@shared_task(name="games.tasks.retry_failed")
def retry_failed() -> int:
    """Allow another attempt for each game that was given up; return how many there were.

    Its attempts may have been interrupted from outside, or by an error that has been corrected.
    """
    return given_up_games().update(attempts=MAX_ATTEMPTS - 1)


@shared_task(name="games.tasks.expire_casual_games")
def expire_casual_games() -> int:
    """End the casual games not answered or not reported in time; return how many there were."""
    return proposals.expire_casual_games()


@shared_task(name="games.tasks.index_games")
def index_games() -> int:
    """Bring the index of openings and patterns to its due state; return how many games were due."""
    return index_due(MAX_INDEXED)


@shared_task(name="games.tasks.send_link")
def send_link(link_id: int) -> None:
    """Send the message of one email link."""
    mail.send_link(link_id)


@shared_task(name="games.tasks.send_message")
def send_message(message_id: int) -> None:
    """Send one message of the account pages."""
    mail.send_message(message_id)


@shared_task(name="games.tasks.send_due_links")
def send_due_links() -> int:
    """Send messages whose task was lost or failed; return how many were due. Delete old links.

    Those whose turn it is in a casual game are notified.
    """
    mail.delete_old_links()
    by_turns.notify_casual_players()
    messages = list(mail.due_messages().values_list("pk", flat=True)[:MAX_MESSAGES])
    links = list(mail.due_links().values_list("pk", flat=True)[:MAX_MESSAGES])
    return attempt_each(messages, send_message.run, what="message") + attempt_each(
        links, send_link.run, what="email link"
    )


@shared_task(name=IMPORT.task)
def import_players(_upload_id: int = 0) -> None:
    """Register the players of the upload whose turn it is."""
    import_in_turn(IMPORT)


@shared_task(name="games.tasks.delete_old_responses")
def delete_old_responses() -> None:
    """Delete the responses that a repeated request does not get any more."""
    StoredResponse.objects.filter(created_at__lte=oldest_response()).delete()


@shared_task(name="games.tasks.delete_old_sessions")
def delete_old_sessions() -> None:
    """Delete sessions of pages that have ended, with their addresses, and sign-ups not confirmed.

    Accounts that were closed long ago are erased.
    """
    now = timezone.now()
    Session.objects.filter(expire_date__lt=now).delete()
    ended = UserSession.objects.exclude(session_key__in=Session.objects.values("session_key"))
    ended.filter(created_at__lt=now - timedelta(hours=1)).delete()
    unconfirmed_accounts().delete()
    erase_due()


@shared_task(name="games.tasks.delete_old_app_tokens")
def delete_old_app_tokens() -> None:
    """Delete the codes and tokens of apps that have expired, as `manage.py cleartokens` does."""
    clear_expired()


@shared_task(name="games.tasks.import_due")
def import_due() -> None:
    """Send the task of the upload whose turn it is, if its message was lost or its worker died.

    Delete those that finished a day ago.
    """
    delete_old_uploads()
    send_next(uploads_in_turn())
