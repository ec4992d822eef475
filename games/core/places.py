"""Countries and time zones by name, in the language of the reader, from Unicode's CLDR (Babel).

A country is stored by its code in sport, which FIDE uses too; three of its federations are no
states.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Final
from zoneinfo import available_timezones

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from django.utils.translation import get_language, gettext, override

from games.core.text import labelled
from games.names import fold_name
from games.rules.messages import gettext_noop
from games.rules.text import Text

CODES: Final = """
    AFGAF ALBAL ALGDZ ANDAD ANGAO ANTAG ARGAR ARMAM ARUAW ASAAS AUSAU AUTAT AZEAZ BAHBS BANBD
    BARBB BDIBI BELBE BENBJ BERBM BHUBT BIHBA BIZBZ BLRBY BOLBO BOTBW BRABR BRNBH BRUBN BULBG
    BURBF CAFCF CAMKH CANCA CAYKY CGOCG CHATD CHICL CHNCN CIVCI CMRCM CODCD COKCK COLCO COMKM
    CPVCV CRCCR CROHR CUBCU CYPCY CZECZ DENDK DJIDJ DMADM DOMDO ECUEC EGYEG ERIER ESASV ESPES
    ESTEE ETHET FAIFO FIJFJ FINFI FRAFR FSMFM GABGA GAMGM GBSGW GCIGG GEOGE GEQGQ GERDE GHAGH
    GREGR GRLGL GRNGD GUAGT GUIGN GUMGU GUYGY HAIHT HKGHK HONHN HUNHU INAID INDIN IOMIM IRIIR
    IRLIE IRQIQ ISLIS ISRIL ISVVI ITAIT IVBVG JAMJM JCIJE JORJO JPNJP KAZKZ KENKE KGZKG KIRKI
    KORKR KOSXK KSASA KUWKW LAOLA LATLV LBALY LBNLB LBRLR LCALC LESLS LIELI LTULT LUXLU MACMO
    MADMG MARMA MASMY MAWMW MDAMD MDVMV MEXMX MGLMN MHLMH MKDMK MLIML MLTMT MNCMC MNEME MOZMZ
    MRIMU MTNMR MYAMM NAMNA NCANI NEDNL NEPNP NGRNG NIGNE NORNO NRUNR NZLNZ OMAOM PAKPK PANPA
    PARPY PERPE PHIPH PLEPS PLWPW PNGPG POLPL PORPT PRKKP PURPR QATQA ROURO RSAZA RUSRU RWARW
    SAMWS SENSN SEYSC SGPSG SKNKN SLESL SLOSI SMRSM SOLSB SOMSO SRBRS SRILK SSDSS STPST SUDSD
    SUICH SURSR SVKSK SWESE SWZSZ SYRSY TANTZ TGATO THATH TJKTJ TKMTM TLSTL TOGTG TPETW TTOTT
    TUNTN TURTR TUVTV UAEAE UGAUG UKRUA URUUY USAUS UZBUZ VANVU VENVE VIEVN VINVC YEMYE ZAMZM
    ZIMZW
