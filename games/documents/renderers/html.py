"""A document as an HTML page that needs no other file (templates/games/table_page.html)."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games.documents.document import ColumnKind, TableDocument
from games.documents.renderers.base import Context, DocumentRenderer
from games.http.content_policy import allow_style

STYLE = (
    "td, th { padding: 0 .6em; text-align: left } "
    ".right { text-align: right } .center { text-align: center }"
)
POLICY = f"default-src 'none'; style-src {allow_style(STYLE)}; frame-ancestors 'none'"


class HtmlRenderer(DocumentRenderer):
    """Render the columns of the layout `page`; the security policy allows the page's own style."""

    media_type = "text/html"
    format = "html"
    disposition = "inline"
    shows_notes = True
    security_policy = POLICY

    def render(
        self, data: TableDocument, media_type: str | None = None, context: Context = None
    ) -> str:
        """Return the page."""
        notes = [note for note in (data.explanation, *data.notes) if note]
        context = {"title": data.heading.title, "style": mark_safe(STYLE), "notes": notes}
        return render_to_string("games/table_page.html", context | table_context(data))


def table_context(document: TableDocument) -> dict[str, Any]:
    """Return the context of the template `games/table.html`, for any page with a table."""
    columns, rows = document.select(document.page)
    classes = [
        "" if column.kind is ColumnKind.TEXT else f' class="{column.kind}"' for column in columns
    ]
    return {
        "header": _row_html("th", classes, [column.heading for column in columns]),
        "rows": [_row_html("td", classes, map(str, row)) for row in rows],
    }


def _row_html(tag: str, classes: Sequence[str], texts: Iterable[str]) -> SafeString:
    """Return a row of escaped cells."""
    cells = [
        f"<{tag}{css_class}>{escape(text)}</{tag}>"
        for css_class, text in zip(classes, texts, strict=True)
    ]
    return mark_safe(f"<tr>{''.join(cells)}</tr>")
