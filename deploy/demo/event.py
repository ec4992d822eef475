"""The organiser's side: the event is made, entered, opened, and its rounds are set and closed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from deploy.demo.rest import CSV, Refused, Service
from deploy.samples.event import PLAYERS, ReportLine, SampleEvent, SampleRound

TIEBREAKS = ["PTS", "BH/C1", "BH", "SB"]
SYSTEMS = ("dutch", "monrad")
"""Best first; the pairings are set by hand, so the system only names the event's kind."""

REASON = "as they were paired when Harbour Open was played"


@dataclass(slots=True)
class Event:
    """The event as the service knows it: its slug, its entries' ids and tokens by name."""

    service: Service
    sample: SampleEvent
    slug: str = ""
    system: str = ""
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
    """The event as it is sent, but for its slug and its system."""
    return event.sample.set_up() | {"tiebreaks": TIEBREAKS}


def make_event(event: Event) -> None:
    """Make the tournament under the first slug that is free, by the best system there is."""
    systems = list(SYSTEMS)
    number = 1
    while True:
        slug = f"harbour-open-{number}" if number > 1 else "harbour-open"
        body = set_up(event) | {"slug": slug, "system": systems[0]}
        answer = event.service.ask("POST", "/tournaments", body)
        code = answer.body.get("code") if answer.is_problem else ""
        if code == "slug_taken":
            number += 1
        elif code == "unknown_system" and len(systems) > 1:
            del systems[0]
        elif answer.is_problem:
            raise Refused("POST /tournaments", answer)
        else:
            event.slug, event.system = slug, systems[0]
            return


def take_step(event: Event, word: str) -> Any:
    """Bring the event to its next state, with what follows from it done."""
    return event.service.post(f"{event.path}/{word}").body


def enter(event: Event, name: str) -> None:
    """Enter a player and get the personal token with which that player reports games."""
    body = {"player": event.players[name], "seed_rating": event.lines[name].rating}
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


def set_pairings(event: Event, this_round: SampleRound) -> list[dict[str, Any]]:
    """Set a round's day and its recorded pairings and publish it; its boards in their order."""
    lines: list[dict[str, Any]] = [
        {"first": event.entries[game.first], "second": event.entries[game.second]}
        for game in this_round.games
    ]
    lines += [
        {"first": event.entries[name], "second": None, "bye": kind}
        for name, kind in this_round.byes.items()
        if kind == "pairing-bye"
    ]
    path = f"{event.path}/rounds/{this_round.number}"
    day = event.sample.round_dates[this_round.number - 1]
    event.service.call("PATCH", path, {"starts_on": day})
    event.service.put(f"{path}/pairings", {"reason": REASON, "pairings": lines})
    published = event.service.post(f"{path}/publish").body["pairings"]
    return [line for line in published if line["kind"] == "game"]


def complete_round(event: Event, number: int) -> None:
    """Close a round whose results are in."""
    event.service.post(f"{event.path}/rounds/{number}/complete")
