"""Amounts of money: whole numbers of a currency's smallest coin, as people write and read them."""

import re
from functools import partial
from typing import Final

from games.rules.text import Text
from tournament.standings.errors import PrizeError, read_all

CURRENCIES: Final = (
    "AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT",
    "BGN", "BHD", "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD",
    "CDF", "CHF", "CLP", "CNY", "COP", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD",
    "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ",
    "GYD", "HKD", "HNL", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD",
    "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR",
    "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR",
    "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN",
    "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR",
    "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB",
    "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS",
    "VES", "VND", "VUV", "WST", "XAF", "XCD", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWG",
)  # fmt: skip
"""The codes of ISO 4217 that are money."""
DECIMALS: Final = {
    "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0,
    "RWF": 0, "UGX": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BHD": 3, "IQD": 3,
    "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
}  # fmt: skip
"""The decimals of the currencies that do not have two (ISO 4217)."""

WITHIN_NUMBERS: Final = "\u00a0\u202f\u2009'’"
"""What separates thousands and nothing else: spaces that do not break, and apostrophes."""
SIGNS: Final = "€$£¥"
PLAIN: Final = re.compile(r"[0-9]+")
GROUPED: Final = re.compile(r"[1-9][0-9]{0,2}([.,])[0-9]{3}(?:\1[0-9]{3})*")


def decimals_of(currency: str) -> int:
    """Return the number of decimals of a currency; 2 of none."""
    return DECIMALS.get(currency, 2)


def format_coins(coins: int, currency: str) -> str:
    """Return an amount in decimals, as `300.00`; `300` in a currency without them."""
    decimals = decimals_of(currency)
    whole, rest = divmod(coins, 10**decimals)
    return f"{whole}.{rest:0{decimals}}" if decimals else str(whole)


def parse_amounts(text: str, currency: str) -> list[int]:
    """Return the amounts of a text in coins, separated by spaces, lines or semicolons.

    Decimals follow a point or a comma; thousands may be separated. Raises PrizeError for all that
    is no amount, or could be several.
    """
    for mark in (*WITHIN_NUMBERS, *SIGNS):
        text = text.replace(mark, "")
    parts = (part.rstrip(",") for part in text.replace(";", " ").split())
    amounts = (part for part in parts if part not in ("", currency))
    return read_all(*(partial(_coins, amount, decimals_of(currency)) for amount in amounts))


def _coins(text: str, decimals: int) -> int:
    """Return an amount in coins."""
    whole, sign, rest = _split(text, decimals)
    is_amount = PLAIN.fullmatch(whole) and (not sign or (PLAIN.fullmatch(rest)))
    if not text.isascii() or not is_amount or len(rest) > decimals or len(text) > 20:
        raise PrizeError(_refusal(text, decimals), "amounts")
    return int(whole + rest.ljust(decimals, "0"))


def _split(text: str, decimals: int) -> tuple[str, str, str]:
    """Return the whole part without separators, the decimal sign if there is one, the decimals."""
    last = max(text.rfind("."), text.rfind(","))
    whole, sign, rest = (text[:last], text[last], text[last + 1 :]) if last > 0 else (text, "", "")
    others = {mark for mark in whole if mark in ".,"}
    if sign and (sign in others or (len(rest) == 3 and decimals != 3 and not others)):
        # One sign, before three digits each: it separates thousands. Several commas alone could
        # also separate amounts.
        grouped = GROUPED.fullmatch(text)
        if grouped and not (sign == "," and text.count(",") > 1):
            return text.replace(sign, ""), "", ""
        return "", sign, rest
    if others:
        grouped = GROUPED.fullmatch(whole)
        return (whole.replace(others.pop(), ""), sign, rest) if grouped else ("", sign, rest)
    return whole, sign, rest


def _refusal(text: str, decimals: int) -> Text:
    example = "300 200.50" if decimals else "300 200"
    return Text(
        "%(text)s is no amount of money; write the prizes of places 1, 2, ... with spaces between "
        "them, such as %(example)s",
        text=f"{text[:20]!r}",
        example=example,
    )
