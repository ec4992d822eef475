"""Loads the libraries of the service's programs and its pure packages, without any settings."""

import gc
from importlib import import_module
from pkgutil import walk_packages

PURE = (
    "games.rules",
    "ratings.systems",
    "tournament.pairing",
    "tournament.simulation",
    "tournament.standings",
    "tournament.trf",
)
LIBRARIES = (
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.bin.celery",
    "celery.concurrency.thread",
    "celery.events.state",
    "celery.fixups.django",
    "celery.loaders.app",
    "cryptography.hazmat.primitives.ciphers",
    "django.contrib.admin.checks",
    "django.contrib.postgres.fields",
    "django.contrib.postgres.indexes",
    "django.core.management.commands.migrate",
    "django.db.backends.postgresql.base",
    "django.db.backends.sqlite3.base",
    "django.template.defaulttags",
    "django.test.client",
    "django.views.generic",
    "httpx",
    "icalendar",
    "jsonschema",
    "kombu.transport.redis",
    "numpy",
    "requests",
    "rustworkx",
    "uvicorn",
    "uvloop",
)


def load() -> None:
    """Load them: those of the libraries that take the most time, and every pure module.

    They are not garbage, neither while they are loaded nor in the programs.
    """
    gc.disable()
    for name in LIBRARIES:
        import_module(name)
    for name in PURE:
        for module in walk_packages(import_module(name).__path__, f"{name}."):
            import_module(module.name)
    gc.freeze()
    gc.enable()


load()
