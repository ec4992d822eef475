"""The language of a response: the reader's choice in a cookie, else what their browser prefers."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request

AnyResponse = TypeVar("AnyResponse", bound=HttpResponseBase)


def language_of(request: HttpRequest) -> str:
    """Return the language of the reader."""
    return translation.get_language_from_request(request)


@contextmanager
def language_of_sheet(request: Request) -> Iterator[None]:
    """Write a sheet in the language of the reader, as pages do; in English without a header."""
    with translation.override(language_of(request._request)):
        yield


def vary_by_language(response: AnyResponse) -> AnyResponse:
    """Return a response that says what its language follows from."""
    patch_vary_headers(response, ["Accept-Language", "Cookie"])
    return response
