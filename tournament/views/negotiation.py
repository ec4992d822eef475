"""In which form an answer leaves: by suffix, else by `Accept`, else JSON."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from tournament.documents.renderers.html import STYLE

TYPES = {
    "json": "application/json",
    "csv": "text/csv",
    "ndjson": "application/x-ndjson",
    "html": "text/html",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "ics": "text/calendar",
    "trf": "text/plain",
    "trf16": "text/plain",
    "trf26": "text/plain",
    "zip": "application/zip",
}
SHOWN = ("html", "svg", "pdf")
"""What a browser shows; the others it saves under the name that comes with them."""
STYLE_DIGEST = b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
PAGE_POLICY = f"default-src 'none'; style-src 'sha256-{STYLE_DIGEST}'; frame-ancestors 'none'"
QUALITY = re.compile(r"\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*")
MOST_RANGES = 40


def suffix(*forms: str) -> str:
    """The end of an address that may name one of the forms."""
    return rf"(?:\.(?P<form>{'|'.join(forms)}))?$"


def form_accepted(request: Request, forms: Sequence[str]) -> str:
    """The form that `Accept` likes best, the first named among equals; JSON for all the rest."""
    best, best_quality = "json", 0.0
    for word in request.headers.get("Accept", "").split(",")[:MOST_RANGES]:
        name, *parameters = word.split(";")
        quality = 1.0
        for parameter in parameters:
            found = QUALITY.fullmatch(parameter)
            quality = float(found[1]) if found else quality
        wanted = name.strip().lower()
        # Plain text is what everybody takes; the report is asked for by its suffix.
        known = [form for form in forms if TYPES[form] == wanted and wanted != "text/plain"]
        if known and quality > best_quality:
            best, best_quality = known[0], quality
    return best


class NegotiatedView(APIView):
    """A view that answers in several forms; DRF itself writes JSON alone."""

    forms: tuple[str, ...] = ("json",)

    def form_wanted(self, request: Request, form: str | None) -> str:
        """The form named by the suffix, else the accepted one."""
        return form or form_accepted(request, self.forms)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Choose JSON for what DRF itself writes; the other forms are plain answers."""
        return super().perform_content_negotiation(request, force=True)


def written(content: str | bytes, form: str, name: str) -> HttpResponse:
    """A file of that form; `name` comes without its suffix."""
    kind = TYPES[form] if isinstance(content, bytes) else f"{TYPES[form]}; charset=utf-8"
    answer = HttpResponse(content, content_type=kind)
    way = "inline" if form in SHOWN else "attachment"
    end = "trf" if form.startswith("trf") else form
    answer["Content-Disposition"] = f'{way}; filename="{name}.{end}"'
    if form == "html":
        answer["Content-Security-Policy"] = PAGE_POLICY
    return answer
