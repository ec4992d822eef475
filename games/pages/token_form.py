"""The form of a new token, which the page of an account and that of an event's tokens share."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.accounts.permissions import SCOPES
from games.pages.forms import FormState, form_fields
from games.serializers.players import TokenRequestSerializer

TOKEN_LABELS: Final[dict[str, Promise]] = {
    "name": _("What it is for"),
    "tournament": _("Only for the event with this short name"),
    "expires_at": _("Valid until (UTC)"),
}


def token_form(
    state: FormState, names: Iterable[str], scopes: Iterable[str] = SCOPES
) -> dict[str, Any]:
    """Return the controls of these members of a token, and the scopes with their state."""
    state = state if state.detail else FormState()
    typed = state.typed.get("scopes[]", ())
    fields = form_fields(
        TokenRequestSerializer(),
        names,
        state=state,
        labels={name: str(TOKEN_LABELS[name]) for name in names},
    )
    if "expires_at" in fields:
        days = {"days": settings.TOKEN_LIFETIME.days}
        help_text = gettext("Empty: %(days)d days from now.") % days
        fields["expires_at"] = replace(fields["expires_at"], help=help_text)
    return {
        "fields": fields,
        "scopes": [(name, gettext(SCOPES[name]), name in typed) for name in scopes],
    }
