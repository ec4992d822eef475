"""A whole event, from the list of players to the final standings and ratings."""

from dataclasses import dataclass
from pathlib import Path

from deploy.demo import comparison, refusals
from deploy.demo.client import DemoClient
from deploy.demo.event import (
    HARBOUR_OPEN,
    DemoPlan,
    Event,
    complete_round,
    create_event,
    enter,
    pair_round,
    prepare_round,
    register_players,
    take_step,
)
from deploy.demo.progress import ProgressBar
from deploy.demo.reports import forfeit_game, report_game
from deploy.demo.results import Results, fetch_results, save
from deploy.samples.event import SampleEvent, SampleRound

DISPUTED = (1, 3)
"""Round and board of the game whose players first contradict each other."""


@dataclass(frozen=True, slots=True)
class DemoResult:
    """The end of the demo: the service's results and their differences from the sample."""

    slug: str
    results: Results
    files: tuple[Path, ...]
    differences: tuple[str, ...]


def count_steps(sample: SampleEvent) -> int:
    """Return the number of steps: the entries, the games, the rounds, and four more."""
    games = sum(len(sample_round.games) for sample_round in sample.rounds)
    return len(sample.players) + games + len(sample.rounds) + 4


def play_event(
    client: DemoClient,
    sample: SampleEvent,
    downloads: Path,
    progress: ProgressBar,
    plan: DemoPlan = HARBOUR_OPEN,
) -> DemoResult:
    """Play the event and compare its results; raises DemoError if it cannot continue."""
    event = Event(client, sample, plan)
    event.player_ids, new = register_players(client)
    progress.step()
    progress.say(f"{len(event.player_ids)} players registered, {new} of them new")

    create_event(event)
    board = f"{sample.conditions['game']} on board {sample.conditions['board']}"
    progress.say(f"{sample.name} is created as {event.slug}: {plan.system}, {board}")
    if plan.tries_refusals:
        progress.say(refusals.unknown_tiebreak(event))
    take_step(event, "open")
    for player in sample.players:
        if player.name in sample.rounds[0].present:
            enter(event, player.name)
            progress.step()
    take_step(event, "start")
    progress.say(f"{len(event.entry_ids)} players entered, each with a token; the event starts")

    played = 0
    for sample_round in sample.rounds:
        played += play_round(event, sample_round, played, progress)

    take_step(event, "review")
    run = take_step(event, "finalise")["task"]["result"]
    progress.step()
    progress.say(f"the event is final and rated by run {run['run']} of pool {run['pool']}")
    results = fetch_results(event)
    progress.step()
    files = save(event, results, downloads)
    progress.step()
    return DemoResult(event.slug, results, files, tuple(find_differences(sample, results)))


def play_round(event: Event, sample_round: SampleRound, played: int, progress: ProgressBar) -> int:
    """Play a round and return the number of replayed games; `played` is the number before it."""
    number = sample_round.number
    late = sample_round.present - event.entry_ids.keys() if number > 1 else frozenset()
    for line in prepare_round(event, sample_round):
        progress.say(f"round {number}: {line}")
    progress.step(len(late))
    games = [row["game"] for row in pair_round(event, sample_round)]
    tries_refusals = event.plan.tries_refusals
    if tries_refusals and number == 1:
        for line in refusals.in_first_round(event, sample_round, games):
            progress.say(line)

    replayed = 0
    for game, game_id in zip(sample_round.games, games, strict=True):
        if game.record is None:
            forfeit_game(event, game_id, game)
            progress.say(f"round {number}: {game.second} forfeits to {game.first}")
        elif tries_refusals and (number, game.board) == DISPUTED:
            progress.say(refusals.contradiction(event, game_id, game))
            replayed += 1
        else:
            report_game(event, game_id, game, number=played + replayed)
            replayed += 1
        progress.step()
    complete_round(event, number)
    progress.step()
    progress.say(
        f"round {number} is complete: paired by the service as in the sample, "
        f"{replayed} games, each replayed from its record"
    )
    return replayed


def find_differences(sample: SampleEvent, results: Results) -> list[str]:
    """Return the differences between the service's results and the sample, one sentence each."""
    return [
        *comparison.in_rounds(sample, results.rounds),
        *comparison.in_standings(sample, results.standings),
        *comparison.in_trf(sample, results.trf),
        *comparison.in_csv(results.standings, results.csv),
        *comparison.in_ratings(results.rounds, results.ratings),
    ]
