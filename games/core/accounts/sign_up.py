"""The field of the sign-up that allauth does not have, the name of the person; its even time."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Final

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from games.core.text import language_of, translated
from games.models import Account
from games.names import MAX_NAME_LENGTH, clean_name

SIGNED_UP: Final = "signed_up"
"""The key of the session with the account that a visitor of this browser has signed up for."""


class NameForm(forms.Form):
    """What every form of a sign-up begins with, also that after a login at a provider."""

    name = forms.CharField(
        label=_("Name"),
        max_length=MAX_NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    def clean_name(self) -> str:
        """Return the name as it is stored; reject characters that nobody sees."""
        try:
            return clean_name(self.cleaned_data["name"])
        except ValueError as error:
            raise forms.ValidationError(translated(error.args[0])) from error

    def signup(self, request: HttpRequest, user: Account) -> None:
        """Store the name, and the language for the emails that the account gets."""
        user.name = self.cleaned_data["name"]
        user.language = language_of(request)
        user.save(update_fields=["name", "language"])
        request.session[SIGNED_UP] = user.pk


def in_even_time(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer a form that is accepted not before `settings.EVEN_TIME` seconds.

    To create an account takes longer than to find one: the time would say whose address has one.
    What is rejected, or above the limit of its address, is answered at once: it says nothing, and
    there may be many of them, which would hold all threads.
    """

    @wraps(view)
    def respond(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        start = time.monotonic()
        response = view(request, *args, **kwargs)
        if request.method == "POST" and response.status_code == 302:
            time.sleep(max(0.0, start + settings.EVEN_TIME - time.monotonic()))
        return response

    return respond
