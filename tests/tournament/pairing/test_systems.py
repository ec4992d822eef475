"""The list of systems: pages that can be sent, defaults that are valid, systems that pair."""

import json

import pytest

from tests.tournament.pairing.events import play, stronger_wins
from tournament.pairing.errors import OptionError
from tournament.pairing.options import FlagOption, NumberOption, Option, WordOption, parse_options
from tournament.pairing.systems import PAIRING_SYSTEMS

NUMBER = NumberOption("most", "the most", default=3, least=1, most=9)
OPEN = NumberOption("cycles", "how often", default=None, least=1, most=9)
FLAG = FlagOption("third", "whether")
WORD = WordOption("pairing_method", "who", {"folded": "first and last", "slide": "in order"})


@pytest.mark.parametrize("code", PAIRING_SYSTEMS)
def test_pages_can_be_sent_and_defaults_are_valid(code: str) -> None:
    page = PAIRING_SYSTEMS[code].as_json(code)
    assert json.loads(json.dumps(page)) == page
    defaults = {option["name"]: option["default"] for option in page["options"]}
    assert len(defaults) == len(page["options"])
    assert parse_options(PAIRING_SYSTEMS[code].options, defaults) == defaults


@pytest.mark.parametrize("code", PAIRING_SYSTEMS)
def test_every_system_pairs_an_event_of_eight_as_it_comes(code: str) -> None:
    needed = PAIRING_SYSTEMS[code].rounds_needed
    rounds = needed(8, 5, {}) if needed else 5
    held = [pairings for _, pairings in play(code, 8, rounds, choose=stronger_wins)]
    assert len(held[0].pairs) == 4
    assert all(pairings.pairs for pairings in held)


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
def test_what_an_option_cannot_be(option: Option, value: object, message: str) -> None:
    with pytest.raises(OptionError, match=message) as refused:
        parse_options([option], {option.name: value})
    assert refused.value.name == option.name


def test_an_option_that_is_none_lists_those_that_are() -> None:
    with pytest.raises(OptionError, match="valid options: most, third") as refused:
        parse_options([NUMBER, FLAG], {"least": 1})
    assert refused.value.valid == ("most", "third")
