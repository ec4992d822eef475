"""The rules that a round breaks, set by hand or by a later withdrawal."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from games.core.errors import Unprocessable
from games.play.queries import rows_as_dicts
from games.rules.text import Text
from tournament.core.crosstable_results import BYE_RESULT_KINDS
from tournament.core.engine import load_request
from tournament.core.queries import (
    absent_numbers,
    entries_by_number,
    names_by_number,
    numbered_entries,
)
from tournament.core.systems import system_of
from tournament.models import Pairing, Round, Tournament
from tournament.pairing.by_hand import IMPOSSIBLE, check_by_hand
from tournament.pairing.findings import Finding, FindingCode, with_names
from tournament.pairing.request import Pair, PairingRequest
from tournament.pairing.sentences import Sentence

BY_HAND = "by_hand"


@dataclass(frozen=True, slots=True)
class HandPairing:
    """A pairing set by hand: two entries, or an entry and the kind of its bye.

    Without a board, it has the next board number. `handicap` is the one to apply, empty for none;
    without it, the recommended one is applied, in the seats that it needs.
    """

    first: int
    second: int | None = None
    bye: Pairing.Kind = Pairing.Kind.PAIRING_BYE
    board: int | None = None
    handicap: str | None = None


def find_violations(this_round: Round) -> tuple[Finding, ...]:
    """Return the rules that a round breaks now: set by hand, or paired before a player withdrew."""
    tournament = this_round.tournament
    is_draft = this_round.state == Round.State.DRAFTED
    if this_round.system != BY_HAND and (not is_draft or system_of(tournament).has_schedule):
        return ()
    rows = list(Pairing.objects.filter(round=this_round, version=this_round.version))
    findings: tuple[Finding, ...] = ()
    if this_round.system == BY_HAND:
        boards = [HandPairing(row.first_id, row.second_id, Pairing.Kind(row.kind)) for row in rows]
        numbers = numbers_of_entries(tournament, boards, at="/boards")
        marked: set[int | None] = {
            numbers[entry]
            for row in rows
            if row.by_hand
            for entry in (row.first_id, row.second_id)
            if entry is not None
        }
        request = load_request(tournament, this_round.number)
        findings = made_by_hand(check_boards(tournament, request, boards, numbers), marked)
    if is_draft:
        known = {(finding.code, finding.players) for finding in findings}
        absent = _find_absent_players(tournament, this_round, rows)
        findings += tuple(f for f in absent if (f.code, f.players) not in known)
    return findings


def _find_absent_players(
    tournament: Tournament, this_round: Round, rows: Sequence[Pairing]
) -> list[Finding]:
    """Return the players of a draft who cannot play; where a schedule pairs them, they forfeit."""
    absent = absent_numbers(tournament, this_round.number)
    if not absent or system_of(tournament).has_schedule:
        return []
    entries = entries_by_number(tournament)
    present = (Pairing.Kind.GAME, Pairing.Kind.PAIRING_BYE)
    seated = {e for row in rows if row.kind in present for e in (row.first_id, row.second_id)}
    return [Sentence.PLAYER_ABSENT.about(n) for n in sorted(absent) if entries[n] in seated]


def made_by_hand(
    findings: Sequence[Finding], marked: AbstractSet[int | None]
) -> tuple[Finding, ...]:
    """Return the broken rules of the marked players: what the engine pairs too is no violation.

    A player who is missing is reported when the pairings are set.
    """
    return tuple(
        finding
        for finding in findings
        if finding.code is not FindingCode.PLAYER_MISSING and not marked.isdisjoint(finding.players)
    )


def numbers_of_entries(
    tournament: Tournament, boards: Sequence[HandPairing], *, at: str
) -> dict[int, int]:
    """Return the pairing numbers by entry; raises Unprocessable for unknown entries.

    `at` is the pointer of the boards.
    """
    rows = rows_as_dicts(numbered_entries(tournament), "pk", "pairing_number")
    numbers = {row["pk"]: row["pairing_number"] for row in rows}
    unknown = {
        f"{at}/{index}/{seat}_id": entry
        for index, board in enumerate(boards)
        for seat, entry in (("first", board.first), ("second", board.second))
        if entry and entry not in numbers
    }
    if unknown:
        listed = ", ".join(map(str, sorted({*unknown.values()})[:20]))
        detail = Text("entries %(numbers)s are not in the tournament", numbers=listed)
        errors = [{"pointer": at, "code": "unknown_entry", "detail": detail} for at in unknown]
        raise Unprocessable("unknown_entry", detail, errors)
    return numbers


def check_boards(
    tournament: Tournament,
    request: PairingRequest,
    boards: Sequence[HandPairing],
    numbers: Mapping[int, int],
) -> tuple[Finding, ...]:
    """Return what is wrong with the boards; raises Unprocessable for impossible boards."""
    byes = {numbers[b.first]: BYE_RESULT_KINDS[b.bye] for b in boards if b.second is None}
    with_bye = [numbers[b.first] for b in boards if b.second is None]
    if len(byes) < len(with_bye):
        twice = Sentence.PLAYER_TWICE.about(max(with_bye, key=with_bye.count))
        raise impossible_pairings(tournament, [twice])
    pairs, _ = pairs_and_byes(boards, numbers)
    findings = check_by_hand(
        request.crosstable,
        request.round,
        pairs,
        byes,
        absent=request.absent,
        forbidden=request.forbidden,
    )
    impossible = [finding for finding in findings if finding.code in IMPOSSIBLE]
    if impossible:
        raise impossible_pairings(tournament, impossible)
    return findings


def impossible_pairings(tournament: Tournament, findings: Sequence[Finding]) -> Unprocessable:
    """Return the error of pairings that no reason can justify."""
    sentences = sentences_of(tournament, findings)
    errors = [
        {"code": finding.code, "detail": sentence}
        for finding, sentence in zip(findings, sentences, strict=True)
    ]
    return Unprocessable("impossible_pairings", sentences[0], errors)


def sentences_of(tournament: Tournament, findings: Sequence[Finding]) -> list[Text]:
    """Return what findings say, with the numbers and names of players; one query, if any."""
    numbers = {number for finding in findings for number in finding.players}
    names = names_by_number(tournament, numbers)
    return [with_names(finding.sentence, names) for finding in findings]


def pairs_and_byes(
    boards: Sequence[HandPairing], numbers: Mapping[int, int]
) -> tuple[tuple[Pair, ...], tuple[int, ...]]:
    """Return the pairs and the players with a pairing-allocated bye, by pairing number."""
    pairs = tuple((numbers[b.first], numbers[b.second]) for b in boards if b.second is not None)
    byes = tuple(
        numbers[b.first] for b in boards if b.second is None and b.bye == Pairing.Kind.PAIRING_BYE
    )
    return pairs, byes
