"""What Celery runs: each task brings something to its due state, from the rows alone.

A message is a hint. One that is lost is found by the sweeps; one that comes twice finds nothing
left to do; one that kills its worker is counted in the row and given up after some attempts, for
the broker itself would bring it back for ever.
"""

import logging

from celery import current_app, shared_task
from django.db.models import F

from games import queries
from games.imports import uploads
from games.models import Game
from games.services import settlement
from games.services.players import IMPORT

log = logging.getLogger(__name__)

MOST_AT_A_TIME = 20
"""Files that one sweep takes up."""


@shared_task(name="games.tasks.settle_game")
def settle_game(game_id: int) -> None:
    """Settle one game, unless it has failed too often."""
    begun = Game.objects.filter(pk=game_id, attempts__lt=queries.MAX_ATTEMPTS).update(
        attempts=F("attempts") + 1
    )
    if not begun:
        log.error("game %s is not settled: it failed %s times", game_id, queries.MAX_ATTEMPTS)
        return
    settlement.settle_game(game_id)


@shared_task(name="games.tasks.settle_due")
def settle_due() -> int:
    """Settle every game with an unsettled report or a deadline that has passed; how many."""
    due = queries.due_games()
    for game_id in due:
        try:
            settle_game.run(game_id)
        except Exception:
            log.exception("game %s could not be settled; the others go on", game_id)
    return len(due)


@shared_task(name=IMPORT.task)
def import_players(upload_id: int) -> None:
    """Register the players of a file."""
    uploads.run_import(IMPORT, upload_id)


@shared_task(name="games.tasks.import_due")
def import_due() -> int:
    """Import the files whose message was lost or whose worker died; how many were tried.

    Those that somebody is at are left alone. What ended a day ago is removed.
    """
    uploads.delete_old_uploads()
    due = list(queries.due_uploads().values_list("pk", "task")[:MOST_AT_A_TIME])
    for pk, task in due:
        try:
            current_app.tasks[task].run(pk)
        except Exception:
            log.exception("upload %s could not be imported; the others go on", pk)
    return len(due)