"""
"""The code in sport, and that of ISO 3166 with two letters."""
TWO_LETTERS: Final = {pair[:3]: pair[3:] for pair in CODES.split()}
"""The two letters of ISO 3166 by the code of sport."""
PARTS: Final = {
    "ENG": gettext_noop("England"),
    "SCO": gettext_noop("Scotland"),
    "WLS": gettext_noop("Wales"),
}
BRITAIN: Final = "GBR"
"""The code of ISO 3166 and of the Olympic Games; FIDE knows the parts only."""
UNIVERSAL: Final = ("UTC", "Etc/UTC")
"""The keys of universal time, in no country."""
WITHOUT_COUNTRY: Final = ("FID", "NON", "AIN")
"""The codes of FIDE and of other federations for players who play for no country."""
SIGNS: Final = {
    "a": "AUT", "b": "BEL", "d": "GER", "e": "ESP", "f": "FRA", "h": "HUN", "i": "ITA", "l": "LUX",
    "n": "NOR", "p": "POR", "s": "SWE", "uk": BRITAIN, "fide": "FID", "great britain": BRITAIN,
    "u.s.a.": "USA", "holland": "NED", "turkey": "TUR", "czech republic": "CZE",
}  # fmt: skip
"""Other names and abbreviations; those of a letter are the signs of vehicles."""
NOWHERE: Final = ("001", "ZZ")
"""The codes of zones that are those of no place: the world, and unknown."""


def country_choices() -> dict[str, str]:
    """Return the names of the countries by code, in alphabetical order: `Portugal (POR)`."""
    return _countries(get_language() or "en")


def country_name(code: str) -> str:
    """Return the name of a country; the code itself if it is unknown."""
    return country_choices().get(code, code).removesuffix(f" ({code})")


def iso_code(code: str) -> str:
    """Return the two letters of ISO 3166 of a country; the code itself if it has none."""
    return "GB" if code in PARTS else TWO_LETTERS.get(code, code)


@cache
def _countries(language: str) -> dict[str, str]:
    names = _locale(language).territories
    found = {code: str(names.get(two, code)) for code, two in TWO_LETTERS.items()}
    found |= {code: gettext(name) for code, name in PARTS.items()}
    ordered = sorted(found.items(), key=lambda item: fold_name(item[1]))
    return {code: f"{name} ({code})" for code, name in ordered}


def currency_choices(codes: Iterable[str]) -> list[tuple[str, str]]:
    """Return currencies by code with their names, in alphabetical order: `Euro (EUR)`."""
    currencies = _locale(get_language() or "en").currencies
    names = [(code, str(currencies.get(code, code))) for code in codes]
    choices = [(code, f"{name[:1].upper()}{name[1:]} ({code})") for code, name in names]
    return sorted(choices, key=lambda item: fold_name(item[1]))


def is_country(code: str) -> bool:
    """Return True for a code of FIDE, in capitals."""
    return code in TWO_LETTERS or code in PARTS or code in WITHOUT_COUNTRY


def nearest_country(text: str) -> str:
    """Return the code of FIDE that was probably meant: by ISO 3166 or by name; "" if none was."""
    two, *_ = get_global("territory_aliases").get(text.upper(), [""])
    code = _codes_by_text().get(fold_name(two or text), "")
    if code == BRITAIN:
        return next(iter(PARTS))
    known = [*TWO_LETTERS, *PARTS, *WITHOUT_COUNTRY]
    return code or next(iter(get_close_matches(text.upper(), known, n=1)), "")


def no_country(text: str) -> Text:
    """Return what errors say of a text that is no code of FIDE."""
    values = {"value": f"{text[:40]!r}", "code": nearest_country(text[:40])}
    if values["code"]:
        return Text("%(value)s is no country of FIDE; did you mean %(code)s?", **values)
    return Text("%(value)s is no country of FIDE, such as POR, GER or ENG", **values)


LANGUAGES_OF_LISTS: Final = ("en", "de", "fr", "es", "it", "pt", "nl", "pl")
"""In which the countries of a list can be written."""


def find_country(text: str) -> str:
    """Return the code of a country; raises LookupError.

    The text is the code itself, that of ISO 3166 with two or three letters, or the name. A code of
    three letters stays as it is.
    """
    return _codes_by_text()[fold_name(text)]


@cache
def _codes_by_text() -> dict[str, str]:
    sport = {two: code for code, two in TWO_LETTERS.items()} | {"GB": BRITAIN}
    found = {fold_name(two): code for two, code in sport.items()} | SIGNS
    for language in LANGUAGES_OF_LISTS:
        names = _locale(language).territories
        own = {fold_name(names[two]): code for two, code in sport.items() if two in names}
        found = own | found
        with override(language):
            found |= {fold_name(gettext(name)): code for code, name in PARTS.items()}
    iso = [old for old, (two, *_) in get_global("territory_aliases").items() if two in sport]
    codes = [*sport.values(), *PARTS, *WITHOUT_COUNTRY, *(code for code in iso if len(code) == 3)]
    return found | {fold_name(code): code for code in codes}


def zone_choices() -> dict[str, str]:
    """Return the names of the time zones, `Poland: Warsaw`, in alphabetical order."""
    return _zones(get_language() or "en")


def zone_name(zone: str) -> str:
    """Return a time zone as it is chosen, `Poland: Warsaw`; its key if it has no place."""
    if zone in UNIVERSAL:
        return gettext("Universal time, of no place")
    return zone_choices().get(zone, zone)


@cache
def _zones(language: str) -> dict[str, str]:
    locale = _locale(language)
    countries, old_names = get_global("zone_territories"), get_global("zone_aliases")
    with override(language):
        named = [
            (name, _zone_name(name, countries[name], locale))
            for name in available_timezones() - old_names.keys()
            if countries.get(name, "ZZ") not in NOWHERE
        ]
    return dict(sorted(named, key=lambda item: (fold_name(item[1]), item[0])))


def _zone_name(name: str, country: str, locale: Locale) -> str:
    """Return a time zone as `Poland: Warsaw`."""
    city = name.rpartition("/")[2].replace("_", " ")
    city = locale.time_zones.get(name, {}).get("city", city)
    return labelled(locale.territories.get(country, country), city)


MAIN_ZONES: Final = {
    "AU": "Australia/Sydney",
    "BR": "America/Sao_Paulo",
    "CA": "America/Toronto",
    "RU": "Europe/Moscow",
    "UA": "Europe/Kyiv",
}
"""The zones of most people where the list of the IANA begins with another one."""


def zone_of_country(code: str) -> str:
    """Return the time zone of a country, the first in the list of the IANA; empty without one."""
    country = "GB" if code in PARTS else TWO_LETTERS.get(code, "")
    zone = MAIN_ZONES.get(country) or _first_zones().get(country, "")
    return zone if zone in _zones("en") else ""


@cache
def _first_zones() -> dict[str, str]:
    found: dict[str, str] = {}
    text = files("tzdata.zoneinfo").joinpath("zone.tab").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            country, _, zone, *_ = line.split("\t")
            found.setdefault(country, zone)
    return found


def _locale(language: str) -> Locale:
    try:
        return Locale.parse(language.replace("-", "_"))
    except UnknownLocaleError:
        return Locale("en")
