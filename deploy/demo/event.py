"""The requests of an event: those of its organiser, and those of each player with their token."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from textwrap import shorten
from typing import Any

from deploy.demo.client import DemoClient, DemoError, describe, members
from deploy.samples.event import PLAYERS_FILE, SampleEvent, SampleGame, SampleRound

DISPUTED = ("harbour-open", 1, 3)  # event, round, board: here players contradict each other


@dataclass(slots=True)
class Event:
    """An event in the service: its path, and the ids and tokens of its players by name."""

    client: DemoClient
    sample: SampleEvent
    path: str = ""
    player_ids: dict[str, int] = field(default_factory=dict)
    entry_ids: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    reported: int = 0  # games with a record

    def post(self, path: str, body: Any = None, *, by: str = "") -> Any:
        """Send a request of the organiser or a player, wait for its task, and return the body."""
        return self.client.call("POST", path, body, token=self.tokens.get(by))

    def try_to(self, request: str, code: str, path: str, body: Any = None, *, by: str = "") -> str:
        """Send what must be rejected, and return a sentence; raises DemoError if it is not."""
        response = self.client.ask("POST", path, body, token=self.tokens.get(by))
        text = shorten(describe(response), 120, placeholder=" …")
        if not text.startswith(code):
            raise DemoError(f"{request}: expected {code}, the response is {text}")
        return f"rejected as expected: {request}: {text}"


def create_tournament(client: DemoClient, body: dict[str, Any]) -> str:
    """Create a tournament under the first slug that is free, and return its path."""
    slug, number = body["slug"], 1
    while (response := client.ask("POST", "/tournaments", body | {"slug": slug})).is_error:
        if members(response).get("code") != "slug_taken":
            raise DemoError(f"POST /tournaments was rejected: {describe(response)}")
        number += 1
        slug = f"{body['slug']}-{number}"
    return f"/tournaments/{slug}"


def play_event(event: Event) -> Iterator[str]:
    """Play an event and yield a line after each step; raises DemoError if it cannot continue."""
    sample, body = event.sample, event.sample.as_json()
    lines = event.post("/players/import", PLAYERS_FILE.read_text(encoding="utf-8"))["lines"]
    event.player_ids = {line["player"]["name"]: line["player"]["id"] for line in lines}
    new = sum(line["action"] == "created" for line in lines)
    yield f"{len(lines)} players registered, {new} of them new"
    event.path = create_tournament(event.client, body)
    conditions = f"{body['system']}, {body['ruleset']} on board {body['board_size']}"
    yield f"{sample.name} is created as {event.path.rpartition('/')[2]}: {conditions}"
    if sample.slug == DISPUTED[0]:
        request, wrong = "an event with the tie-break LUCK", {"tiebreaks": ["PTS", "LUCK"]}
        yield event.try_to(request, "422 unknown_tiebreak", "/tournaments", body | wrong)
    event.post(f"{event.path}/open")
    for player in sample.players:
        if player.name in sample.rounds[0].present:
            enter(event, player.name)
            yield ""
    event.post(f"{event.path}/start")
    yield f"{len(event.entry_ids)} players entered, each with a token; the event starts"
    for sample_round in sample.rounds:
        yield from play_round(event, sample_round)
    event.post(f"{event.path}/review")
    task = event.post(f"{event.path}/finalise")["task"]
    run, pool = task["current"]["run"], task["result"]["pool"]
    yield f"the event is final and rated by run {run} of pool {pool}"


def enter(event: Event, name: str) -> None:
    """Enter a player, with their drawn number if there are lots, and issue their token."""
    player = next(player for player in event.sample.players if player.name == name)
    lot = {"lot": player.number} if "system_options" in event.sample.as_json() else {}
    body = {"player": event.player_ids[name], "seed_rating": player.rating, **lot}
    event.entry_ids[name] = event.post(f"{event.path}/entries", body)["entry"]
    event.tokens[name] = event.post(f"{event.path}/entries/{event.entry_ids[name]}/token")["token"]


def play_round(event: Event, sample_round: SampleRound) -> Iterator[str]:
    """Play a round and yield a line after each step."""
    number = sample_round.number
    for name, kind in sample_round.byes.items():
        if kind == "withdrawn" and event.tokens.pop(name, ""):
            event.post(f"{event.path}/entries/{event.entry_ids[name]}/withdraw")
            yield f"round {number}: {name} withdraws"
        if kind == "half-bye":
            bye = {"entry": event.entry_ids[name], "round": number, "kind": kind}
            event.post(f"{event.path}/byes", bye | {"reason": "requested before the round"})
            yield f"round {number}: {name} takes a half-point bye"
    for name in sorted(sample_round.present - event.entry_ids.keys()):
        enter(event, name)
        yield f"round {number}: {name} enters late"
    paths = [f"/games/{game}" for game in pair_round(event, sample_round)]
    if (event.sample.slug, number) == DISPUTED[:2]:
        yield from try_in_first_round(event, sample_round, f"{paths[0]}/reports")
    for game, path in zip(sample_round.games, paths, strict=True):
        if not game.record:
            absent = game.second if game.result == "1-0" else game.first
            ruling = {"termination": "forfeit", "reason": f"{absent} did not appear"}
            event.post(f"{path}/rule", ruling | {"result": game.result})
            yield f"round {number}: {game.second} forfeits to {game.first}"
        elif (event.sample.slug, number, game.board) == DISPUTED:
            yield contradict(event, path, game)
        else:
            report_game(event, path, game)
            yield ""
    event.post(f"{event.path}/rounds/{number}/complete")
    replayed = f"{sample_round.replayed} games, each replayed from its record"
    yield f"round {number} is complete: paired by the service as in the sample, {replayed}"


def pair_round(event: Event, sample_round: SampleRound) -> list[int]:
    """Set the date of a round, pair it and publish it; return the ids of its games by board.

    Raises DemoError if the pairings are not those of the sample.
    """
    number, system = sample_round.number, event.sample.as_json()["system"]
    path, date = f"{event.path}/rounds/{number}", event.sample.round_dates[number - 1]
    event.client.call("PATCH", path, {"starts_on": date})
    event.post(f"{path}/pair")
    published = event.post(f"{path}/publish")
    boards = [row for row in published["pairings"] if row["kind"] == "game"]
    found = [
        (row["board"], row["first"]["player"]["name"], row["second"]["player"]["name"])
        for row in boards
    ]
    expected = [(game.board, game.first, game.second) for game in sample_round.games]
    if (published["system"], found) != (system, expected):
        pairs = f"{published['system']} pairs {found}"
        raise DemoError(f"round {number}: {system} must pair {expected}; {pairs}")
    return [row["game"] for row in boards]


def report_game(event: Event, path: str, game: SampleGame) -> None:
    """Report a game from both sides; raises DemoError if it is not confirmed then.

    In every second game both players send the record, one as text and one as JSON. In the others
    one player sends it, the first and the second seat in turn, and the opponent confirms.
    """
    order = -1 if event.reported // 2 % 2 else 1
    first, second = [game.first, game.second][::order]
    body, other_body = [game.record, {"record": game.record_as_json()}][::order]
    response = event.post(f"{path}/reports", body, by=first)
    if event.reported % 2 == 0:
        event.post(f"{path}/reports", other_body, by=second)
    else:
        version = {"version": response["report"]["version"]}
        event.post(f"{path}/confirm", version, by=second)
    event.reported += 1
    state = event.client.call("GET", path)["state"]  # a record sent before has its earlier task
    if state != "confirmed":
        raise DemoError(f"{game.first} - {game.second} is {state} after both sides reported")


def contradict(event: Event, path: str, game: SampleGame) -> str:
    """Report a game with contradicting results, then with the same record from both sides."""
    event.post(f"{path}/reports", game.record, by=game.first)
    wrong = {"claim": {"result": "-".join(reversed(game.result.split("-")))}}
    state = event.post(f"{path}/reports", wrong, by=game.second)["task"]["result"]["state"]
    if state != "disputed":
        raise DemoError(f"after two contradicting reports the game is {state}, not disputed")
    report_game(event, path, game)
    return f"{game.first} - {game.second} was disputed until both sides sent the same record"


def try_in_first_round(event: Event, sample_round: SampleRound, reports: str) -> Iterator[str]:
    """Try what is not allowed while the first round's games are open; yield a sentence each."""
    game, other = sample_round.games[0], sample_round.games[1].first
    record = game.record_as_json()
    moves = list(record["moves"])
    ply = len(moves) // 2
    moves[ply] = moves[0]
    occupied = {"record": record | {"moves": moves}}
    request = f"a record whose ply {ply + 1} is on an occupied cell"
    yield event.try_to(request, "422 occupied", reports, occupied, by=game.first)
    request = f"{other} reports another player's game"
    yield event.try_to(request, "403 role_missing", reports, {"record": record}, by=other)
    number = sample_round.number + 1
    path, request = f"{event.path}/rounds/{number}/pair", f"round {number} is paired too early"
    yield event.try_to(request, "409 round_open", path)


