"""`ETag` and `If-None-Match`: a caller who has the current representation gets 304 without a body.

The tag of a response is a digest of its content. A view whose content is expensive sets `ETag` from
the state that the content depends on, and calls `require_change` before it computes the content.
"""

import re
from hashlib import blake2b
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from games.core.journal.chain import canonical_json

ETAG = re.compile(r'(?:W/)?"([\x21\x23-\x7e]*)"')
TYPES_WITHOUT_ETAG: Final = ("application/pdf", "application/zip", "text/event-stream")
"""Content that contains the time at which it was made, or that has no end."""


class NotModified(Exception):
    """The caller has the current representation (304)."""

    def __init__(self, tag: str) -> None:
        super().__init__(tag)
        self.response = Response(status=304, headers={"ETag": tag})


def tag_of(*state: Any) -> str:
    """Return a strong tag of a state, which consists of JSON values, dates and times."""
    return quote_digest(canonical_json([str(value) for value in state]).encode())


def quote_digest(content: bytes) -> str:
    """Return a strong tag of the content."""
    return f'"{blake2b(content, digest_size=12).hexdigest()}"'


def has_current_tag(request: Request | HttpRequest, tag: str) -> bool:
    """Return True if `If-None-Match` has the tag, weak or strong, or is `*`."""
    header = request.headers.get("If-None-Match", "")
    return header.strip() == "*" or (bool(header) and ETAG.findall(tag)[0] in ETAG.findall(header))


def require_change(request: Request, tag: str) -> None:
    """Set the tag of the response; raises NotModified if the caller has it."""
    request.parser_context["view"].headers["ETag"] = tag
    if has_current_tag(request, tag):
        raise NotModified(tag)


def tag_response(
    request: Request, response: HttpResponseBase, version_tag: str = ""
) -> HttpResponseBase:
    """Return the response to a read with the tag of its content, or 304 if the caller has it.

    The number of a journal line in front of the version may differ in the tag that the caller has.
    """
    is_content = response.status_code == 200 and isinstance(response, HttpResponse)
    if "ETag" in response.headers or not is_content:
        return response
    assert isinstance(response, HttpResponse)
    if response.headers.get("Content-Type", "").startswith(TYPES_WITHOUT_ETAG):
        return response
    if isinstance(response, Response):
        response.render()
    digest = quote_digest(response.content).strip('"')
    tag = f'"{version_tag}.{digest}"' if version_tag else f'"{digest}"'
    for known in ETAG.findall(request.headers.get("If-None-Match", "")):
        if version_tag and known.partition(".")[2] == tag.strip('"').partition(".")[2]:
            tag = f'"{known}"'
    response.headers["ETag"] = tag
    if not has_current_tag(request, tag):
        return response
    headers = {name: response.headers[name] for name in response.headers if name != "Content-Type"}
    return HttpResponse(status=304, headers=headers)
