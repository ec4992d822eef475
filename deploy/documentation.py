"""The documentation, served from what `make docs` builds.

Its theme has scripts and styles in its pages, so each page has a policy with their hashes.
"""

import re
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe
from django.views.static import serve

SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)
STYLE_OF_ELEMENT: Final = re.compile(r'<[^>]*\sstyle="([^"]*)"')


@require_safe
def documentation(request: HttpRequest, path: str = "") -> HttpResponseBase:
    """Return a file of the documentation."""
    path = f"{path}index.html" if path.endswith("/") or not path else path
    response = serve(request, path, document_root=str(settings.DOCS_ROOT))
    response.headers["Cache-Control"] = "public, max-age=3600"
    if path.endswith(".html") and response.status_code == 200:
        response.headers["Content-Security-Policy"] = policy_of(settings.DOCS_ROOT / path)
    return response


@lru_cache(maxsize=256)
def policy_of(page: Path) -> str:
    """Return the policy of a page, which a running service does not change."""
    text = page.read_text()
    scripts = _hashes(SCRIPT.findall(text))
    styles = _hashes([*STYLE.findall(text), *map(unescape, STYLE_OF_ELEMENT.findall(text))])
    return (
        "default-src 'none'; connect-src 'self'; font-src 'self'; form-action 'self'; "
        f"img-src 'self' data:; script-src 'self' {scripts}; "
        f"style-src 'self' 'unsafe-hashes' {styles}; base-uri 'none'; frame-ancestors 'none'"
    )


def _hashes(sources: list[str]) -> str:
    digests = dict.fromkeys(sha256(source.encode()).digest() for source in sources)
    return " ".join(f"'sha256-{b64encode(digest).decode()}'" for digest in digests)
