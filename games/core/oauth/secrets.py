"""The secrets of apps: their beginnings tell what they are, also to those who find one."""

import secrets
from typing import Any

from games.core.authentication import APP_PREFIX


def access_token(_: Any) -> str:
    """Return a new access token."""
    return APP_PREFIX + secrets.token_urlsafe(32)


def refresh_token(_: Any) -> str:
    """Return a new refresh token."""
    return f"peri_renew_{secrets.token_urlsafe(32)}"
