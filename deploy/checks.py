"""What must hold before the service starts: settings, how they fit together, and the database."""

from collections.abc import Iterator
from typing import Any, Final

import psycopg
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register, run_checks
from django.db import DatabaseError, connection

POSITIVE: Final = (
    "PORT", "WEB_PROCESSES", "WEB_THREADS", "WORKER_THREADS", "SIMULATION_PROCESSES",
    "MAX_QUEUED_REQUESTS", "LISTENERS_PER_ADDRESS", "DATABASE_WAIT", "CASUAL_GAMES_PER_DAY",
    "CASUAL_GAMES_PER_MONTH",
    "PROPOSAL_DAYS", "CASUAL_GAME_DAYS", "ANALYSIS_DAYS", "PLAN_DAYS",
)  # fmt: skip
SHORTEST_SECRET: Final = 32
LARGEST_PORT: Final = 65_535


def first_error() -> str:
    """Return why the service must not start, in one sentence; empty if it may."""
    errors = [each for each in run_checks(tags=["settings"]) if each.is_serious()]
    return f"{errors[0].msg}: {errors[0].hint}" if errors else ""


@register("settings")
def check_errors(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Return the settings with which the service must not start."""
    return [Error(text, hint=hint, id="perihelion.E001") for text, hint in _errors()]


@register("settings", deploy=True)
def check_risks(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Return the settings that are unsafe for others than this machine."""
    return [Warning(text, hint=hint, id="perihelion.W001") for text, hint in _risks()]


def _errors() -> Iterator[tuple[str, str]]:
    for name in POSITIVE:
        if getattr(settings, name) < 1:
            yield f"{name} is {getattr(settings, name)}", "set a positive number."
    if settings.PORT > LARGEST_PORT:
        yield f"PORT is {settings.PORT}", f"set a number from 1 to {LARGEST_PORT}."
    if settings.TOKEN_LIFETIME > settings.LONGEST_TOKEN_LIFETIME:
        days = settings.LONGEST_TOKEN_LIFETIME.days
        yield f"TOKEN_DAYS is {settings.TOKEN_LIFETIME.days}", f"a token may live for {days} days."
    if can_be_guessed(settings.SECRET_KEY):
        hint = "`openssl rand -base64 48` prints a good one."
        yield f"SECRET_KEY can be guessed, it needs {SHORTEST_SECRET} characters", hint
    for number, key in enumerate(settings.SECRET_KEY_FALLBACKS, start=1):
        if can_be_guessed(key):
            hint = "write the earlier keys as they were, separated by commas."
            yield f"SECRET_KEY_FALLBACKS: key {number} was no SECRET_KEY, it can be guessed", hint
    if not settings.REDIS_URL.startswith(("redis://", "rediss://", "unix:///")):
        yield "REDIS_URL is no address", "write redis://host:6379/0 or unix:///path.sock."


def can_be_guessed(secret: str) -> bool:
    """Return True for a key that is too short, or has too few different characters."""
    return len(secret) < SHORTEST_SECRET or len(set(secret)) < 5


def _risks() -> Iterator[tuple[str, str]]:
    if settings.PRODUCTION and not settings.HTTPS:
        yield "passwords and tokens are sent unencrypted", "set PUBLIC_URL=https://..."
    if settings.HTTPS and not settings.BEHIND_PROXY:
        text = "PUBLIC_URL is https, but BEHIND_PROXY is 0: all visitors count as one address"
        yield text, "set BEHIND_PROXY=1 and let the proxy set X-Forwarded-For and -Proto."
    if settings.PRODUCTION and settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        text = "EMAIL_URL is not set: nobody gets messages, and the log shows their secret links"
        yield text, "set EMAIL_URL=smtp+tls://name:secret@host:587."
    if settings.SECRET_KEY in settings.SECRET_KEY_FALLBACKS:
        yield "SECRET_KEY is one of SECRET_KEY_FALLBACKS", "set SECRET_KEY to a new key."
    if settings.PRODUCTION and settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        yield "SQLite works on one machine only", "for more, set DATABASE_URL=postgresql://..."
    if "*" in settings.ALLOWED_HOSTS:
        yield "any Host header is accepted", "set ALLOWED_HOSTS to the names of the service."
    if len(settings.SECRET_KEY) < 40:
        yield "SECRET_KEY is short", "use 50 random characters."


def connection_failure() -> str:
    """Return why a connection fails, in the database's own words; the pool would try for long."""
    try:
        if connection.vendor == "postgresql":
            parameters = connection.get_connection_params()
            parameters.pop("pool", None)
            psycopg.connect(**parameters).close()
        else:
            connection.ensure_connection()
    except (DatabaseError, psycopg.Error, OSError) as error:
        return f"the database cannot be used: {first_line(error)}"
    return ""


def first_line(error: BaseException) -> str:
    """Return the first line of an exception's message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
