"""The organiser's side: the event is made, entered, opened, its rounds are paired and closed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from deploy.demo.rest import CSV, DemoError, Refused, Service
from deploy.samples.event import PLAYERS, ReportLine, SampleEvent, SampleRound

SEATS = ("first", "second")
FREE = "pairing-bye"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How an event is set up: what its report does not say.

    With `by_lot` the numbers of the report are noted as the lots that were drawn. In an event
    that `tries_refusals` the demo also does what the service must refuse.
    """

    slug: str
    system: str
    tiebreaks: tuple[str, ...]
    by_lot: bool = False
    tries_refusals: bool = False


HARBOUR_OPEN = Plan(
    slug="harbour-open",
    system="dutch",
    tiebreaks=("PTS", "BH/C1", "BH", "SB"),
    tries_refusals=True,
)
LANTERN_MASTERS = Plan(
    slug="lantern-masters",
    system="round-robin",
    tiebreaks=("PTS", "SB", "DE", "WIN"),
    by_lot=True,
)


@dataclass(slots=True)
class Event:
    """The event as the service knows it: its slug, its entries' ids and tokens by name."""

    service: Service
    sample: SampleEvent
    plan: Plan = HARBOUR_OPEN
    slug: str = ""
    players: dict[str, int] = field(default_factory=dict)
    entries: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """Its address below the base of the API."""
        return f"/tournaments/{self.slug}"

    @property
    def lines(self) -> Mapping[str, ReportLine]:
        """Everybody's line of the sample's report by name."""
        return {line.name: line for line in self.sample.lines}


def register_players(service: Service) -> tuple[dict[str, int], int]:
    """Import the file of players; their ids by name, and how many were new."""
    text = PLAYERS.read_text(encoding="utf-8")
    lines = service.post("/players/import", text, form=CSV).body["lines"]
    ids = {line["name"]: line["player"] for line in lines}
    return ids, sum(line["action"] == "created" for line in lines)


def set_up(event: Event) -> dict[str, Any]:
    """The event as it is sent, but for its slug."""
    plan = event.plan
    options = {"system_options": {"numbers": "lot"}} if plan.by_lot else {}
    chosen = {"system": plan.system, "tiebreaks": list(plan.tiebreaks), **options}
    return event.sample.set_up() | chosen


def make_event(event: Event) -> None:
    """Make the tournament under the first slug that is free."""
    number = 1
    while True:
        slug = f"{event.plan.slug}-{number}" if number > 1 else event.plan.slug
        answer = event.service.ask("POST", "/tournaments", set_up(event) | {"slug": slug})
        if not answer.is_problem:
            event.slug = slug
            return
        if answer.body.get("code") != "slug_taken":
            raise Refused("POST /tournaments", answer)
        number += 1


def take_step(event: Event, word: str) -> Any:
    """Bring the event to its next state, with what follows from it done."""
    return event.service.post(f"{event.path}/{word}").body


def enter(event: Event, name: str) -> None:
    """Enter a player and get the personal token with which that player reports games."""
    line = event.lines[name]
    body = {"player": event.players[name], "seed_rating": line.rating}
    if event.plan.by_lot:
        body["lot"] = line.number
    entry = event.service.post(f"{event.path}/entries", body).body["id"]
    event.entries[name] = entry
    event.tokens[name] = event.service.post(f"{event.path}/entries/{entry}/token").body["token"]


def prepare_round(event: Event, this_round: SampleRound) -> Iterator[str]:
    """What happened before a round: entries, withdrawals, byes asked for; a sentence each."""
    for name, kind in this_round.byes.items():
        path = f"{event.path}/entries/{event.entries.get(name)}"
        if kind == "withdrawn" and event.service.get(path)["state"] != "withdrawn":
            event.service.post(f"{path}/withdraw")
            yield f"{name} has withdrawn"
        if kind == "half-bye":
            body = {
                "entry": event.entries[name],
                "round": this_round.number,
                "kind": kind,
                "reason": "asked for before the round",
            }
            event.service.post(f"{event.path}/byes", body)
            yield f"{name} takes a half-point bye"
    for name in sorted(this_round.present - event.entries.keys()):
        enter(event, name)
        yield f"{name} enters late"


def pair_round(event: Event, this_round: SampleRound) -> list[dict[str, Any]]:
    """Set a round's day, let the service pair it, publish it; its boards in their order.

    Raises DemoError when the round is not paired as it was played.
    """
    path = f"{event.path}/rounds/{this_round.number}"
    day = event.sample.round_dates[this_round.number - 1]
    event.service.call("PATCH", path, {"starts_on": day})
    event.service.post(f"{path}/pair")
    published = event.service.post(f"{path}/publish").body
    boards = [line for line in published["pairings"] if line["kind"] == "game"]
    found = [(line["board"], *(line[seat]["name"] for seat in SEATS)) for line in boards]
    free = [line["first"]["name"] for line in published["pairings"] if line["kind"] == FREE]
    due = [(game.board, game.first, game.second) for game in this_round.games]
    due_free = [name for name, kind in this_round.byes.items() if kind == FREE]
    if (published["system"], found, free) != (event.plan.system, due, due_free):
        raise DemoError(
            f"round {this_round.number} was paired {due} and free {due_free}; "
            f"{published['system']} pairs {found} and free {free}"
        )
    return boards


def complete_round(event: Event, number: int) -> None:
    """Close a round whose results are in."""
    event.service.post(f"{event.path}/rounds/{number}/complete")
