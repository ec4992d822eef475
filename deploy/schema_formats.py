"""OpenAPI: the formats of an address, which its suffix selects.

An address with an optional suffix, such as `tournaments/{slug}/standings`, is described without it,
where `Accept` selects the format, and once with each suffix, where the response has one format. A
code generator that knows only one media type per response then has an operation for each format.
"""

import re
from collections.abc import Callable
from typing import Any

Endpoint = tuple[str, str, str, Callable[..., Any]]
"""A path, its pattern, a method and the view function, as drf-spectacular lists them."""

SUFFIXES = re.compile(r"\(\?:\\\.\(\?P<(?:form|format)>(?P<forms>[^)]*)\)\)\?")
"""The optional suffix in the pattern of an address."""

SUFFIX = re.compile(r"\.([a-z]+[0-9]*)$")
UTF_8 = "; charset=utf-8"
TEXT_MEDIA_TYPE = f"text/plain{UTF_8}"
MEDIA_TYPES = {
    "csv": f"text/csv{UTF_8}",
    "html": f"text/html{UTF_8}",
    "ics": f"text/calendar{UTF_8}",
    "json": "application/json",
    "ndjson": "application/x-ndjson",
    "pdf": "application/pdf",
    "rec": TEXT_MEDIA_TYPE,
    "svg": "image/svg+xml",
    "trf": TEXT_MEDIA_TYPE,
    "trf16": TEXT_MEDIA_TYPE,
    "trf26": TEXT_MEDIA_TYPE,
    "txt": TEXT_MEDIA_TYPE,
    "zip": "application/zip",
}
"""The media types of the responses, by the suffix of the address."""


def add_paths_with_suffix(endpoints: list[Endpoint], **_: Any) -> list[Endpoint]:
    """Return the endpoints, and after each with an optional suffix one for each suffix."""
    found = []
    for path, pattern, method, view in endpoints:
        found.append((path, pattern, method, view))
        if suffixes := SUFFIXES.search(pattern):
            for form in suffixes["forms"].split("|"):
                found.append((f"{path}.{form}", pattern, method, view))
    return found


def suffix_of(path: str) -> str:
    """Return the suffix of a path without its dot, empty if there is none."""
    found = SUFFIX.search(path)
    return found[1] if found else ""


def select_format(path: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return the media types of a response at a path: with a suffix, only its own."""
    content = {_with_charset(name): body for name, body in content.items()}
    only = MEDIA_TYPES.get(suffix_of(path))
    return {only: content[only]} if only in content else content


def _with_charset(media_type: str) -> str:
    """Return the media type with the charset that the service sends with texts."""
    has_charset = media_type.startswith("text/") and media_type != "text/event-stream"
    return f"{media_type}{UTF_8}" if has_charset else media_type


def name_files(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Name the operations of files after the operation at the address without their suffix."""
    paths = result["paths"]
    for path, methods in paths.items():
        form, base = suffix_of(path), paths.get(SUFFIX.sub("", path), {}).get("get")
        if form and base:
            file, name = methods["get"], base["operationId"]
            if file["operationId"] == name or file["operationId"].endswith("_retrieve"):
                file["operationId"] = f"{name}_{form}"
    return result
