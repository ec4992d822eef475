"""Pair a round with the tournament's system: draft a version of its pairings and certify it.

Each pairing of a round is a version; pairing again leaves older versions as they are.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from django.db import transaction
from django.db.models import Max, Q

from games.core.errors import Unprocessable
from games.core.journal.lines import append_line
from games.core.journal.rows import changed_rows
from games.models import Account
from games.rules.text import Text
from tournament.core.engine import (
    PairedRound,
    load_request,
    pair_request,
    require_games,
    require_players,
)
from tournament.core.queries import entries_by_number
from tournament.models import Certificate, Entry, Pairing, Round, Tournament, references
from tournament.pairing import certificates as pure
from tournament.pairing.errors import PairingRequestError
from tournament.pairing.findings import FindingCode
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.rounds.handicaps import give_handicaps
from tournament.rounds.queries import RoundPairings, draft_as_json
from tournament.rounds.states import require_round_allows
from tournament.rounds.targets import lock_current_round
from tournament.standings.crosstable import Kind, PlayerId
from tournament.standings.errors import StandingsError

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


class CertificateFile(TypedDict):
    """A certificate; the response, saved as a file, is the input of `verify_certificate`."""

    system: str
    edition: str
    engine: str
    round: int
    seed: int
    codes: list[str]
    options: dict[str, Any]
    preferences: list[list[list[int]]]
    exempt: list[list[int]]
    exempt_byes: list[int]
    balance_seats: bool
    input: Annotated[str, "everything that the system reads, as TRF26"]
    input_digest: Annotated[str, "of everything but the output"]
    output: Annotated[str, "a line `first second` for each board, the bye last"]
    output_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The pairings of a round that are not stored yet, and who or what paired it."""

    pairings: Sequence[Pairing]
    system: str
    reason: str = ""
    notes: Sequence[dict[str, Any]] = ()
    relaxed: Sequence[str] = ()

    def apply_to(self, this_round: Round) -> None:
        """Set the fields of the round, without saving it."""
        this_round.version = next_version(this_round)
        this_round.state = Round.State.DRAFTED
        this_round.system, this_round.reason = self.system, self.reason
        this_round.notes, this_round.relaxed = list(self.notes), list(self.relaxed)


def compute_pairings(
    this_round: Round, *, relax: Collection[str] = (), reason: str = ""
) -> PairedRound:
    """Pair a round without a lock, and store nothing; raises as `pair_round` does.

    A large round takes seconds, and nobody else could write to SQLite in that time.
    """
    _require_reason(relax, reason)
    tournament = this_round.tournament
    require_round_allows(this_round, "pair")
    request = load_request(tournament, this_round.number)
    require_players(tournament, request)
    paired = pair_request(tournament, request, relax=relax)
    require_games(paired)
    return paired


def pair_round(
    tournament: Tournament,
    number: int,
    *,
    by: Account,
    relax: Collection[str] = (),
    reason: str = "",
    computed: PairedRound | None = None,
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
        # Loaded again under the lock: results or byes may have changed while the round was paired.
        request = load_request(tournament, number)
        require_players(tournament, request)
        paired = computed
        if paired is None or paired.request != request:
            paired = pair_request(tournament, request, relax=relax)
            require_games(paired)
        entries = entries_by_number(tournament)
        draft = _draft(this_round, paired, entries, reason)
        payload = save_version(this_round, draft)
        certificate = _certify_round(this_round, paired, entries)
        if proposal := paired.proposal:
            payload["relaxed"] = [rule.for_entries(entries) for rule in proposal.broken_rules]
        if certificate:
            payload |= {"input": certificate.input_digest, "output": certificate.output_digest}
        rows = changed_rows(this_round, *draft.pairings, *([certificate] if certificate else ()))
        append_line(tournament.stream, "round.paired", payload, by=by, rows=rows)
    return this_round


def preview_round(this_round: Round, paired: PairedRound, *, reason: str = "") -> RoundPairings:
    """Return the JSON of the round that `pair_round` would return; nothing is written."""
    entries = entries_by_number(this_round.tournament)
    draft = _draft(this_round, paired, entries, reason)
    draft.apply_to(this_round)
    return draft_as_json(this_round, draft.pairings)


def _draft(
    this_round: Round, paired: PairedRound, entries: Mapping[PlayerId, int], reason: str
) -> Draft:
    """Return the draft of a paired round; `entries` are the ids by pairing number."""
    tournament = this_round.tournament
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
            *requested_byes(this_round),
        ],
        system=tournament.system,
        reason=reason if proposal else "",
        notes=[finding.for_entries(entries) for finding in findings],
        relaxed=proposal.relaxations if proposal else (),
    )


def _require_reason(relax: Collection[str], reason: str) -> None:
    if relax and not reason:
        raise Unprocessable("reason_needed", Text("say why rules may give way"), at="/reason")


def requested_byes(this_round: Round) -> list[Pairing]:
    """Return a pairing for each requested bye of an accepted entry."""
    number = this_round.number
    byes = (
        this_round.tournament.byes.filter(
            Q(entry__last_round=None) | Q(entry__last_round__gte=number),
            round=number,
            entry__state=Entry.State.ACCEPTED,
            entry__pairing_number__isnull=False,
            entry__first_round__lte=number,
        )
        .order_by("entry__pairing_number")
        .values_list("kind", "entry")
    )
    return [Pairing(kind=kind, first_id=entry) for kind, entry in byes]


def save_version(this_round: Round, draft: Draft) -> dict[str, Any]:
    """Make a draft the new version of the round; older versions stay.

    Return the journal's payload for the version.
    """
    draft.apply_to(this_round)
    this_round.save(update_fields=["version", "state", "system", "reason", "notes", "relaxed"])
    for pairing in draft.pairings:
        pairing.tournament, pairing.round = this_round.tournament, this_round
        pairing.version = this_round.version
    Pairing.objects.bulk_create(draft.pairings)
    return {
        "round": this_round.number,
        "version": this_round.version,
        "system": this_round.system,
        "reason": this_round.reason,
        "notes": notes_by_ordinal(this_round.tournament, this_round.notes),
        "relaxations": this_round.relaxed,
        "boards": [[p.board_number, p.first_id, p.second_id, p.kind] for p in draft.pairings],
        "handicaps": [
            [p.first_id, p.handicap, p.handicap_reason, p.recommended]
            for p in draft.pairings
            if p.handicap or p.handicap_reason or p.recommended
        ],
    }


def next_version(this_round: Round) -> int:
    """Return the number of the round's next version; an older one may be current."""
    last = this_round.pairings.aggregate(last=Max("version", default=0))["last"]
    return max(last, this_round.version) + 1


def notes_by_ordinal(
    tournament: Tournament, notes: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the notes of a round as lines have them, with the ordinals of entries."""
    if not notes:
        return []
    ordinals = dict(tournament.entries.values_list("pk", "ordinal"))
    found: list[dict[str, Any]] = references.notes(notes, lambda _, entry: ordinals[entry])
    return found


def _certify_round(
    this_round: Round, paired: PairedRound, entries: Mapping[int, int]
) -> Certificate | None:
    """Store the certificate of the round's version; `entries` are the ids by pairing number.

    Return None if the round cannot be certified: a round after one without pairings, or a system
    that reads more than TRF26 can hold, such as game scores. Pairing again detects the latter.
    """
    tournament = this_round.tournament
    try:
        certificate = pure.certify(
            (paired.proposal or paired).request, paired.pairings, system=tournament.system
        )
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
