"""The results of a round by board."""

from dataclasses import replace

from django.http import HttpResponse
from django.utils.translation import gettext_noop
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework.request import Request

from games.core.actions import Call
from games.core.requests import is_flag_set
from games.core.tables.csv import CsvRenderer
from games.core.tables.json import JsonRenderer, NdjsonRenderer
from games.core.tables.views import BOM_PARAMETER, NegotiatedView
from games.core.tables.xlsx import XlsxRenderer
from games.core.types import described, with_chosen_rows
from games.core.uploads.tasks import import_responses
from games.core.uploads.views import TEXT_FILE, TEXT_PARAMETERS, ImportAction
from games.core.views import endpoint
from tournament.core.lookup import ActionInEvent
from tournament.core.rows import chosen_rows, row_parameters
from tournament.models import Round
from tournament.results.queries import BoardRow, RoundResults, results_as_json
from tournament.results.records import RECORDS_IMPORTER, ImportedRecords
from tournament.results.serializers import ResultsRequestSerializer, RevokedResultsRequestSerializer
from tournament.results.services import enter_results, revoke_results
from tournament.results.tables import results_document
from tournament.rounds.lookup import ActionInRound, round_seen_by

RECORDS_EXAMPLE = """\
[Round "1"]
[Table "1"]
[Game "star-star"]
[Board "4"]

1. S20 T10 2. A10 R10 3. *10 S10 agreed 11-10
"""
MISSING = OpenApiParameter("missing", bool, description="only the games without a result")


class EnterResults(ActionInRound):
    """Enter results by board, all or none, as an official; the response has the whole round.

    A result from a signed slip has the basis `slip`, a forfeit is a ruling. The same result again
    changes nothing, and a different one is rejected (409 `result_differs`): rule that game
    (`games/{id}/rule`), or correct it once the round is complete (409 `correction_needed`). A
    disputed game needs a ruling with its reason (409 `game_disputed`), also here. A result that
    contradicts the report of a player needs `accept` (409 `acceptance_needed` says what was
    reported). So scorers who enter results at the same time need no `If-Match`.
    """

    rule = "enter_results"
    body = ResultsRequestSerializer
    example = {
        "basis": "slip",
        "results": [{"board": 1, "result": "26-25"}, {"board": 2, "result": "0-1"}],
    }
    done = gettext_noop("The results are entered.")

    def perform(self, call: Call, found: Round) -> RoundResults:
        this_round = enter_results(found.tournament, found.number, **call.body, by=call.account)
        return results_as_json(this_round)


class RevokeResults(ActionInRound):
    """Take back results that one entered: the games are open again, or have their earlier result.

    Only while the round is being played, and if nobody has reported or ruled the game since (409
    `report_superseded`): all of them, or none. Each report stays,
    with one that revokes it; so no `If-Match` is needed.
    """

    name = "revoke_results"
    rule = "enter_results"
    body = RevokedResultsRequestSerializer
    example = {"game_ids": [17]}
    done = gettext_noop("The result is taken back.")

    def perform(self, call: Call, found: Round) -> RoundResults:
        this_round = revoke_results(found.tournament, found.number, **call.body, by=call.account)
        return results_as_json(this_round)


class RoundResultsView(NegotiatedView):
    post = endpoint(EnterResults)
    parameters = (MISSING, BOM_PARAMETER, *row_parameters(BoardRow))
    renderer_classes = (JsonRenderer, CsvRenderer, NdjsonRenderer, XlsxRenderer)

    @extend_schema(responses=with_chosen_rows(RoundResults))
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        """Return the result of each game of a round by board; `?missing=1` only the open ones.

        Columns of the tables: `round,board,game,first_number,first_player,first,second_number,
        second_player,second,result,termination,basis,state,corrections`; the numbers are pairing
        numbers, the players their ids, the corrections their numbers.
        """
        this_round = round_seen_by(request, slug, number)
        only_missing = is_flag_set(request, "missing")
        document = results_document(
            this_round, results_as_json(this_round, only_missing=only_missing)
        )
        return self.render_table(replace(document, body=chosen_rows(request, document.body)))


class ImportRecords(ImportAction, ActionInEvent):
    """Add each record of a file to its game, as a ruling that the record proves.

    A record names its game by the tags `Round` and `Table` (the board number), or by `First`
    and `Second`, which take precedence over `Table`: a TRF file contains no board numbers.
    """

    name = "import_records"
    importer = RECORDS_IMPORTER
    parameters = TEXT_PARAMETERS
    request = TEXT_FILE
    responses = import_responses(described(ImportedRecords))
    examples = [
        OpenApiExample(
            "the record of one board", RECORDS_EXAMPLE, media_type="text/plain", request_only=True
        )
    ]
    done = gettext_noop("The records of the file are entered.")
