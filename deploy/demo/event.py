"""The organiser's requests: create an event, enter players, pair and complete rounds."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from deploy.demo.client import CSV_TYPE, DemoClient, DemoError, Rejected
from deploy.samples.event import PLAYERS_FILE, SampleEvent, SampleRound, TrfPlayer

SEATS = ("first", "second")
PAIRING_BYE = "pairing-bye"


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoPlan:
    """The set-up of an event, as far as its TRF file does not contain it.

    With `numbers_by_lot`, the pairing numbers of the file are entered as drawn lots. With
    `tries_refusals`, the demo also sends requests that the service must reject.
    """

    slug: str
    system: str
    tiebreaks: tuple[str, ...]
    numbers_by_lot: bool = False
    tries_refusals: bool = False


HARBOUR_OPEN = DemoPlan(
    slug="harbour-open",
    system="dutch",
    tiebreaks=("PTS", "BH/C1", "BH", "SB"),
    tries_refusals=True,
)
LANTERN_MASTERS = DemoPlan(
    slug="lantern-masters",
    system="round-robin",
    tiebreaks=("PTS", "SB", "DE", "WIN"),
    numbers_by_lot=True,
)


@dataclass(slots=True)
class Event:
    """An event in the service: its slug, and the ids and tokens of its players by name."""

    client: DemoClient
    sample: SampleEvent
    plan: DemoPlan = HARBOUR_OPEN
    slug: str = ""
    player_ids: dict[str, int] = field(default_factory=dict)
    entry_ids: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        """The path of the event below the base of the API."""
        return f"/tournaments/{self.slug}"

    def player(self, name: str) -> TrfPlayer:
        """Return a player of the sample by name."""
        return next(player for player in self.sample.players if player.name == name)


def register_players(client: DemoClient) -> tuple[dict[str, int], int]:
    """Import the players' file; return the ids by name, and the number of new players."""
    text = PLAYERS_FILE.read_text(encoding="utf-8")
    lines = client.post("/players/import", text, content_type=CSV_TYPE)["lines"]
    ids = {line["name"]: line["player"] for line in lines}
    return ids, sum(line["action"] == "created" for line in lines)


def event_body(event: Event) -> dict[str, Any]:
    """Return the body that creates the event, without its slug."""
    plan = event.plan
    options = {"system_options": {"numbers": "lot"}} if plan.numbers_by_lot else {}
    choices = {"system": plan.system, "tiebreaks": list(plan.tiebreaks), **options}
    return event.sample.as_json() | choices


def create_event(event: Event) -> None:
    """Create the tournament under the first slug that is free."""
    number = 1
    while True:
        slug = f"{event.plan.slug}-{number}" if number > 1 else event.plan.slug
        response = event.client.send("POST", "/tournaments", event_body(event) | {"slug": slug})
        if not response.is_problem:
            event.slug = slug
            return
        if response.body.get("code") != "slug_taken":
            raise Rejected("POST /tournaments", response)
        number += 1


def take_step(event: Event, action: str) -> Any:
    """Change the state of the event and wait for the task that follows."""
    return event.client.post(f"{event.path}/{action}")


def enter(event: Event, name: str) -> None:
    """Enter a player and issue the personal token for reporting games."""
    player = event.player(name)
    body = {"player": event.player_ids[name], "seed_rating": player.rating}
    if event.plan.numbers_by_lot:
        body["lot"] = player.number
    entry = event.client.post(f"{event.path}/entries", body)["id"]
    event.entry_ids[name] = entry
    event.tokens[name] = event.client.post(f"{event.path}/entries/{entry}/token")["token"]


def prepare_round(event: Event, sample_round: SampleRound) -> Iterator[str]:
    """Enter late players, withdraw players and grant byes; yield a sentence for each."""
    for name, kind in sample_round.byes.items():
        path = f"{event.path}/entries/{event.entry_ids.get(name)}"
        if kind == "withdrawn" and event.client.get(path)["state"] != "withdrawn":
            event.client.post(f"{path}/withdraw")
            yield f"{name} withdraws"
        if kind == "half-bye":
            body = {
                "entry": event.entry_ids[name],
                "round": sample_round.number,
                "kind": kind,
                "reason": "requested before the round",
            }
            event.client.post(f"{event.path}/byes", body)
            yield f"{name} takes a half-point bye"
    for name in sorted(sample_round.present - event.entry_ids.keys()):
        enter(event, name)
        yield f"{name} enters late"


def pair_round(event: Event, sample_round: SampleRound) -> list[dict[str, Any]]:
    """Set the date of a round, pair it and publish it; return its games by board.

    Raises DemoError if the pairings are not those of the sample.
    """
    path = f"{event.path}/rounds/{sample_round.number}"
    date = event.sample.round_dates[sample_round.number - 1]
    event.client.call("PATCH", path, {"starts_on": date})
    event.client.post(f"{path}/pair")
    published = event.client.post(f"{path}/publish")
    boards = [row for row in published["pairings"] if row["kind"] == "game"]
    found = [(row["board"], *(row[seat]["name"] for seat in SEATS)) for row in boards]
    found_byes = [
        row["first"]["name"] for row in published["pairings"] if row["kind"] == PAIRING_BYE
    ]
    expected = [(game.board, game.first, game.second) for game in sample_round.games]
    expected_byes = [name for name, kind in sample_round.byes.items() if kind == PAIRING_BYE]
    if (published["system"], found, found_byes) != (event.plan.system, expected, expected_byes):
        raise DemoError(
            f"round {sample_round.number}: {event.plan.system} must pair {expected}, bye "
            f"{expected_byes}; {published['system']} pairs {found}, bye {found_byes}"
        )
    return boards


def complete_round(event: Event, number: int) -> None:
    """Complete a round that has all results."""
    event.client.post(f"{event.path}/rounds/{number}/complete")
