"""The pre-flight check: find everything that keeps a round from being paired, and change nothing.

The blocking items come from the same functions that reject `pair`. The others are good to know.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired, TypedDict, cast

from games.core.errors import Conflict
from games.rules.text import Text
from tournament.core.engine import (
    PairedRound,
    RoundBlocked,
    load_request,
    pair_request,
    require_games,
    require_players,
)
from tournament.core.queries import absent_numbers
from tournament.core.references import (
    EntryReference,
    NumberedEntry,
    numbered_references,
    references_of,
)
from tournament.core.systems import system_of
from tournament.core.violations import find_violations
from tournament.models import Entry, Round, Tournament
from tournament.pairing.findings import FindingCode, StatedFinding
from tournament.pairing.relaxations import Proposal
from tournament.rounds.advances import ADVANCE_CHANGES, find_changed_advances
from tournament.rounds.cautions import find_cautions, find_unproven_boards
from tournament.rounds.states import find_round_conflicts


class CheckItem(TypedDict):
    """What keeps a round from being paired, or is good to know."""

    code: Annotated[
        str,
        "Blocking: wrong_state, round_open, result_open, no_legal_pairing, "
        "forbidden_pair, tie_undecided, nobody_to_pair, cannot_pair. For information: "
        "unnumbered, absent, odd_number, one_player, byes (of a schedule), "
        "preference_given_up, advance_changes, broken_rule (of a draft set by hand), "
        "tiebreak_left_empty, tiebreak_needs_records, no_recommendation, "
        "pool_rates_everything, pool_rates_others, ranking_without_points, too_many_rounds, "
        "too_many_entries, separated_outsiders, entry_value_missing.",
    ]
    blocks: bool
    detail: str
    round: NotRequired[int]
    board: NotRequired[int]
    numbers: NotRequired[Annotated[list[int], "pairing numbers"]]
    url: NotRequired[Annotated[str, "of tie_undecided: that of the ties"]]
    rule: NotRequired[Annotated[str, "the code that `publish` needs in `accept`"]]
    entries: NotRequired[list[EntryReference]]
    boards: NotRequired[Annotated[list[int], "numbers of boards"]]
    counts: NotRequired[Annotated[dict[str, int], "by kind of absence"]]


class RoundCheck(TypedDict):
    """Whether a round can be paired."""

    round: int
    ready: Annotated[bool, "whether `pair` would succeed"]
    items: list[CheckItem]
    bye: Annotated[NumberedEntry | None, "who would have the bye"]
    relax: Annotated[list[str], "what `pair` needs, the least important first"]
    relaxations: Annotated[list[StatedFinding], "what would be broken"]


@dataclass(slots=True)
class Check:
    """The result of a check: `items` by code, the bye, and what could give way."""

    round: int
    items: list[CheckItem] = field(default_factory=list)
    bye: NumberedEntry | None = None
    proposal: Proposal | None = None

    @property
    def is_ready(self) -> bool:
        """True if no item blocks the round."""
        return not any(item["blocks"] for item in self.items)

    def inform(self, code: str, detail: str, **values: Any) -> None:
        """Add an item that does not block the round."""
        self._add({"code": code, "blocks": False, "detail": detail, **values})

    def block(self, code: str, detail: str, **values: Any) -> None:
        """Add an item that blocks the round."""
        self._add({"code": code, "blocks": True, "detail": detail, **values})

    def _add(self, item: dict[str, Any]) -> None:
        self.items.append(cast("CheckItem", item))

    def as_json(self) -> RoundCheck:
        proposal = self.proposal
        return {
            "round": self.round,
            "ready": self.is_ready,
            "items": self.items,
            "bye": self.bye,
            "relax": [code.value for code in proposal.relaxations] if proposal else [],
            "relaxations": [f.as_json() for f in proposal.broken_rules] if proposal else [],
        }


def check_round(this_round: Round) -> Check:
    """Check whether a round can be paired now."""
    tournament = this_round.tournament
    check = Check(this_round.number)
    for conflict in find_round_conflicts(this_round, "pair"):
        check.block(conflict.code, conflict.detail, **conflict.extra)
        for error in conflict.errors:
            check.block(**error)
    _check_entries(check, tournament)
    unproven = find_unproven_boards(tournament, through=check.round - 1)
    for caution in [*find_cautions(tournament), *unproven]:
        if not (unproven and caution["code"] == "tiebreak_needs_records"):
            check.inform(**caution)
    if changed := find_changed_advances(tournament):
        check.inform(ADVANCE_CHANGES, changed.detail)
    for finding in find_violations(this_round):
        check.inform(
            "broken_rule", finding.sentence, numbers=list(finding.players), rule=finding.code.value
        )
    if check.is_ready:
        try:
            request = load_request(tournament, check.round)
            require_players(tournament, request)
            paired = pair_request(tournament, request)
            require_games(paired)
            _describe_pairing(check, paired, tournament)
        except RoundBlocked as blocked:
            _describe_block(check, blocked)
        except Conflict as conflict:
            check.block(conflict.code, conflict.detail, **conflict.extra)
    return check


def _check_entries(check: Check, tournament: Tournament) -> None:
    waiting = tournament.entries.filter(state=Entry.State.ACCEPTED, pairing_number__isnull=True)
    unnumbered = references_of(waiting.order_by("pk"))
    if unnumbered:
        detail = Text(
            "%(count)s accepted entries have no pairing number and are not paired",
            count=len(unnumbered),
        )
        check.inform("unnumbered", detail, entries=unnumbered)
    absent = absent_numbers(tournament, check.round)
    if absent:
        counts = Counter(kind or "not_playing" for kind in absent.values())
        check.inform(
            "absent",
            Text(
                "players who do not play in round %(number)s: %(count)s",
                number=check.round,
                count=len(absent),
            ),
            numbers=sorted(absent),
            counts=dict(sorted(counts.items())),
        )


def _describe_pairing(check: Check, paired: PairedRound, tournament: Tournament) -> None:
    present = len(paired.request.present)
    if byes := [player for player, _ in paired.pairings.byes]:
        check.inform(
            "byes",
            Text("players who have a bye by the schedule: %(players)s", players=sorted(byes)),
            numbers=sorted(byes),
        )
    elif present % 2 and not system_of(tournament).has_schedule:
        number = paired.pairings.bye
        if number:
            entries = numbered_references(tournament)
            check.bye = next(row for row in entries if row["number"] == number)
        if check.bye and present == 1:
            detail = Text(
                "%(player)s is the only player in round %(number)s: they have the bye, and no game "
                "is played",
                player=check.bye["player"]["name"],
                number=check.round,
            )
            check.inform("one_player", detail, numbers=[check.bye["number"]])
            return
        bye = Text("; %(number)s would have the bye", number=number) if number else ""
        check.inform(
            "odd_number",
            Text("the number of players, %(count)s, is odd%(detail)s", count=present, detail=bye),
        )
    for finding in paired.pairings.findings:
        if finding.code is FindingCode.PREFERENCE_GIVEN_UP:
            check.inform("preference_given_up", finding.sentence, numbers=list(finding.players))


def _describe_block(check: Check, blocked: RoundBlocked) -> None:
    check.proposal = blocked.proposal
    check.block(blocked.code, blocked.detail, numbers=list(blocked.players))
    for finding in blocked.proposal.broken_rules if blocked.proposal else ():
        if finding.code is FindingCode.FORBIDDEN_PAIRS:
            first, second = finding.players
            both = Text("%(first)s and %(second)s", first=first, second=second)
            detail = Text("%(players)s cannot be kept apart", players=both)
            check.block("forbidden_pair", detail, numbers=list(finding.players))
