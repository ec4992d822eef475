from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.core.checks import register
from django.http import HttpRequest

if TYPE_CHECKING:
    from games.models import Account


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the checks of the models, and what follows a new second factor."""
        from allauth.mfa.signals import authenticator_added

        from games.models.columns import check_columns

        register(check_columns)
        authenticator_added.connect(end_sessions_of_password, dispatch_uid="games.sessions")


def end_sessions_of_password(request: HttpRequest, user: "Account", **_: Any) -> None:
    """End the other sessions of an account that has a new second factor."""
    from games.core.accounts.services import end_other_sessions

    end_other_sessions(request, user)
