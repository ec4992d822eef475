"""The tasks of this app in the API: settlements of reports, and imports."""

from typing import Final

from rest_framework.request import Request

from games import queries
from games.accounts.permissions import MATRIX, may
from games.http.request import TaskKind, current_account, visible_games
from games.models import Upload


def can_see_report(request: Request, number: int, stream: str) -> bool:
    """Return True if the account may read the reports of the game."""
    game = visible_games(request).filter(reports=number).select_related("first", "second").first()
    if game is None:
        return False
    user, token = current_account(request)
    return may(user, token, "game.reports", stream=stream, seats=game.seats_of(user))


def can_see_import(request: Request, number: int, stream: str) -> bool:
    """Return True if the account sent the file, and the token has a scope for such imports."""
    user, token = current_account(request)
    upload = Upload.objects.filter(pk=number, by=user.pk).values("action").first()
    if upload is None or token is None:
        return upload is not None
    has_scope = not set(MATRIX[upload["action"]].scopes).isdisjoint(token.scopes)
    return has_scope and token.stream in ("", stream)


GAMES_TASK_KINDS: Final = {
    "report": TaskKind(queries.report_progress, can_see_report),
    "import": TaskKind(queries.import_progress, can_see_import),
}
