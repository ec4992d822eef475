"""Pre-flight: what stands in the way of pairing a round, before anybody asks for it.

Nothing is changed. What blocks is exactly what `pair` would refuse; the rest is good to know.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from games.http.errors import Conflict
from games.queries import plain
from tournament import queries
from tournament.models import Entry, Round, Tournament
from tournament.pairing.errors import NoLegalPairing, PairingRequestError
from tournament.pairing.relaxations import Proposal, Relaxation
from tournament.pairing.request import NoteCode
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.services.engine import pairing_request, told_breach, what_could_give_way


@dataclass(slots=True)
class Check:
    """What was found about a round; the items say by code what is in the way and what is known."""

    round: int
    items: list[dict[str, Any]] = field(default_factory=list)
    bye: int | None = None
    proposal: Proposal | None = None

    def add(self, code: str, detail: str, *, blocks: bool, **more: Any) -> None:
        """Note one item."""
        self.items.append({"code": code, "blocks": blocks, "detail": detail, **more})

    def as_dict(self) -> dict[str, Any]:
        """Give it as the API shows it."""
        breaches = self.proposal.breaches if self.proposal else ()
        return {
            "round": self.round,
            "ready": not any(item["blocks"] for item in self.items),
            "items": self.items,
            "bye": self.bye,
            "relax": [one.value for one in self.proposal.relaxations] if self.proposal else [],
            "relaxations": [told_breach(breach) for breach in breaches],
        }


def check_round(tournament: Tournament, this_round: Round) -> Check:
    """Look at all that pairing a round needs, as it is now."""
    check = Check(this_round.number)
    for code, detail, more in _not_its_turn(tournament, this_round):
        check.add(code, detail, blocks=True, **more)
    _look_at_entries(check, tournament)
    if not any(item["blocks"] for item in check.items):
        _try_to_pair(check, tournament)
    return check


def _not_its_turn(
    tournament: Tournament, this_round: Round
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    if tournament.state != Tournament.State.RUNNING:
        yield "wrong_state", f"{tournament.name} is {tournament.state}, not running", {}
    number = this_round.number
    if this_round.state not in (Round.State.PLANNED, Round.State.DRAFTED):
        yield "wrong_state", f"round {number} is {this_round.state}", {"round": number}
    earlier = tournament.round_set.filter(number__lt=number).exclude(state__in=queries.DONE)
    for one in earlier.order_by("number"):
        yield (
            "round_open",
            f"round {one.number} is {one.state}, not complete",
            {"round": one.number},
        )
        for board in queries.unsettled_boards(tournament, one.number):
            yield (
                "result_open",
                f"round {one.number}, board {board}: the result is open",
                {"round": one.number, "board": board},
            )


def _look_at_entries(check: Check, tournament: Tournament) -> None:
    waiting = tournament.entries.filter(state=Entry.State.ACCEPTED, pairing_number__isnull=True)
    unnumbered = [row["pk"] for row in plain(waiting.order_by("pk"), "pk")]
    if unnumbered:
        detail = f"{len(unnumbered)} accepted entries have no pairing number and are not paired"
        check.add("unnumbered", detail, blocks=False, entries=unnumbered)
    away = queries.absent_numbers(tournament, check.round)
    if away:
        counts = Counter(kind or "not-playing" for kind in away.values())
        detail = f"{len(away)} do not play in round {check.round}"
        check.add(
            "absent",
            detail,
            blocks=False,
            players=sorted(away),
            counts=dict(sorted(counts.items())),
        )


def _try_to_pair(check: Check, tournament: Tournament) -> None:
    try:
        request = pairing_request(tournament, check.round)
        pairings = PAIRING_SYSTEMS[tournament.system].pair(request)
    except Conflict as refusal:
        check.add(refusal.code, refusal.detail, blocks=True)
    except PairingRequestError as error:
        check.add("cannot_pair", str(error), blocks=True)
    except NoLegalPairing as blocked:
        check.add("no_legal_pairing", str(blocked), blocks=True, players=list(blocked.players))
        check.proposal = what_could_give_way(tournament.system, request)
        for breach in check.proposal.breaches if check.proposal else ():
            if breach.relaxation is Relaxation.FORBIDDEN_PAIRS:
                one, other = breach.players
                detail = f"{one} and {other} cannot be kept apart"
                check.add("forbidden_pair", detail, blocks=True, players=[one, other])
    else:
        if len(request.present) % 2:
            check.bye = pairings.bye
            free = f"; {pairings.bye} would have the bye" if pairings.bye else ""
            detail = f"{len(request.present)} players are an odd number{free}"
            check.add("odd_number", detail, blocks=False)
        for note in pairings.notes:
            if note.code is NoteCode.PREFERENCE_GIVEN_UP:
                players = list(note.players)
                check.add("wish_given_up", note.sentence, blocks=False, players=players)
