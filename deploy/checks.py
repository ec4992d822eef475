"""System checks of how the settings fit together; each alone is checked where it is read."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register


@register("settings")
def check_settings(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Return the settings with which the service must not start."""
    if settings.PRODUCTION and settings.DEBUG:
        text = "DEBUG shows program internals to visitors"
        return [Error(text, hint="set DEBUG=0.", id="perihelion.E001")]
    return []


@register("settings", deploy=True)
def check_risks(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Return the settings that are unsafe, or of no use, for others than this machine."""
    return list(_risks())


def _risks() -> Iterator[CheckMessage]:
    sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    if settings.PRODUCTION and not settings.HTTPS:
        text = "passwords and tokens are sent unencrypted"
        yield Warning(text, hint="set PUBLIC_URL=https://...", id="perihelion.W001")
    if settings.PRODUCTION and sqlite:
        text = "SQLite works on one machine only"
        yield Warning(text, hint="set DATABASE_URL=postgresql://...", id="perihelion.W002")
    if "*" in settings.ALLOWED_HOSTS:
        text = "any Host header is accepted"
        hint = "set ALLOWED_HOSTS to the names of the service."
        yield Warning(text, hint=hint, id="perihelion.W003")
    if len(settings.SECRET_KEY) < 40:
        text = "SECRET_KEY is short"
        yield Warning(text, hint="use 50 random characters.", id="perihelion.W004")
