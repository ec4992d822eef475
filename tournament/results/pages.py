"""A game for an arbiter: both records at their first difference; rule it, adjourn it, annul it."""

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import Prefetch
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from games.core.forms import form_fields
from games.core.page_actions import Form
from games.core.requests import is_dry_run
from games.models import Game, Report
from games.play.boards import BoardView, view_board
from games.play.lookup import game_not_found, get_visible_game
from games.play.outcomes import possible_results
from games.play.pages import PlyPair, compare_records, records_by_seat
from games.play.serializers import ArbiterReasonSerializer, RulingRequestSerializer
from games.play.views import AdjournGame, AnnulGame, RuleGame
from games.rules.diagram.scene import scene_of_record
from games.rules.records.claims import without_ending
from games.rules.records.record import Record
from games.rules.seat import Seat
from games.services.settlement import settle_game
from games.views.games import load_game
from games.views.targets import game_target
from tournament.core.pages import RunPage, actions_by_name, quoted_tag
from tournament.models import Round, Tournament
from tournament.rounds.counts import disputed_games

SUCCESS: Final = 303


class ArbiterPage(RunPage):
    template = "tournament/run/game.html"
    section = "disputes"
    actions = {
        "rule": Form(RuleGame),
        "adjourn": Form(AdjournGame),
        "annul": Form(AnnulGame),
    }

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Carry out a ruling, and settle the game at once, so that the next page shows it."""
        game_of_event(request, address["slug"], address["game_id"])
        response = super().post(request, **address)
        if response.status_code == SUCCESS and not is_dry_run(request):
            settle_game(address["game_id"])
        return response

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the game, its reports, both records where they differ, and the forms."""
        game = game_of_event(request, tournament.slug, address["game_id"])
        body = load_game(request, game.pk)
        reports = list(game.reports.order_by("version").select_related("confirms"))
        comparison = compare_records(reports)
        records = records_by_seat(reports)
        return {
            "game": body,
            "allowed": actions_by_name(body["allowed_actions"]),
            "if_match": quoted_tag(game_target(game)),
            "reports": reports,
            "comparison": comparison,
            "positions": positions_at_difference(game, records, comparison),
            "records": [(seat, records[seat]) for seat in Seat if seat in records],
            "results": ["1-0", "0-1", *possible_results(game)],
            "fields": {
                "rule": form_fields(
                    RulingRequestSerializer(),
                    ["result", "termination", "reason"],
                    state=self.form,
                    action="rule",
                ),
                **{
                    name: form_fields(
                        ArbiterReasonSerializer(), ["reason"], state=self.form, action=name
                    )
                    for name in ("adjourn", "annul")
                },
            },
        }


class DisputesPage(RunPage):
    template = "tournament/run/disputes.html"
    section = "disputes"

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the disputed games, each with both records where they differ."""
        found = disputed_games(tournament)
        ordered = Report.objects.order_by("version")
        games = Game.objects.prefetch_related(Prefetch("reports", ordered))
        reports = {
            game.pk: list(game.reports.all())
            for game in games.filter(pk__in=[disputed.game for disputed in found])
        }
        return {"disputed": [(row, compare_records(reports[row.game])) for row in found]}


def game_of_event(request: Request, slug: str, game_id: int) -> Game:
    """Return a game of the event that the caller may see; raises NotFound."""
    game = get_visible_game(request, game_id)
    if game.stream != f"tournament/{slug}":
        raise game_not_found(game_id)
    return game


def positions_at_difference(
    game: Game, records: dict[Seat, str], comparison: Sequence[PlyPair]
) -> list[tuple[str, BoardView]]:
    """Return each side's position after the first ply that differs, with the player's name."""
    difference = next((pair.ply for pair in comparison if pair.is_difference), None)
    if difference is None:
        return []
    names = {Seat.FIRST: game.first.name, Seat.SECOND: game.second.name}
    positions = []
    for seat in Seat:
        record = Record.parse(records[seat])
        ply = min(difference, len(without_ending(record.moves)))
        scene = scene_of_record(record, ply, (game.first.name, game.second.name))
        positions.append((names[seat], view_board(scene, names=True)))
    return positions
