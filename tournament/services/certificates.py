"""The certificate of a round: made when the engine pairs it, kept with that version."""

from collections.abc import Mapping

from tournament.models import Certificate, Round, Tournament
from tournament.pairing import certificates as pure
from tournament.pairing.errors import PairingRequestError
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.services.engine import PairedRound
from tournament.standings.errors import StandingsError


def certify_round(
    tournament: Tournament, this_round: Round, paired: PairedRound, entries: Mapping[int, int]
) -> Certificate | None:
    """Keep the certificate of the round's version; `entries` are the ids by pairing number.

    None for what cannot be certified: a round after one in which nobody was paired, and one whose
    system looks at more than a report can hold (game scores, say); the latter is found by trying.
    """
    page = PAIRING_SYSTEMS[tournament.system]
    try:
        made = pure.certify(
            paired.request,
            paired.pairings,
            system=tournament.system,
            edition=page.source,
            with_ratings=page.uses_ratings,
        )
    except (PairingRequestError, StandingsError):
        return None
    if page.uses_ratings and made.faults(page.pair):
        return None
    return Certificate.objects.create(
        tournament=tournament,
        round=this_round,
        version=this_round.version,
        text=str(made),
        input_digest=made.input_digest,
        output_digest=made.output_digest,
        entries=[entries[number] for number in sorted(entries)],
    )


def current_certificate(this_round: Round) -> Certificate | None:
    """The certificate of the round as it stands; None when it was set by hand."""
    return this_round.certificates.filter(version=this_round.version).first()
