"""What Celery runs: each task brings something to its due state, from the rows alone.

A message is a hint. One that is lost is found by `settle_due`; one that comes twice finds nothing
left to do; one that kills its worker is counted in the row and given up after some attempts, for
the broker itself would bring it back for ever.
"""

import logging

from celery import shared_task
from django.db.models import F

from games import queries
from games.models import Game
from games.services import settlement

log = logging.getLogger(__name__)


@shared_task(name="games.tasks.settle_game")
def settle_game(game_id: int) -> None:
    """Settle one game, unless it has failed too often."""
    begun = Game.objects.filter(pk=game_id, attempts__lt=queries.MOST_ATTEMPTS).update(
        attempts=F("attempts") + 1
    )
    if not begun:
        log.error("game %s is not settled: it failed %s times", game_id, queries.MOST_ATTEMPTS)
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
