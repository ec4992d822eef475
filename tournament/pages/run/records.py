"""Enter the records of a file: each is a ruling of its game, which the record proves."""

from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from games.core.page_actions import Form, PageRequest
from games.core.uploads.pages import find_stream_task, sent_text
from tournament.core.pages import RunPage
from tournament.models import Round, Tournament
from tournament.views.import_records import ImportRecords


class RecordsPage(RunPage):
    template = "tournament/run/records.html"
    section = "results"
    actions = {"import": Form(ImportRecords, text="file")}
    sent_text = ""

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Enter or preview the records of a file, or of a text."""
        assert isinstance(request, PageRequest)
        self.sent_text = sent_text(request)
        request.text = self.sent_text.encode() if self.sent_text.strip() else None
        return super().post(request, **address)

    def next_address(self, request: Request, name: str, content: Any, **address: Any) -> str:
        """Return this page, with the task of a large file."""
        task = content.get("task") if isinstance(content, dict) else None
        return f"{request.path}?task={task['id']}" if task else f"{request.path}?done={name}"

    def details(
        self, request: Request, tournament: Tournament, rounds: list[Round], **address: Any
    ) -> dict[str, Any]:
        """Return the text that was sent, and the progress of an import."""
        return {"text": self.sent_text, "task": find_stream_task(request, tournament.stream)}
