"""The engine asked for a round: its pairing, or who blocks it and what could give way."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from games.http.errors import Conflict
from games.rules.seat import Seat
from tournament import queries
from tournament.models import Tournament
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.relaxations import Breach, Proposal, Relaxation, TooManyPlayers, propose
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.services.systems import kept_apart


@dataclass(frozen=True, slots=True)
class PairedRound:
    """What the engine made of a round; `request` is what it paired, `breaches` what gave way."""

    request: PairingRequest
    pairings: Pairings
    breaches: tuple[Breach, ...] = ()

    @property
    def relaxed(self) -> list[str]:
        """The rules that gave way, the lightest first."""
        broken = {breach.relaxation for breach in self.breaches}
        return [one.value for one in Relaxation if one in broken]


def pairing_request(tournament: Tournament, number: int) -> PairingRequest:
    """All that a pairing system needs to know to pair a round; raises Conflict."""
    crosstable = queries.load_crosstable(tournament, through=number - 1)
    try:
        forbidden, preferences = kept_apart(tournament, crosstable, number)
    except PairingRequestError as error:
        raise Conflict("cannot_pair", str(error)) from error
    return PairingRequest(
        crosstable=crosstable,
        round=number,
        forbidden=forbidden,
        preferences=preferences,
        options=tournament.system_options,
        balance_seats=tournament.balance_seats,
        absent=frozenset(queries.absent_numbers(tournament, number)),
        initial_seat=Seat(tournament.initial_seat),
        codes=queries.pairing_codes(tournament),
        seed=int(tournament.draw_seed, 16) + number,
    )


def ask_engine(
    system: str, request: PairingRequest, *, relax: Collection[Relaxation] = ()
) -> PairedRound:
    """Pair a round; the rules in `relax` may give way where nothing else helps.

    Raises Conflict naming who blocks, and, where something could give way, what.
    """
    pair = PAIRING_SYSTEMS[system].pair
    try:
        return PairedRound(request, pair(request))
    except PairingRequestError as error:
        raise Conflict("cannot_pair", str(error)) from error
    except NoLegalPairing as blocked:
        proposal = what_could_give_way(system, request)
        if proposal is None or not set(proposal.relaxations) <= set(relax):
            raise no_legal_pairing(blocked, proposal) from blocked
    return PairedRound(proposal.request, pair(proposal.request), proposal.breaches)


def what_could_give_way(system: str, request: PairingRequest) -> Proposal | None:
    """The least that has to give way in a round that cannot be paired, if anything helps."""
    page = PAIRING_SYSTEMS[system]
    if page.has_schedule:
        return None
    try:
        proposal = propose(request, has_criterion_c3=page.has_criterion_c3)
    except TooManyPlayers:
        return None
    return proposal if proposal.breaches else None


def no_legal_pairing(blocked: NoLegalPairing, proposal: Proposal | None) -> Conflict:
    """The refusal: who blocks, and what the organiser may let give way."""
    errors = [{"code": "blocks", "pairing_number": player} for player in blocked.players]
    if proposal is None:
        return Conflict("no_legal_pairing", str(blocked), errors)
    relax = ", ".join(proposal.relaxations)
    detail = f"{blocked}; a pairing is possible with `relax`: {relax}"
    told = [told_breach(breach) for breach in proposal.breaches]
    return Conflict("no_legal_pairing", detail, errors, relaxations=told)


def told_breach(breach: Breach) -> dict[str, Any]:
    """What gives way, as the API and the journal tell it."""
    return {
        "relaxation": breach.relaxation.value,
        "players": list(breach.players),
        "detail": breach.sentence,
    }
