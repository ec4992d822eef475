"""The form of a new token, which the page of an account and that of an event's tokens share."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.utils.translation import gettext

from games.core.forms import FormState, form_fields
from games.core.permissions import SCOPES
from games.serializers.tokens import TokenRequestSerializer


def token_form(
    state: FormState, names: Iterable[str], scopes: Iterable[str] = SCOPES
) -> dict[str, Any]:
    """Return the controls of these members of a token, and the scopes with their state."""
    state = state if state.detail else FormState()
    typed = state.typed.get("scopes[]", ())
    fields = form_fields(TokenRequestSerializer(), names, state=state)
    if "expires_at" in fields:
        days = {"days": settings.TOKEN_LIFETIME.days}
        help_text = gettext("Empty: %(days)d days from now.") % days
        fields["expires_at"] = replace(fields["expires_at"], help=help_text)
    return {
        "fields": fields,
        "scopes": [(name, gettext(SCOPES[name]), name in typed) for name in scopes],
    }
