"""The rows of an event that its journal describes."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from games.core.journal.rows import Row, kind_of, rows_of
from games.models import Game, Report, Role
from tournament.models import (
    Bye,
    Certificate,
    Correction,
    Entry,
    Pairing,
    PersonalLink,
    Round,
    Snapshot,
    Tournament,
)

LOCAL = (Role, PersonalLink)
"""The models whose rows belong to logins: they do not travel with the event."""


def event_querysets(stream: str) -> Iterator["QuerySet[Any]"]:
    """Yield the rows of the event of a stream, by model."""
    events = Tournament.objects.filter(slug=stream.removeprefix("tournament/"))
    yield events
    for model in (Entry, Bye, Round, Certificate, Pairing, Correction):
        yield model._default_manager.filter(tournament__in=events)
    yield Snapshot.objects.filter(round__tournament__in=events)
    yield Game.objects.filter(stream=stream)
    yield Report.objects.filter(game__stream=stream)
    yield PersonalLink.objects.filter(entry__tournament__in=events)
    yield Role.objects.filter(stream=stream)


def stored_rows(stream: str) -> dict[str, dict[str, Row]]:
    """Return the journalled columns of an event as they are stored, by kind and key."""
    return {kind_of(found.model): rows_of(found) for found in event_querysets(stream)}


def imported_rows(tournament: Tournament) -> dict[str, dict[str, Row | None]]:
    """Return the rows of an event that was imported, but those that it was created with."""
    stored = stored_rows(tournament.stream)
    created = {kind_of(Role)}
    return {kind: {**rows} for kind, rows in stored.items() if kind not in created}
