"""The pairing systems: their pages, their options and their defaults."""

import json

import pytest

from tests.tournament.pairing.events import play, stronger_wins
from tournament.pairing.options import FlagOption, NumberOption, Option, WordOption, read_options
from tournament.pairing.request import PairingRequest
from tournament.pairing.systems import PAIRING_SYSTEMS

NUMBER = NumberOption("most", "Most", "the most", default=3, least=1, most=9)
OPEN = NumberOption("cycles", "Cycles", "how often", default=None, least=1, most=9)
FLAG = FlagOption("third", "Third", "whether")
WORD = WordOption(
    "pairing_method", "Method", "who", {"folded": "first and last", "slide": "in order"}
)


@pytest.mark.parametrize("code", PAIRING_SYSTEMS)
def test_pages_are_json_and_defaults_are_valid(code: str) -> None:
    page = PAIRING_SYSTEMS[code].as_json(code)
    assert json.loads(json.dumps(page)) == page
    defaults = {option["name"]: option["default"] for option in page["options"]}
    assert len(defaults) == len(page["options"])
    assert read_options(PAIRING_SYSTEMS[code].options, defaults) == (defaults, [])


@pytest.mark.parametrize("code", PAIRING_SYSTEMS)
def test_every_system_pairs_eight_players_with_its_defaults(code: str) -> None:
    needed = PAIRING_SYSTEMS[code].rounds_needed
    rounds = needed(8, 5, {}) if needed else 5
    rounds_played = list(play(code, 8, rounds, choose=stronger_wins))
    assert len(rounds_played[0][1].pairs) == 4
    for number, (table, pairings) in enumerate(rounds_played, start=1):
        assert pairings.pairs
        # The seed is public after the first round, so nothing may be drawn from it.
        request = PairingRequest(crosstable=table, round=number, seed=number)
        assert PAIRING_SYSTEMS[code].pair(request) == pairings


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (NUMBER, {}, 3),
        (NUMBER, {"most": 9}, 9),
        (OPEN, {}, None),
        (OPEN, {"cycles": None}, None),
        (FLAG, {}, False),
        (FLAG, {"third": True}, True),
        (WORD, {}, "folded"),
        (WORD, {"pairing_method": "slide"}, "slide"),
    ],
)
def test_an_option_reads_its_value_or_its_default(
    option: Option, given: dict[str, int | str | bool | None], value: object
) -> None:
    assert option.read(given) == value


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (NUMBER, 0, "most must be between 1 and 9"),
        (NUMBER, 10, "most must be between 1 and 9"),
        (NUMBER, None, "most must be a whole number"),
        (NUMBER, 2.0, "most must be a whole number"),
        (OPEN, True, "cycles must be a whole number"),
        (FLAG, 1, "third must be true or false"),
        (WORD, "random", "pairing_method must be one of folded, slide"),
        (WORD, ["folded"], "pairing_method must be one of folded, slide"),
    ],
)
def test_invalid_values_are_rejected(option: Option, value: object, message: str) -> None:
    _, (error,) = read_options([option], {option.name: value})
    assert message in str(error)
    assert error.name == option.name


def test_an_unknown_option_lists_the_valid_ones() -> None:
    _, (error,) = read_options([NUMBER, FLAG], {"least": 1})
    assert "valid options: most, third" in str(error)
    assert error.valid == ("most", "third")
