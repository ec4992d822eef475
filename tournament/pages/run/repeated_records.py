"""The records of an event that several games have, for its officials."""

from typing import Any

from rest_framework.request import Request

from tournament.core.pages import RunPage
from tournament.models import Round, Tournament
from tournament.queries.repeated_records import repeated_records_as_json


class RepeatedRecordsPage(RunPage):
    template = "tournament/run/repeated_records.html"
    section = "disputes"

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return each repeated record with its games."""
        return {"repeated": repeated_records_as_json(tournament)}
