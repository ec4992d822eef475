"""The first start: create an organiser account and load a finished sample tournament."""

import secrets
from typing import Final

from django.conf import settings
from django.db import transaction

from deploy.embedded import write_secret
from deploy.samples.lantern_masters import load_lantern_masters
from games.accounts.permissions import SCOPES
from games.accounts.tokens import issue_token
from games.models import Account, Token

ORGANISER: Final = "organiser@localhost"


def bootstrap() -> str | None:
    """Set up an installation that has no accounts, completely or not at all.

    Return the organiser's password, or None if there are accounts already. The organiser's token,
    with every scope, is written to `organiser-token` in the state folder (mode 0600). It does not
    expire: whoever can read that folder can read the database and the secret key too.
    """
    if Account.objects.exists():
        return None
    password = secrets.token_urlsafe(12)
    with transaction.atomic():
        organiser = Account.objects.create_superuser(ORGANISER, password, name="Organiser")
        token, secret = issue_token(organiser, list(SCOPES), name="first start")
        Token.objects.filter(pk=token.pk).update(expiry=None)
        write_secret(settings.STATE_DIR / "organiser-token", secret)
        load_lantern_masters(by=organiser)
    return password
