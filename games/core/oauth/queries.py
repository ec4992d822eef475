"""Which apps there are, and which may act for an account."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext
from oauth2_provider.models import AccessToken, RefreshToken

from games.core.permissions import SCOPES, stream_of
from games.models import Account, App
from games.models.streams import tournament_of


@dataclass(frozen=True, slots=True)
class Login:
    """What an app may do for an account: its scopes, the short name of the only event if any.

    `renewed_at` is when it last got a token, which it needs every hour that it is used.
    """

    app: App
    scopes: tuple[str, ...]
    event: str
    renewed_at: datetime

    @property
    def texts(self) -> list[str]:
        return scope_texts(self.scopes)


def scope_texts(scopes: Collection[str]) -> list[str]:
    """Return what scopes allow, in the language of the reader and in the order of the matrix."""
    return [gettext(text) for name, text in SCOPES.items() if name in scopes]


def logins_of(account: Account) -> list[Login]:
    """Return what apps may do for an account, those that were used last first."""
    live = AccessToken.objects.filter(refresh_token__revoked=None, refresh_token__isnull=False)
    logins: dict[tuple[int, str], Login] = {}
    rows = live.filter(user=account).select_related("application").order_by("-created")
    for row in rows:
        names = row.scope.split()
        scopes = tuple(name for name in names if name in SCOPES)
        event = tournament_of(stream_of(names) or "") or ""
        login = Login(row.application, scopes, event, row.created)
        logins.setdefault((row.application_id, row.scope), login)
    return list(logins.values())


def count_logins(account: Account) -> int:
    """Return how many refresh tokens apps have of an account."""
    return int(RefreshToken.objects.filter(user=account, revoked=None).count())
