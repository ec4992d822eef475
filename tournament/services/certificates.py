"""Store the certificate of a round when the pairing system pairs it."""

from collections.abc import Mapping

from tournament.core.engine import PairedRound
from tournament.models import Certificate, Round, Tournament
from tournament.pairing import certificates as pure
from tournament.pairing.errors import PairingRequestError
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.standings.errors import StandingsError


def certify_round(
    tournament: Tournament, this_round: Round, paired: PairedRound, entries: Mapping[int, int]
) -> Certificate | None:
    """Store the certificate of the round's version; `entries` are the ids by pairing number.

    Return None if the round cannot be certified: a round after one without pairings, or a system
    that reads more than TRF26 can hold, such as game scores. Pairing again detects the latter.
    """
    try:
        certificate = pure.certify(paired.request, paired.pairings, system=tournament.system)
    except (PairingRequestError, StandingsError):
        return None
    if PAIRING_SYSTEMS[tournament.system].uses_ratings and certificate.find_faults():
        return None
    stored = Certificate(
        tournament=tournament,
        round=this_round,
        version=this_round.version,
        text=str(certificate),
        input_digest=certificate.input_digest,
        output_digest=certificate.output_digest,
        entries=[entries[number] for number in sorted(entries)],
    )
    stored.save()
    return stored


def copy_certificate(this_round: Round, version: int) -> list[Certificate]:
    """Certify the current version of the round by the certificate of an older one, if any.

    Return the copy.
    """
    copies = list(this_round.certificates.filter(version=version))
    for certificate in copies:
        certificate.pk, certificate.version = None, this_round.version
        certificate.save(force_insert=True)
    return copies


def current_certificate(this_round: Round) -> Certificate | None:
    """Return the certificate of the round's current version; None if it was set by hand."""
    return this_round.certificates.filter(version=this_round.version).first()
