"""The pages of an address that does not exist, and of a form that is too old."""

from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.request import Request

from games.core.errors import ApiError, Forbidden, NotFound
from games.core.pages import PageView
from games.rules.text import Text


class RejectedPage(PageView):
    error: ApiError = NotFound("not_found", Text("this address does not exist"))

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raise the error, whatever the method."""
        super().initial(request, *args, **kwargs)
        raise self.error


def unknown_page(request: HttpRequest) -> HttpResponseBase:
    """Respond to an address that does not exist."""
    view = RejectedPage.as_view()
    return view(request)


def old_form(request: HttpRequest, **_: object) -> HttpResponseBase:
    """Respond to a form whose CSRF token is missing or not that of the session."""
    detail = Text(
        "the form is too old, or was not sent by a page of this site; load the page again"
    )
    view = RejectedPage.as_view(error=Forbidden("old_form", detail))
    return view(request)
