"""Amounts of money as directors write them: decimals, thousands, separators, currencies."""

import pytest

from tournament.standings.errors import PrizeError
from tournament.standings.prizes.money import (
    CURRENCIES,
    DECIMALS,
    decimals_of,
    format_coins,
    parse_amounts,
)

READ = [
    ("300,00 200,00 100,00", "EUR", [30000, 20000, 10000]),
    ("300 200 100", "EUR", [30000, 20000, 10000]),
    ("300\n200\r\n100", "EUR", [30000, 20000, 10000]),
    ("300, 200, 100", "EUR", [30000, 20000, 10000]),
    ("12.5 7,5", "", [1250, 750]),
    ("1.000,50 1,000.50", "EUR", [100050, 100050]),
    ("1'000.50 1’000", "CHF", [100050, 100000]),
    ("1\u00a0000,00 1\u202f000", "EUR", [100000, 100000]),
    ("1.000 1,000", "EUR", [100000, 100000]),
    ("1.000.000", "EUR", [100000000]),
    ("300 € €200 100 EUR", "EUR", [30000, 20000, 10000]),
    ("30000 20000", "JPY", [30000, 20000]),
    ("30,000", "JPY", [30000]),
    ("1.250", "KWD", [1250]),
    ("1.250,5", "KWD", [1250500]),
    ("", "EUR", []),
]


@pytest.mark.parametrize(("text", "currency", "coins"), READ)
def test_amounts_are_read(text: str, currency: str, coins: list[int]) -> None:
    assert parse_amounts(text, currency) == coins


@pytest.mark.parametrize(
    ("text", "currency"),
    [
        ("300,200,100", "EUR"),
        ("-5", "EUR"),
        ("1.2.3", "EUR"),
        ("12.345,678", "EUR"),
        ("1.5", "JPY"),
        ("1,00.00", "EUR"),
        (".5", "EUR"),
        ("5.", "EUR"),
        ("٣٠٠", "EUR"),
        ("100 USD", "EUR"),
    ],
)
def test_what_is_no_amount_is_named(text: str, currency: str) -> None:
    with pytest.raises(PrizeError, match="is no amount of money"):
        parse_amounts(text, currency)


@pytest.mark.parametrize("currency", ["", "EUR", "JPY", "KWD"])
@pytest.mark.parametrize("coins", [0, 5, 12345])
def test_what_is_written_is_read_again(coins: int, currency: str) -> None:
    assert parse_amounts(format_coins(coins, currency), currency) == [coins]


def test_decimals_are_of_known_currencies() -> None:
    assert set(DECIMALS) <= set(CURRENCIES)
    assert len(set(CURRENCIES)) == len(CURRENCIES)
    assert [decimals_of(code) for code in ("EUR", "JPY", "KWD", "")] == [2, 0, 3, 2]
