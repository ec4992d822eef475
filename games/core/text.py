"""Texts in the language of the reader, and the templates that show them.

The language is the reader's choice in a cookie, else what their browser prefers.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.formats import date_format, get_format
from django.utils.text import capfirst
from django.utils.translation import gettext
from rest_framework.request import Request

from games.rules.text import Moment, Numeral, Text, fill


def translated(text: object) -> str:
    """Return a text in the language of the reader; a string without a pattern as it is.

    A value with a label, as a member of a `TextChoices`, is written by its label; a Numeral has the
    decimal sign of the language, a Moment its days.
    """
    if isinstance(text, Text):
        return fill(gettext(text.pattern), text.values, translated)
    if isinstance(text, Numeral):
        return decimal_text(text)
    if isinstance(text, Moment):
        return f"{date_format(date.fromisoformat(text[:10]))}{text[10:]}"
    label = getattr(text, "label", "")
    return gettext(str(label)) if label else str(text)


def sentence(text: object) -> str:
    """Return a text in the language of the reader, with a capital letter at its beginning."""
    return capfirst(translated(text))


def labelled(label: object, text: object) -> str:
    """Return a text after a label and a colon, set apart where the language does so."""
    return f"{label}{gettext(':')} {text}"


def semicolons(texts: Iterable[str]) -> str:
    """Return texts with semicolons between them, set apart where the language does so."""
    return f"{gettext(';')} ".join(texts)


def translated_problems(problems: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return errors as the API lists them, with their details in the language of the reader."""
    return [{**problem, "detail": translated(problem.get("detail", ""))} for problem in problems]


def moment_text(at: datetime, zone: str = "") -> str:
    """Return a time in a time zone, else in that of the site, as `1 May 2026, 14:00 CEST`."""
    local = local_time(at, zone)
    return f"{date_format(local)}, {local:%H:%M %Z}"


def local_time(at: datetime, zone: str = "") -> datetime:
    """Return a time in a time zone, else in that of the site."""
    return timezone.localtime(at, ZoneInfo(zone or settings.SITE_TIME_ZONE))


def decimal_text(number: str) -> str:
    """Return a number, as exact text, with the decimal sign of the active language."""
    return number.replace(".", get_format("DECIMAL_SEPARATOR"))


AnyResponse = TypeVar("AnyResponse", bound=HttpResponseBase)


def language_of(request: HttpRequest) -> str:
    """Return the language of the reader."""
    return translation.get_language_from_request(request)


@contextmanager
def language_of_sheet(request: Request) -> Iterator[None]:
    """Write a sheet in the language of the reader, as pages do; in English without a header."""
    with translation.override(language_of(request)):
        yield


def vary_by_language(response: AnyResponse) -> AnyResponse:
    """Return a response that says what its language follows from."""
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response


def render_template(name: str, data: Mapping[str, Any], request: HttpRequest | None = None) -> str:
    """Return the text of a template, with times of the site."""
    with timezone.override(settings.SITE_TIME_ZONE):
        return render_to_string(name, dict(data), request)