def start_league(client: DemoClient, players: list[int]) -> str:
    """Play two rounds of Evening League and half of the third one; return its slug."""
    now = datetime.now(UTC)
    days = {"starts_on": f"{now:%F}", "ends_on": f"{now + timedelta(days=4):%F}"}
    conditions = {
        "ruleset": "star-star",
        "board_size": "6",
        "main_minutes": 45,
        "increment_seconds": 10,
    }
    plan = {"system": "dutch", "rounds": 5, "rated": False}
    names = {"slug": "evening-league", "name": "Evening League", "place": "Club room"}
    names["time_zone"] = "Europe/London"
    path = create_tournament(client, names | days | conditions | plan)
    client.call("POST", f"{path}/open")
    client.call("POST", f"{path}/entries/import", "\n".join(["player", *map(str, players), ""]))
    client.call("POST", f"{path}/start")
    for number in (1, 2, 3):
        this_round = f"{path}/rounds/{number}"
        client.call("POST", f"{this_round}/pair")
        pairings = client.call("POST", f"{this_round}/publish")["pairings"]
        if number == 3:
            client.call("PATCH", this_round, {"starts_at": f"{now:%FT%H:%MZ}"})
        boards = [row["board"] for row in pairings if row["board"]]
        played = boards[: len(boards) // 2] if number == 3 else boards
        results = [{"board": board, "result": ("1-0", "0-1")[board % 2]} for board in played]
        client.call("POST", f"{this_round}/results", {"basis": "slip", "results": results})
        if number < 3:
            client.call("POST", f"{this_round}/complete")
    return path.rpartition("/")[2]
