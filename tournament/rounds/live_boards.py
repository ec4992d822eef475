"""The boards of an event that are being played, as small pictures that follow their records.

A page shows the first of them as they are when it is made. Its script (static/tournament/boards.js)
learns of new versions from the stream of the event, and loads each from an address with the version
in it, which is the same response for all who follow.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.http.response import HttpResponseBase
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from rest_framework.request import Request

from games.core.pages import PageView, redirect
from games.models import Game
from games.play.followers import followed_games, shown_since, shown_turns, shown_version
from games.play.live import record_with
from games.play.queries import game_not_found
from games.rules.diagram.grid import draw_small
from games.rules.diagram.scene import scene_of_record
from games.rules.outcome import Outcome
from tournament.core.lookup import tournament_seen_by
from tournament.entries.queries import namesakes_in
from tournament.models import Tournament

MOST_LIVE_BOARDS: Final = 6
STORED: Final = "public, max-age=600"
"""The content of an address with a version does not change."""


@dataclass(frozen=True, slots=True)
class LiveSeat:
    """A seat with the scores that it can reach; "" in a game without scores, and at the start."""

    seat: str
    player: str
    points: str
    is_to_move: bool


@dataclass(frozen=True, slots=True)
class LiveBoard:
    """What spectators see of a game that is being played."""

    game_id: int
    version: int
    svg: SafeString
    seats: Sequence[LiveSeat]
    turns: int
    since: datetime


class LiveBoardPage(PageView):
    """One board, a part of a page; an older version leads to the one that is shown now."""

    template = "tournament/rounds/live_board.html"
    public_read = "slug"

    def get(self, request: Request, **address: Any) -> HttpResponseBase:
        tournament = tournament_seen_by(request, address["slug"])
        (found,) = load_live_boards(tournament, game_id=address["game_id"]) or (None,)
        if found is None:
            raise game_not_found(address["game_id"])
        if found.version != address["version"]:
            return redirect(f"/e/{tournament.slug}/live/{found.game_id}/{found.version}")
        response = self.page({"event": tournament, "board": found})
        response.headers["Cache-Control"] = STORED if tournament.public else "private, no-cache"
        return response


def live_boards_context(tournament: Tournament) -> dict[str, Any]:
    """Return what the pages of an event show of the boards that are being played."""
    return {"live_boards": load_live_boards(tournament), "most_live_boards": MOST_LIVE_BOARDS}


def load_live_boards(tournament: Tournament, *, game_id: int | None = None) -> list[LiveBoard]:
    """Return the first boards that are being played, or one of them, as spectators see them."""
    if tournament.state != Tournament.State.RUNNING:
        return []
    games = followed_games().filter(stream=tournament.stream)
    if game_id is not None:
        games = games.filter(pk=game_id)
    players = ("first__merged_into", "second__merged_into")
    found = list(games.select_related("live", *players).order_by("pk")[:MOST_LIVE_BOARDS])
    names = namesakes_in(tournament) if found else {}
    return [*_drawn(found, names)]


def _drawn(games: Iterable[Game], names: Mapping[int, str]) -> Iterable[LiveBoard]:
    for game in games:
        live = game.live
        shown = shown_turns(live, sees_all=False)
        players = [
            names.get(player.current.pk, player.current.name)
            for player in (game.first, game.second)
        ]
        scene = scene_of_record(record_with(game, live.moves[:shown]))
        title = f"{' – '.join(players)}, " + gettext("Turn %(ply)d") % {"ply": shown}
        yield LiveBoard(
            game_id=game.pk,
            version=shown_version(live, shown),
            svg=mark_safe(draw_small(scene, title=title)),
            seats=[
                LiveSeat(
                    seat=seat.value,
                    player=player,
                    points=points_of(scene.outcome, number) if shown else "",
                    is_to_move=scene.position.to_move is seat,
                )
                for number, (seat, player) in enumerate(zip(scene.seats, players, strict=False))
            ],
            turns=shown,
            since=shown_since(live, shown),
        )


def points_of(outcome: Outcome, seat: int) -> str:
    """Return the scores that a seat can reach, as pages show ranges."""
    if outcome.bounds is None:
        return ""
    least, most = outcome.bounds[seat]
    return f"{least}–{most}"
