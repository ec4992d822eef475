"""What our own record in a TRF file says: settings, ties, and what else the file lacks.

What cannot be used is added to `left_out`, so that a file is imported all the same.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from games.core.errors import Unprocessable
from games.models import Account
from games.models.columns import current_value
from games.rules.records.handicaps import LONGEST_HANDICAP, canonical_handicap
from games.rules.text import Text
from tournament.core.queries import event_conditions
from tournament.events.serializers import SettingsSerializer
from tournament.events.services import build_tournament
from tournament.exchange.trf_settings import printable
from tournament.models import Tournament
from tournament.models.settings import GAME_SETTINGS, TIE_BASES, TRF_SETTINGS
from tournament.pairing.options import read_options
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.rounds.handicaps import check_applied
from tournament.standings.crosstable import PlayerId
from tournament.trf import TrfFile
from tournament.trf.own_record import OwnRecord

MOST_HANDICAPS = 1000
"""The maximum number of different handicaps in a file."""
ABOUT = ("system", "ruleset", "board_size")
"""What the settings are for: these are no settings of the import."""


def own_settings(
    own: OwnRecord, system: str, parameters: Mapping[str, Any], left_out: list[str]
) -> dict[str, Any]:
    """Return the settings of the record that the event can have; parameters replace them."""
    settings = {
        name: current_value("tournament", name, value)
        for name, value in own.settings.items()
        if name not in (*ABOUT, "system_options") and name not in parameters
    }
    conditions = own.settings.get("ruleset"), own.settings.get("board_size")
    is_other_game = conditions != (parameters.get("game"), parameters.get("board"))
    for name in [*settings]:
        if name not in TRF_SETTINGS:
            left_out.append(_setting_left_out(name, settings.pop(name), Text("unknown")))
        elif is_other_game and name in GAME_SETTINGS:
            detail = Text("the event of the file had another game or board")
            left_out.append(_setting_left_out(name, settings.pop(name), detail))
    serializer = SettingsSerializer(data=settings, partial=True)
    if not serializer.is_valid():
        for name in serializer.errors.keys() & settings.keys():
            left_out.append(_setting_left_out(name, settings.pop(name), Text("not valid")))
        serializer = SettingsSerializer(data=settings, partial=True)
        serializer.is_valid(raise_exception=True)
    options = _system_options(own, system, parameters, left_out)
    return dict(serializer.validated_data) | ({"system_options": options} if options else {})


def _system_options(
    own: OwnRecord, system: str, parameters: Mapping[str, Any], left_out: list[str]
) -> dict[str, Any]:
    """Return the options of the record and of the parameters, which replace them."""
    chosen = dict(parameters.get("system_options", {}))
    page = PAIRING_SYSTEMS.get(system)
    if page is None:
        return chosen
    if own.settings.get("system") == system:
        values, errors = read_options(page.options, own.system_options)
        left_out += [
            Text("the option %(name)s: %(detail)s", name=error.name[:40], detail=error.detail)
            for error in errors
            if error.name not in chosen
        ]
        return values | chosen
    if own.system_options:
        left_out.append(
            Text(
                "the options of the pairing system %(system)s: %(options)s",
                system=str(own.settings.get("system"))[:40],
                options=_written(own.system_options),
            )
        )
    unset = [option for option in page.options if option.name not in chosen]
    # The file of a round robin without a word about them has the usual options.
    if unset and ("system" in parameters or not page.is_round_robin):
        left_out.append(
            Text(
                "the options of the pairing system, which the file does not state; used are"
                " %(options)s",
                options=_written({option.name: option.default for option in unset}),
            )
        )
    return chosen


def without_refused(
    settings: Mapping[str, Any], names: Collection[str], *, by: Account, left_out: list[str]
) -> dict[str, Any]:
    """Return the settings without those of the record that break a rule of this service."""
    try:
        build_tournament(by=by, **settings)
    except Unprocessable as error:
        details = {
            str(item.get("pointer")).strip("/").partition("/")[0]: item["detail"]
            for item in error.errors
        }
        refused = details.keys() & {*names}
        left_out += [
            _setting_left_out(name, settings[name], details[name]) for name in sorted(refused)
        ]
        return {name: value for name, value in settings.items() if name not in refused}
    return dict(settings)


def readable_handicaps(
    own: OwnRecord, tournament: Tournament, left_out: list[str]
) -> dict[int, dict[PlayerId, str]]:
    """Return the handicaps that games of the event can have, by round and first player."""
    if own.handicaps and tournament.handicaps == Tournament.Handicaps.NONE:
        left_out.append(Text("the handicaps of the games"))
        return {}
    even = event_conditions(tournament)
    written = {text for of_round in own.handicaps.values() for text in of_round.values()}
    canonical = {}
    for text in sorted(written)[:MOST_HANDICAPS]:
        try:
            check_applied(tournament, text[:LONGEST_HANDICAP])
            canonical[text] = canonical_handicap(even, text[:LONGEST_HANDICAP])
        except Unprocessable as error:
            left_out.append(
                Text(
                    "the handicap %(handicap)s: %(detail)s", handicap=text[:40], detail=error.detail
                )
            )
    return {
        number: {player: canonical[text] for player, text in of_round.items() if text in canonical}
        for number, of_round in own.handicaps.items()
    }


def decided_ties_as_json(document: TrfFile, left_out: list[str]) -> list[dict[str, Any]]:
    """Return the ties that the director decided, by the ordinals of the entries."""
    ordinals = {p.number: place for place, p in enumerate(document.crosstable.players, start=1)}
    bases = [basis for basis, _ in TIE_BASES]
    ties = []
    for tie in document.own.ties:
        by = current_value("tournament", "decided_ties", tie.by)
        if by not in bases:
            detail = Text("the tie of %(numbers)s", numbers=_listed(tie.decided.players))
            left_out.append(detail)
            continue
        ties.append(
            {
                "after": tie.decided.after,
                "entries": [ordinals[number] for number in tie.decided.players],
                "by": by,
                "reason": printable(tie.reason),
            }
        )
    return ties


def _setting_left_out(name: str, value: Any, detail: str) -> Text:
    return Text(
        "the setting %(name)s %(value)s: %(detail)s",
        name=name[:40],
        value=str(value)[:80],
        detail=detail,
    )


def _written(options: Mapping[str, Any]) -> str:
    """Return options as the parameter of the import has them."""
    return ", ".join(f"{name}={_word(value)}" for name, value in options.items())[:200]


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))[:80]
