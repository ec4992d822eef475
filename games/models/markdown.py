"""Markdown that people write, as HTML for pages: no HTML of their own, and no pictures.

An address that is written bare is a link, as in the texts without Markdown.
"""

from collections.abc import Iterable
from typing import Final

import nh3
from django.utils.html import urlize
from markdown_it import MarkdownIt
from markdown_it.token import Token

HEADING: Final = "h3"
"""The level of all headings: a text stands below the heading of a part of a page."""
TAGS: Final = frozenset(
    {
        *("a", "blockquote", "br", "code", "em", "h3", "hr", "li", "ol", "p", "pre", "strong"),
        *("table", "tbody", "td", "th", "thead", "tr", "ul"),
    }
)


def render_markdown(text: str) -> str:
    """Return the text as HTML; what it is rendered to is cleaned, whatever the renderer does."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    tokens = markdown.parse(text)
    for token in tokens:
        if token.type.startswith("heading"):
            token.tag = HEADING
        _link_addresses(token.children or ())
    found = markdown.renderer.render(tokens, markdown.options, {})
    return nh3.clean(
        found,
        tags=set(TAGS),
        attributes={"a": {"href"}},
        url_schemes={"https", "http", "mailto", "tel"},
        link_rel="nofollow noopener noreferrer",
    )


def _link_addresses(tokens: Iterable[Token]) -> None:
    """Make links of the addresses in words that are not part of a link."""
    depth = 0
    for token in tokens:
        if token.type in ("link_open", "link_close"):
            depth += token.nesting
        elif token.type == "text" and not depth:
            token.type, token.content = "html_inline", urlize(token.content, autoescape=True)
