"""Pair a round with the tournament's system, or say who blocks it and what could give way."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q

from games.core.errors import ApiError, Conflict
from games.core.references import absolute_url
from games.rules.seat import Seat
from games.rules.text import Text
from tournament.core.corrected_results import NO_CORRECTIONS, CorrectedValues
from tournament.core.crosstable import load_crosstable
from tournament.core.handicaps import seats_follow_handicaps
from tournament.core.queries import (
    absent_numbers,
    load_separations,
    not_checked_in,
    numbered_entries,
)
from tournament.models import Entry, Tournament
from tournament.pairing.deadline import OutOfTime, end_after
from tournament.pairing.errors import NoLegalPairing, PairingRequestError, UndecidedTies
from tournament.pairing.findings import FindingCode, with_names
from tournament.pairing.relaxations import Proposal, TooManyPlayers, propose
from tournament.pairing.request import PairingRequest, Pairings
from tournament.pairing.separations import Separation, separated_pairs
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.standings.crosstable import Crosstable, PlayerId
from tournament.standings.tiebreaks import TIEBREAKS

LONGEST_PAIRING: Final = 20.0
"""Seconds after which the pairing of a round is given up."""


@dataclass(frozen=True, slots=True)
class PairedRound:
    """A paired round; with the organiser's permission it breaks the rules of the `proposal`."""

    request: PairingRequest
    pairings: Pairings
    proposal: Proposal | None = None


class RoundBlocked(Conflict):
    """A round has no legal pairing; `proposal` is what could give way, if that helps."""

    def __init__(self, error: NoLegalPairing, proposal: Proposal | None):
        self.players = error.players
        self.proposal = proposal
        detail = str(error)
        extra: dict[str, Any] = {}
        if proposal:
            detail = Text(
                "%(detail)s; a pairing is possible with `relax`: %(names)s",
                detail=detail,
                names=", ".join(proposal.relaxations),
            )
            extra["relaxations"] = [finding.as_json() for finding in proposal.broken_rules]
        errors = [{"code": "blocks", "number": player} for player in error.players]
        super().__init__("no_legal_pairing", detail, errors, **extra)


class TieUndecided(Conflict):
    """A bracket cannot be paired before a director decides ties of its groups; names them."""

    def __init__(self, tournament: Tournament, request: PairingRequest, found: UndecidedTies):
        names = {
            number: f"{number} {request.crosstable.by_number[number].name}"
            for tie in found.ties
            for number in tie.players
        }
        super().__init__(
            "tie_undecided",
            with_names(found.detail, names),
            numbers=list(names),
            url=absolute_url(f"tournaments/{tournament.slug}/ties"),
        )


class PairingTooLong(ApiError):
    """A round was not paired in the time that there is (503)."""

    status = 503

    def __init__(self) -> None:
        detail = Text(
            "no pairing was found in %(seconds)s seconds; keep fewer players apart, set the "
            "pairings by hand, or pair the round with `manage.py pair`, which has no limit",
            seconds=round(LONGEST_PAIRING),
        )
        super().__init__("pairing_too_long", detail)


def load_request(
    tournament: Tournament, number: int, corrected: CorrectedValues = NO_CORRECTIONS
) -> PairingRequest:
    """Return everything that a pairing system needs to pair a round; raises Conflict."""
    crosstable = load_crosstable(
        tournament, through=number - 1, for_pairing=True, corrected=corrected
    )
    return build_request(
        tournament,
        number,
        crosstable,
        load_separations(tournament),
        frozenset(absent_numbers(tournament, number)),
    )


def build_request(
    tournament: Tournament,
    number: int,
    crosstable: Crosstable,
    separations: Sequence[Separation],
    absent: frozenset[PlayerId],
) -> PairingRequest:
    """Return the request to pair a round after the results of the crosstable; raises Conflict."""
    try:
        forbidden, preferences = separated_pairs(separations, crosstable, number)
    except PairingRequestError as error:
        raise Conflict("cannot_pair", str(error)) from error
    return PairingRequest(
        crosstable=crosstable,
        round=number,
        forbidden=forbidden,
        preferences=preferences,
        options=tournament.system_options,
        balance_seats=tournament.balance_seats
        and tournament.games_per_pairing == 1
        and not seats_follow_handicaps(tournament),
        absent=absent,
        initial_seat=Seat(tournament.initial_seat),
        codes=pairing_codes(tournament),
        seed=int(tournament.draw_seed, 16) + number,
    )


