"""Views that render a document in the format that the client prefers, and single files.

Below are also the parameters of the formats.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Final

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from games.core.requests import is_flag_set, only_in
from games.core.tables.csv import CsvRenderer
from games.core.tables.html import HtmlRenderer
from games.core.tables.json import JsonRenderer, NdjsonRenderer
from games.core.tables.pdf import PAPER_SIZES, PdfRenderer
from games.core.tables.table import DocumentRenderer, TableDocument
from games.core.tables.xlsx import XlsxRenderer
from games.core.text import language_of_sheet, vary_by_language
from games.core.views import ApiView, ValuesListView

BOM_PARAMETER = only_in(
    OpenApiParameter("bom", bool, description="start with a byte order mark"), "csv"
)
PAPER = only_in(
    OpenApiParameter("paper", str, enum=list(PAPER_SIZES), description="the paper size"), "pdf"
)
FIELDS: Final = "fields"
"""The parameter with the members of a row: several, with commas or in as many parameters."""


def fields_parameter(row: Any) -> OpenApiParameter:
    """Return the parameter that chooses members of rows of this type."""
    members = {"type": "array", "items": {"type": "string", "enum": [*row.__annotations__]}}
    text = "the members of a row; others are left out"
    return only_in(OpenApiParameter(FIELDS, members, description=text, explode=False), "json")


def with_chosen_fields(request: Request, rows: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Return the rows with the members that a request chooses, with all if it chooses none."""
    names = [name for each in request.query_params.getlist(FIELDS) for name in each.split(",")]
    return [{name: row[name] for name in names or row if name in row} for row in rows]


class NegotiatedView(ApiView):
    """A view that renders a document in the format that the client prefers."""

    @property
    def renderer(self) -> DocumentRenderer:
        renderer = self.request.accepted_renderer
        assert isinstance(renderer, DocumentRenderer)
        return renderer

    @property
    def language(self) -> AbstractContextManager[None]:
        """Return a context in the language of the reader, if the format follows it."""
        return language_of_sheet(self.request) if self.renderer.follows_language else nullcontext()

    def render_table(self, document: TableDocument, **context: Any) -> HttpResponse:
        """Return a rendered document under its file name."""
        return self.render(document, document.heading.file_stem, **context)

    def render(self, document: object, file_stem: str, **context: Any) -> HttpResponse:
        """Return the rendered document; errors of the renderer become problems of this view."""
        renderer = self.renderer
        context["byte_order_mark"] = is_flag_set(self.request, "bom")
        content = renderer.render(document, renderer.media_type, context)
        charset = f"; charset={renderer.charset}" if renderer.charset else ""
        response = HttpResponse(content, content_type=f"{renderer.media_type}{charset}")
        if renderer.disposition:
            file_name = f"{file_stem}.{renderer.extension or renderer.format}"
            response["Content-Disposition"] = f'{renderer.disposition}; filename="{file_name}"'
        if renderer.security_policy:
            response["Content-Security-Policy"] = renderer.security_policy
        return vary_by_language(response) if renderer.follows_language else response


LIST_FORMATS: tuple[type[Any], ...] = (JSONRenderer, CsvRenderer, NdjsonRenderer, XlsxRenderer)
"""The formats of a list that no page or sheet shows."""
TABLE_FORMATS: tuple[type[DocumentRenderer], ...] = (
    JsonRenderer, CsvRenderer, XlsxRenderer, NdjsonRenderer, HtmlRenderer, PdfRenderer,
)  # fmt: skip
"""The formats of a table that is also a page and a sheet."""


class TableListView(NegotiatedView, ValuesListView):
    """A list in pages as JSON, and whole as a file in the formats of tables.

    `file` returns it whole. A browser that names no suffix gets the pages.
    """

    file: Callable[..., HttpResponse]

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Select the format; a browser is known by the type that no other client accepts."""
        if not self.format_suffix and "application/xhtml+xml" in request.headers.get("Accept", ""):
            return JSONRenderer(), JSONRenderer.media_type
        return super().perform_content_negotiation(request, force)

    def get(self, request: Request, *args: Any, **address: Any) -> Any:
        if isinstance(request.accepted_renderer, JSONRenderer):
            return super().get(request, *args, **address)
        return self.file(request, **address)


def file_response(
    content: str | bytes, media_type: str, file_name: str, *, disposition: str = "attachment"
) -> HttpResponse:
    """Return a file that a browser saves, or displays if it is `inline`."""
    content_type = f"{media_type}; charset=utf-8" if isinstance(content, str) else media_type
    headers = {"Content-Disposition": f'{disposition}; filename="{file_name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)


def pdf_response(content: bytes, file_stem: str) -> HttpResponse:
    """Return a sheet to print, in the language of the reader, which a browser displays."""
    name = f"{file_stem}.pdf"
    return vary_by_language(file_response(content, "application/pdf", name, disposition="inline"))
