"""The texts of the project, such as its README, as parts of pages.

Markdown is rendered by markdown-it, without HTML in it. Links between the texts lead to their
pages. Columns of tables cannot be aligned: that would be an inline style, which the
Content-Security-Policy forbids.
"""

import posixpath
import re
from functools import cache
from itertools import pairwise
from typing import Any, Final

from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

README: Final = "README.md"
TEXT_FILES: Final = (
    README, "deploy/docs/howto/run.md", "deploy/docs/howto/organise.md",
    "deploy/docs/howto/integrate.md",
    "CHANGELOG.md", ".github/CONTRIBUTING.md",
)  # fmt: skip
DOCUMENTATION_PICTURES: Final = ("deploy/docs/site.png",)
README_ADDRESS: Final = "/readme"


@cache
def render_text(name: str) -> SafeString | None:
    """Return a text as HTML, None if the installation lacks it."""
    path = settings.BASE_DIR / name
    if not path.is_file():
        return None
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.add_render_rule("fence", _render_code)
    tokens = parser.parse(path.read_text(encoding="utf-8"))
    _mark_headings(tokens)
    for token in tokens:
        for child in token.children or ():
            _relocate(child, posixpath.dirname(name))
    html = parser.renderer.render(tokens, parser.options, {})
    table = '<div class="scroll" tabindex="0">\n<table>'
    return mark_safe(html.replace("<table>", table).replace("</table>", "</table></div>"))


def address_of(name: str) -> str:
    """Return the address of a text or a picture."""
    return README_ADDRESS if name == README else f"{README_ADDRESS}/{name}"


def _render_code(_renderer: Any, tokens: list[Token], index: int, *_: Any) -> str:
    """Return a block of code, which the keyboard can scroll."""
    return format_html('<pre tabindex="0"><code>{}</code></pre>\n', tokens[index].content)


def _mark_headings(tokens: list[Token]) -> None:
    """Give each heading the id by which links in the texts name it."""
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open":
            words = re.sub(r"[^\w\s-]", "", content.content.lower())
            opening.attrSet("id", re.sub(r"\s", "-", words.strip()))


def _relocate(token: Token, folder: str) -> None:
    """Let a link to another text lead to its page."""
    name = {"link_open": "href", "image": "src"}.get(token.type, "")
    target = str(token.attrGet(name) or "")
    path, hash_sign, fragment = target.partition("#")
    path = posixpath.normpath(posixpath.join(folder, path))
    if path in TEXT_FILES or path in DOCUMENTATION_PICTURES:
        token.attrSet(name, address_of(path) + hash_sign + fragment)
