"""The base class of the pages that import a file: preview, import, progress, report."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.errors import ApiError
from games.core.forms import rejected_form
from games.core.page_actions import PageRequest
from games.core.pages import PageView
from games.core.requests import is_dry_run
from games.core.uploads.pages import find_own_task, query_of_form

MOST_SHOWN_ROWS = 1000
"""Lines or records whose effect the page lists; it counts them all."""


class FileImportPage(PageView):
    """A small file is imported at once, a large one by a task, which `?task=` shows.

    A subclass defines `read`; its action is `import`, whose text is the field `file`. `parameters`
    are fields of the form that are parameters of the API's query, `rows` is the member of the
    result that has an item with its `action` for each line or record.
    """

    parameters: tuple[str, ...] = ()
    rows = "lines"
    sent_text = ""

    def read(self, request: PageRequest) -> str:
        """Return the text that is imported."""
        raise NotImplementedError

    def post(self, request: Request, **address: Any) -> HttpResponseBase:
        """Import or preview the text."""
        assert isinstance(request, PageRequest)
        try:
            self.sent_text = self.read(request)
        except ApiError as error:
            self.sent_text = request._request.POST.get("file", "").replace(
                "\0", "\N{SYMBOL FOR NULL}"
            )
            self.form = rejected_form(request._request, "import", error)
            return self.page(self.context(request, **address), status=error.status)
        request.text = self.sent_text.encode() if self.sent_text.strip() else None
        request.query = query_of_form(request, self.parameters)
        return super().post(request, **address)

    def page(self, context: Mapping[str, Any], *, status: int = 200) -> Response:
        """Return the page of a context, with the result of a preview or an import and its counts.

        What is imported is no longer in the form.
        """
        task = find_own_task(self.request)
        result = context.get("preview") or (task and task["result"]) or {}
        listed = result.get(self.rows, ())
        is_preview = is_dry_run(self.request)
        added = {
            "task": task or result.get("task"),
            "result": result if listed else None,
            "listed": listed[:MOST_SHOWN_ROWS],
            "left_out": max(0, len(listed) - MOST_SHOWN_ROWS),
            "counts": Counter(row["action"] for row in listed),
            "is_preview": is_preview,
            "text": "" if listed and not is_preview else self.sent_text,
        }
        return super().page({**context, **added}, status=status)