def pairing_codes(tournament: Tournament) -> tuple[str, ...]:
    """Return the tie-breaks that rank the players to be paired.

    These are the event's, except those that need records: a game decided by a ruling has none, and
    no certificate contains records.
    """
    codes = [
        code for code in tournament.tiebreaks if not TIEBREAKS[code.partition("/")[0]].needs_records
    ]
    return tuple(codes) or ("PTS",)


def require_players(tournament: Tournament, request: PairingRequest) -> None:
    """Raise Conflict if nobody plays in a round: all have a bye, have withdrawn, or are absent.

    In a bracket, those who have withdrawn lose their ties by forfeit, so nobody wins it.
    """
    number = request.round
    if request.present or (_has_bracket(tournament) and not _count_staying(tournament, number)):
        return
    byes = tournament.byes.filter(round=number, entry__state=Entry.State.ACCEPTED).count()
    accepted = tournament.entries.filter(state=Entry.State.ACCEPTED)
    missing = accepted.filter(not_checked_in(tournament, number)).count()
    detail = Text("no player plays in round %(number)s", number=number)
    if missing:
        detail = Text(
            "no player plays in round %(number)s: %(count)s have not checked in; check in those who"
            " are there",
            number=number,
            count=missing,
        )
    elif byes:
        detail = Text(
            "no player plays in round %(number)s: %(count)s have asked for a bye; cancel byes, or "
            "set fewer rounds",
            number=number,
            count=byes,
        )
    raise Conflict("nobody_to_pair", detail)


def require_games(paired: PairedRound) -> None:
    """Raise Conflict if the bracket is over: nobody, or one player, is left, or all is decided."""
    for finding in paired.pairings.findings:
        if finding.code is FindingCode.OVER:
            detail = Text(
                "no game is left for round %(number)s: %(why)s; review the event",
                number=paired.request.round,
                why=finding.sentence,
            )
            raise Conflict("nobody_to_pair", detail, numbers=list(finding.players))


def find_pairing_conflicts(tournament: Tournament, number: int) -> Iterator[Conflict]:
    """Yield why nothing that an organiser sends with it lets the system pair a round.

    A schedule is paired to learn this; of another system, players who cannot be paired with each
    other are found by its pairing only.
    """
    try:
        request = load_request(tournament, number)
        require_players(tournament, request)
        if PAIRING_SYSTEMS[tournament.system].has_schedule:
            require_games(pair_request(tournament, request))
    except Conflict as conflict:
        yield conflict


def is_over(tournament: Tournament, number: int) -> bool:
    """Return True if no game can be played in a planned round, nor in those after it.

    A bracket is over, or fewer than two players have not withdrawn.
    """
    if not _has_bracket(tournament):
        return _count_staying(tournament, number) < 2
    conflicts = find_pairing_conflicts(tournament, number)
    return any(conflict.code == "nobody_to_pair" for conflict in conflicts)


def _has_bracket(tournament: Tournament) -> bool:
    return PAIRING_SYSTEMS[tournament.system].find_progress is not None


def _count_staying(tournament: Tournament, number: int) -> int:
    """Count the players who have not left before a round."""
    stays = Q(last_round=None) | Q(last_round__gte=number)
    return numbered_entries(tournament).filter(stays, state=Entry.State.ACCEPTED).count()


def pair_request(
    tournament: Tournament, request: PairingRequest, *, relax: Collection[str] = ()
) -> PairedRound:
    """Pair a round. The rules in `relax` may give way if there is no other legal pairing.

    Raises Conflict; it is a RoundBlocked if there is no legal pairing. Raises PairingTooLong.
    """
    try:
        with end_after(LONGEST_PAIRING):
            return _pair_in_time(tournament.system, request, relax)
    except OutOfTime as error:
        raise PairingTooLong from error
    except UndecidedTies as error:
        raise TieUndecided(tournament, request, error) from error


def _pair_in_time(system: str, request: PairingRequest, relax: Collection[str]) -> PairedRound:
    pair = PAIRING_SYSTEMS[system].pair
    try:
        return PairedRound(request, pair(request))
    except UndecidedTies:
        raise
    except PairingRequestError as error:
        raise Conflict("cannot_pair", str(error)) from error
    except NoLegalPairing as error:
        proposal = _propose(system, request)
        if proposal is None or not set(proposal.relaxations) <= set(relax):
            raise RoundBlocked(error, proposal) from error
    return PairedRound(request, pair(proposal.request), proposal)


def _propose(system: str, request: PairingRequest) -> Proposal | None:
    """Return what has to give way in a blocked round, if that helps."""
    page = PAIRING_SYSTEMS[system]
    if page.has_schedule:
        return None
    try:
        proposal = propose(request, has_criterion_c3=page.has_criterion_c3)
    except TooManyPlayers:
        return None
    return proposal if proposal.broken_rules else None
