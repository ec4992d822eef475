"""Check the corrections of a bundle: the JSON that undoing and showing them reads."""

from collections.abc import Collection
from typing import Any

from games.models import Game
from games.rules.seat import Seat
from games.rules.text import Text
from tournament.core.corrected_results import BYE_CHANGE, Purpose
from tournament.corrections.queries import describe_stored
from tournament.models import Correction
from tournament.services.corrections.requests import CORRECTED_BYES, CORRECTED_ENTRY_FIELDS

TYPES = {
    "state": str, "basis": str, "winner": str, "draw": bool, "termination": str,
    "score": list | None, "record": str, "detail": dict | None,
}  # fmt: skip
"""The result of a game in JSON."""


def check_correction(
    correction: Correction, entries: Collection[int], reports: Collection[tuple[int, int]]
) -> None:
    """Check a correction; the entries and reports that it names exist. Raises ValueError."""
    try:
        for change in correction.changes:
            for counted in change.get("counted", ()):
                check_counted(counted)
            if "game" in change:
                _check_result(change["before"])
                _check_result(change["after"])
                is_known = (change["game"], change["report"]) in reports
                is_known = is_known and {change["first"], change["second"]} <= set(entries)
            else:
                is_known = change["entry"] in entries
                if "bye" not in change and not {*change["before"], *change["after"]} <= {
                    *CORRECTED_ENTRY_FIELDS
                }:
                    raise ValueError(Text("an entry has other columns"))
            if not is_known:
                raise ValueError(Text("it names a game or an entry that does not exist"))
            for kind in change.get("bye", ()):
                _check_bye(kind)
        describe_stored(correction.changes, correction.effect, {}, {}, is_official=True)
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError(Text("its changes or its effect cannot be read")) from error


def check_counted(counted: Any) -> None:
    """Check the results that count for a pairing, by purpose and game; raises ValueError."""
    try:
        for purpose, values in (counted or {}).items():
            Purpose(purpose)
            for key, value in values.items():
                if key == BYE_CHANGE:
                    _check_bye(value)
                else:
                    int(key)
                    _check_result(value)
    except (AttributeError, TypeError) as error:
        raise ValueError(Text("`counted` has no results by purpose and game")) from error


def _check_bye(kind: Any) -> None:
    if kind is not None and kind not in CORRECTED_BYES:
        raise ValueError(Text("it names a bye that does not exist"))


def _check_result(values: Any) -> None:
    is_complete = isinstance(values, dict) and values.keys() == TYPES.keys()
    if not is_complete or not all(isinstance(values[name], TYPES[name]) for name in TYPES):
        raise ValueError(Text("it has no result of a game"))
    if values["score"] is not None and [type(points) for points in values["score"]] != [int, int]:
        raise ValueError(Text("a score is two numbers"))
    if values["state"] not in Game.State.values or values["winner"] not in ("", *Seat):
        raise ValueError(Text("a game has no such state or winner"))
