"""Why a certified round is paired as it is, in one form for all systems.

The Dutch system gives reasons, losses and alternatives (`systems/dutch/explanation`). For the other
systems, each pairing has the findings about its players.
"""

from dataclasses import replace

from games.rules.text import Text
from tournament.pairing.certificates import RoundCertificate
from tournament.pairing.errors import PairingError
from tournament.pairing.findings import ExplainedPairing, Finding
from tournament.pairing.request import PairingRequest, Pairings, in_both_orders
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.systems.dutch.explanation import explain, why_not
from tournament.standings.crosstable import PlayerId

MOST_WITH_ALTERNATIVES = 1000
"""The number of players up to which each pairing says what the round would lose without it."""


class NotExplained(PairingError):
    """The pairing system, given by name, does not compare alternatives."""

    def __init__(self, system: str):
        super().__init__(
            Text(
                "%(system)s does not say what a round would lose with another pair",
                system=Text(system),
            )
        )


def explain_round(certificate: RoundCertificate) -> tuple[ExplainedPairing, ...]:
    """Return the pairings by board, the bye last, each with its reasons.

    Raises StandingsError or PairingError for a certificate that is not genuine.
    """
    request = certificate.request()
    system = PAIRING_SYSTEMS[certificate.system]
    if not system.compares_alternatives:
        return _with_findings(system.pair(request))
    pairings, explained = explain(
        _with_rules(request, certificate),
        alternatives=len(request.present) <= MOST_WITH_ALTERNATIVES,
    )
    if str(pairings) != certificate.output:
        raise PairingError(Text("the input of the certificate leads to another pairing"))
    return explained


def explain_absence(certificate: RoundCertificate, a: PlayerId, b: PlayerId) -> Finding:
    """Return why two players do not meet in a certified round, or that they meet.

    Raises NotExplained, and PairingRequestError for unknown players.
    """
    system = PAIRING_SYSTEMS[certificate.system]
    if not system.compares_alternatives:
        raise NotExplained(system.name)
    return why_not(_with_rules(certificate.request(), certificate), a, b)


def _with_rules(request: PairingRequest, certificate: RoundCertificate) -> PairingRequest:
    """Turn the preferences that the round follows into rules, under which it is the best."""
    if not any(request.preferences):
        return request
    lines = (line.split() for line in certificate.output.splitlines()[1:])
    met = in_both_orders((int(first), int(second)) for first, second in lines)
    followed = frozenset(pair for level in request.preferences for pair in level if pair not in met)
    return replace(request, preferences=(), forbidden=request.forbidden | followed)


def _with_findings(pairings: Pairings) -> tuple[ExplainedPairing, ...]:
    places: list[tuple[PlayerId, PlayerId | None]] = list(pairings.pairs)
    if pairings.bye is not None:
        places.append((pairings.bye, None))
    return tuple(
        ExplainedPairing(
            first,
            second,
            tuple(
                finding
                for finding in pairings.findings
                if first in finding.players or second in finding.players
            ),
        )
        for first, second in places
    )
