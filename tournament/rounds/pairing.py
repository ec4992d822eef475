"""Pair a round with the tournament's system.

Each pairing of a round is a version; pairing again leaves older versions as they are.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from games.core.errors import Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.models import Account
from games.rules.text import Text
from tournament import queries
from tournament.core.engine import PairedRound, load_request, pair_request
from tournament.core.handicaps import give_handicaps
from tournament.models import Pairing, Round, Tournament
from tournament.pairing.findings import FindingCode
from tournament.pairing.request import PairingRequest
from tournament.rounds.queries import draft_as_json
from tournament.services.actions import require_round_action
from tournament.services.certificates import certify_round
from tournament.services.locking import lock_current_round
from tournament.services.versions import Draft, requested_byes, save_version
from tournament.standings.crosstable import Kind, PlayerId

BYES_OF_SCHEDULES = {
    Kind.FULL_BYE: Pairing.Kind.FULL_BYE,
    Kind.HALF_BYE: Pairing.Kind.HALF_BYE,
    Kind.ZERO_BYE: Pairing.Kind.FREE,
}
NOTE_CODES = frozenset(
    {
        FindingCode.DECIDED,
        FindingCode.FORFEIT,
        FindingCode.LEVEL_TIE,
        FindingCode.QUALIFIED,
        FindingCode.PREFERENCE_GIVEN_UP,
    }
)
"""The findings that players need; the others explain why a board is as it is."""


@dataclass(frozen=True, slots=True)
class ComputedPairings:
    """The pairings of a round, computed from a request before the tournament was locked."""

    request: PairingRequest
    paired: PairedRound


def compute_pairings(
    tournament: Tournament, number: int, *, relax: Collection[str] = (), reason: str = ""
) -> ComputedPairings:
    """Compute the pairings of a round without a lock; raises as `pair_round` does.

    A large round takes seconds, and nobody else could write to SQLite in that time.
    """
    _require_reason(relax, reason)
    this_round = tournament.round_set.get(number=number)
    require_round_action(tournament, this_round, "pair")
    request = load_request(tournament, number)
    return ComputedPairings(request, pair_request(tournament.system, request, relax=relax))


def _require_reason(relax: Collection[str], reason: str) -> None:
    if relax and not reason:
        raise Unprocessable("reason_needed", Text("say why rules may give way"), at="/reason")


def pair_round(
    tournament: Tournament,
    number: int,
    *,
    by: Account,
    relax: Collection[str] = (),
    reason: str = "",
    computed: ComputedPairings | None = None,
) -> Round:
    """Pair a round with the tournament's system and certify it; a draft is paired again.

    `computed` is used if nothing that the pairings depend on has changed since.

    If there is no legal pairing, the rules in `relax` may give way, as few as possible; the round,
    the journal and the certificate record them. Raises Conflict while an earlier round is open,
    once this round is published, and if there is no legal pairing; Unprocessable if `relax` has no
    reason.
    """
    _require_reason(relax, reason)
    with transaction.atomic():
        tournament, this_round = lock_current_round(tournament, number, "pair")
        request = load_request(tournament, number)
        if computed and computed.request == request:
            paired = computed.paired
        else:
            paired = pair_request(tournament.system, request, relax=relax)
        entries = queries.entries_by_number(tournament)
        draft = _draft(tournament, number, paired, entries, reason)
        payload = save_version(tournament, this_round, draft)
        certificate = certify_round(tournament, this_round, paired, entries)
        if proposal := paired.proposal:
            payload["relaxed"] = [rule.for_entries(entries) for rule in proposal.broken_rules]
        if certificate:
            payload |= {"input": certificate.input_digest, "output": certificate.output_digest}
        rows = changed_rows(this_round, *draft.pairings, *([certificate] if certificate else ()))
        append_line(tournament.stream, "round.paired", payload, by=by, rows=rows)
    return this_round


def preview_round(
    tournament: Tournament, number: int, computed: ComputedPairings, *, reason: str = ""
) -> dict[str, Any]:
    """Return the JSON of the round that `pair_round` would return; nothing is written."""
    this_round = tournament.round_set.get(number=number)
    entries = queries.entries_by_number(tournament)
    draft = _draft(tournament, number, computed.paired, entries, reason)
    draft.apply_to(this_round)
    return draft_as_json(tournament, this_round, draft.pairings)


def _draft(
    tournament: Tournament,
    number: int,
    paired: PairedRound,
    entries: Mapping[PlayerId, int],
    reason: str,
) -> Draft:
    """Return the draft of a paired round; `entries` are the ids by pairing number."""
    byes = [(player, BYES_OF_SCHEDULES[kind]) for player, kind in paired.pairings.byes]
    if paired.pairings.bye is not None:
        byes.insert(0, (paired.pairings.bye, Pairing.Kind.PAIRING_BYE))
    findings = (finding for finding in paired.pairings.findings if finding.code in NOTE_CODES)
    proposal = paired.proposal
    boards = give_handicaps(tournament, paired.request, paired.pairings.pairs, entries)
    return Draft(
        pairings=[
            *(
                Pairing(
                    board_number=board,
                    first_id=entries[given.pair[0]],
                    second_id=entries[given.pair[1]],
                    handicap=given.handicap,
                    recommended=given.recommended,
                )
                for board, given in enumerate(boards, start=1)
            ),
            *(Pairing(kind=kind, first_id=entries[player]) for player, kind in byes),
            *requested_byes(tournament, number),
        ],
        system=tournament.system,
        reason=reason if proposal else "",
        notes=[finding.for_entries(entries) for finding in findings],
        relaxed=proposal.relaxations if proposal else (),
    )
