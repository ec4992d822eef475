"""Countries and time zones are chosen by their names, in the language of the reader."""

from zoneinfo import available_timezones

import pytest

from games.core.forms import FormState, form_fields
from games.core.places import country_choices, find_country, zone_choices
from games.names import COUNTRY_CODE
from games.players.serializers import PlayerDetailsSerializer


def test_every_choice_is_valid_and_has_a_name_of_its_own() -> None:
    countries, zones = country_choices(), zone_choices()
    assert len(countries) > 200
    assert all(COUNTRY_CODE.fullmatch(code) for code in countries)
    assert not [code for code, name in countries.items() if name == f"{code} ({code})"]
    assert zones.keys() <= available_timezones()
    for names in (countries, zones):
        assert len(set(names.values())) == len(names)


@pytest.mark.parametrize("value", ["DEU", "Portugal", "<b>"])
def test_another_value_stays_in_the_form(value: str) -> None:
    typed = FormState("register", {"country": value})
    field = form_fields(PlayerDetailsSerializer(), ["country"], state=typed)["country"]
    assert field.kind == "select"
    assert (value, value, True) in field.options


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Japan", "JPN"), ("norway", "NOR"), ("NORWEGEN", "NOR"), ("DE", "GER"), ("de", "GER"),
        ("Schweiz", "SUI"), ("CH", "SUI"), ("Suisse", "SUI"), ("suiza", "SUI"), ("sui", "SUI"),
        ("Svezia", "SWE"), ("Stati Uniti", "USA"), ("Zweden", "SWE"), ("Austria", "AUT"),
        ("D", "GER"), ("FIDE", "FID"), ("AIN", "AIN"),
        ("Ecosse", "SCO"), ("UK", "GBR"), ("GBR", "GBR"), ("DEU", "DEU"), ("FID", "FID"),
    ],
)  # fmt: skip
def test_a_country_is_found_by_its_codes_and_names(text: str, code: str) -> None:
    assert find_country(text) == code


@pytest.mark.parametrize("text", ["XXX", "ZZ", "Switzer", "", "Reinickendorf"])
def test_no_country_is_guessed(text: str) -> None:
    with pytest.raises(LookupError):
        find_country(text)
