from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.core.checks import register
from django.http import HttpRequest

if TYPE_CHECKING:
    from games.models import Account


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Register the checks of the models, and what follows a new second factor."""
        from allauth.mfa.signals import authenticator_added

        from games.models.columns import check_columns

        register(check_columns)
        authenticator_added.connect(end_what_a_password_began, dispatch_uid="games.sessions")


def end_what_a_password_began(request: HttpRequest, user: "Account", **_: Any) -> None:
    """End the other sessions of an account that has a new second factor, and its tokens.

    They stay if there was another factor before, or if the person has chosen to keep them.
    """
    from games.core.accounts.forms import KEEP_TOKENS
    from games.core.accounts.services import end_other_sessions, revoke_tokens_of_password

    end_other_sessions(request, user)
    if KEEP_TOKENS not in request.POST:
        revoke_tokens_of_password(user)
