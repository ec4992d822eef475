"""Why a certified round is paired as it is, in one form for every system.

The Dutch system tells reasons, losses and alternatives (dutch/explanation.py); of the others
the notes that the pairing itself left are told, each at the boards of the players it is about.
"""

from dataclasses import replace
from typing import Any

from tournament.pairing.certificates import Certificate
from tournament.pairing.errors import PairingError
from tournament.pairing.request import Note, PairingRequest, Pairings, either_way
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.dutch.explanation import explain, why_not
from tournament.pairing.trf_request import pairs_text
from tournament.standings.crosstable import PlayerId

MOST_WITH_ALTERNATIVES = 1000
"""Players up to which every board tells what the round would lose without it."""


class NotExplained(PairingError):
    """A question that the system of the round does not answer."""


def explain_round(certificate: Certificate) -> list[dict[str, Any]]:
    """Give the boards, the bye last with no second player, each with its reasons as JSON has them.

    Raises StandingsError or PairingError for a certificate that does not hold.
    """
    request = certificate.request()
    if not PAIRING_SYSTEMS[certificate.system].compares_alternatives:
        return _noted(PAIRING_SYSTEMS[certificate.system].pair(request))
    pairings, boards = explain(
        _settled(request, certificate),
        alternatives=len(request.present) <= MOST_WITH_ALTERNATIVES,
    )
    if pairs_text(pairings) != certificate.output:
        raise PairingError("the certificate's input gives another pairing")
    return [
        {
            "first": board.first,
            "second": board.second,
            "reasons": [reason.as_dict() for reason in board.reasons],
        }
        for board in boards
    ]


def explain_absence(certificate: Certificate, one: PlayerId, other: PlayerId) -> dict[str, Any]:
    """Tell why two players do not meet in a certified round, or that they do.

    Raises NotExplained, and PairingRequestError for players that are not of the event.
    """
    if not PAIRING_SYSTEMS[certificate.system].compares_alternatives:
        name = PAIRING_SYSTEMS[certificate.system].name
        raise NotExplained(f"{name} does not tell what a round would lose with another pair")
    return why_not(_settled(certificate.request(), certificate), one, other).as_dict()


def _settled(request: PairingRequest, certificate: Certificate) -> PairingRequest:
    """Take the preferences that were kept for rules: with them the round is the best there is."""
    if not any(request.preferences):
        return request
    met = {tuple(map(int, line.split())) for line in certificate.output.splitlines()[1:]}
    given_up = either_way((pair[0], pair[1]) for pair in met)
    kept = frozenset(
        pair for level in request.preferences for pair in level if pair not in given_up
    )
    return replace(request, preferences=(), forbidden=request.forbidden | kept)


def _noted(pairings: Pairings) -> list[dict[str, Any]]:
    places: list[tuple[PlayerId, PlayerId | None]] = list(pairings.pairs)
    if pairings.bye is not None:
        places.append((pairings.bye, None))
    return [
        {
            "first": first,
            "second": second,
            "reasons": [
                _as_dict(note)
                for note in pairings.notes
                if first in note.players or second in note.players
            ],
        }
        for first, second in places
    ]


def _as_dict(note: Note) -> dict[str, Any]:
    return {
        "code": note.code.value,
        "players": list(note.players),
        "values": {} if note.value is None else {"value": note.value},
        "sentence": note.sentence,
    }
