"""An event to print, and the data of its sheets."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from games.core.tables import typesetting
from tests.events import Event, make_event, make_players
from tests.people import Person
from tournament.core import sheets

NOON = datetime(2026, 5, 2, 12, 0, tzinfo=UTC)
NAMES = ["Łukasz Ødegård", "Ωμέγα Νίκη", "Жанна Щербакова", "春日 Tarō", "יוסף", "Ñandú"]
SheetData = list[Mapping[str, Any]]


def make_sheet_event(organiser: Person) -> Event:
    """Return six players of five scripts, the first round played, the second drafted."""
    event = make_event(organiser, time_zone="Asia/Tokyo", place="Câmara")
    players = make_players(len(NAMES))
    for player, name in zip(players, NAMES, strict=True):
        player.name = name
        player.club = "Clube"
        player.save()
    event.enter(*players)
    event.step("open", "start").play(1)
    assert organiser.post(f"{event.path}/rounds/2/pair").status_code == 200
    return event


def note_sheets(patch: pytest.MonkeyPatch) -> SheetData:
    """Return the data of each sheet that is printed, at noon and with typst's own fonts only."""
    real = typesetting.typeset
    printed: SheetData = []

    def typeset(template: str, data: Mapping[str, Any]) -> bytes:
        printed.append(json.loads(json.dumps(data)))
        return real(template, data)

    patch.setattr(typesetting, "SYSTEM_FONTS", False)
    patch.setattr(typesetting, "typeset", typeset)
    patch.setattr(sheets, "now", lambda: NOON)
    return printed
