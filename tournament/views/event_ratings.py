"""The ratings of an event in every format."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from games.core.requests import is_flag_set
from games.core.tables.csv import CsvRenderer
from games.core.tables.html import HtmlRenderer
from games.core.tables.json import JsonRenderer
from games.core.tables.pdf import PdfRenderer
from games.core.tables.views import BOM_PARAMETER, PAPER, TABLE_FILES, NegotiatedView
from games.documents.renderers.ndjson import NdjsonRenderer
from games.play.lookup import visible_games
from ratings.comparisons.queries import event_ratings_as_json
from ratings.models import Pool
from tournament.core.headings import requested_frame
from tournament.core.lookup import tournament_seen_by
from tournament.serializers.event_ratings import EventRatingsSerializer
from tournament.tables.ratings import ratings_document


class EventRatingsView(NegotiatedView):
    renderer_classes = [JsonRenderer, CsvRenderer, NdjsonRenderer, HtmlRenderer, PdfRenderer]

    @extend_schema(
        operation_id="event_ratings",
        parameters=[BOM_PARAMETER, PAPER],
        responses={(200, "application/json"): EventRatingsSerializer, **TABLE_FILES},
    )
    def get(self, request: Request, slug: str, format: str = "") -> HttpResponse:
        """Return the performance of each player in the rated games, and the change of the rating.

        Before the event is rated, `state` is `expected`: the changes are those that the results so
        far would give now, if the pool approves the event; it is `unrated` if the event
        requests no rating. CSV columns: `id,name,games,score,expected,performance,before,change,
        after`, where `id` is that of the player.
        """
        tournament = tournament_seen_by(request, slug)
        pool = Pool.objects.filter(code=tournament.pool).first() if tournament.rated else None
        games = visible_games(request).filter(stream=tournament.stream, void=False)
        body = event_ratings_as_json(pool, tournament.stream, games)
        mark = is_flag_set(request, "bom")
        with self.language:
            document = ratings_document(tournament, body)
            frame = requested_frame(request, tournament)
            stem = document.heading.file_stem
            return self.render(document, stem, byte_order_mark=mark, frame=frame)
