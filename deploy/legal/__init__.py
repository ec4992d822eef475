"""The terms and the privacy notice of the site, written by who runs it.

Each is a text file in the folder LEGAL_DIR: `privacy.txt` in English, `privacy.de.txt` in German.
The files beside this module are drafts, with blanks in square brackets. A paragraph that begins
with `#` is a heading. `{SESSION_DAYS}` and the like are replaced by the settings, so that the text
says what the service does.
"""

import re
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from rest_framework.request import Request

from games.core.errors import NotFound
from games.core.pages import PageView
from games.core.text import language_of
from games.rules.text import Text

FILLED: Final = (
    "PUBLIC_URL", "SESSION_DAYS", "LINK_DAYS", "UPLOAD_DAYS", "RESPONSE_DAYS", "DELIVERY_DAYS",
    "CLOSED_ACCOUNT_DAYS",
)  # fmt: skip
"""The settings that a text may name."""


class LegalPage(PageView):
    """A text of the site; 404 if it has none."""

    name = ""
    template = "deploy/legal.html"

    def context(self, request: Request, **address: Any) -> dict[str, Any]:
        """Return the paragraphs in the reader's language, or else in English."""
        if self.name not in settings.LEGAL_PAGES:
            raise NotFound("not_found", Text("this site has no such text"))
        text = read_legal_text(self.name, language_of(request))
        paragraphs = [each.strip() for each in re.split(r"\n\s*\n", text) if each.strip()]
        return {
            "title": paragraphs[0].lstrip("# ") if paragraphs else "",
            "paragraphs": [
                (each.startswith("#"), each.lstrip("# ") if each.startswith("#") else each)
                for each in paragraphs[1:]
            ],
        }


def read_legal_text(name: str, language: str) -> str:
    """Return a text with the values of the settings that it names."""
    folder = Path(str(settings.LEGAL_DIR))
    files = (folder / f"{name}.{language[:2]}.txt", folder / f"{name}.txt")
    text = next(file for file in files if file.is_file()).read_text(encoding="utf-8-sig")
    for setting in FILLED:
        text = text.replace(f"{{{setting}}}", str(getattr(settings, setting)))
    return text
