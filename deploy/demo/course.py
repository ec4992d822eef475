"""A whole event, from the list of players to the final standings and ratings."""

from dataclasses import dataclass
from pathlib import Path

from deploy.demo import comparison, refusals, sides
from deploy.demo.event import (
    HARBOUR_OPEN,
    Event,
    Plan,
    complete_round,
    enter,
    make_event,
    pair_round,
    prepare_round,
    register_players,
    take_step,
)
from deploy.demo.progress import Progress
from deploy.demo.rest import Service
from deploy.demo.results import Results, download, fetch_results
from deploy.samples.event import SampleEvent, SampleRound

DISPUTED = (1, 3)
"""Round and board of the game whose sides first contradict each other."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the demo ends with: what the service has, and in what that is not as it was played."""

    slug: str
    results: Results
    files: tuple[Path, ...]
    differences: tuple[str, ...]


def steps_of(sample: SampleEvent) -> int:
    """How many steps the bar has: an entry, a game, the end of a round, and four for the rest."""
    return len(sample.lines) + sum(len(one.games) + 1 for one in sample.rounds) + 4


def play(
    service: Service,
    sample: SampleEvent,
    downloads: Path,
    progress: Progress,
    plan: Plan = HARBOUR_OPEN,
) -> Outcome:
    """Play the event and compare what came of it; raises DemoError where it cannot go on."""
    event = Event(service, sample, plan)
    event.players, new = register_players(service)
    progress.step()
    progress.say(f"{len(event.players)} players registered, {new} of them new")

    make_event(event)
    board = f"{sample.conditions['game']} on board {sample.conditions['board']}"
    progress.say(f"{sample.name} is made as {event.slug}: {plan.system}, {board}")
    if plan.tries_refusals:
        progress.say(refusals.unknown_tiebreak(event))
    take_step(event, "open")
    for line in sample.lines:
        if line.name in sample.rounds[0].present:
            enter(event, line.name)
            progress.step()
    take_step(event, "start")
    progress.say(f"{len(event.entries)} players entered and hold tokens; the event has started")

    played = 0
    for this_round in sample.rounds:
        played += play_round(event, this_round, played, progress)

    take_step(event, "review")
    batch = take_step(event, "finalise")["task"]
    progress.step()
    run = batch["result"]
    progress.say(f"the event is final; run {run['run']} of pool {run['pool']} has rated it")
    results = fetch_results(event)
    progress.step()
    files = download(event, results, downloads)
    progress.step()
    return Outcome(event.slug, results, files, tuple(differences(sample, results)))


def play_round(event: Event, this_round: SampleRound, played: int, progress: Progress) -> int:
    """Play one round; how many games of it were proved. `played` is how many were before."""
    late = this_round.present - event.entries.keys() if this_round.number > 1 else frozenset()
    for line in prepare_round(event, this_round):
        progress.say(f"round {this_round.number}: {line}")
    progress.step(len(late))
    games = [line["game"] for line in pair_round(event, this_round)]
    is_tried = event.plan.tries_refusals
    if is_tried and this_round.number == 1:
        for line in refusals.in_first_round(event, this_round, games):
            progress.say(line)

    proved = 0
    for game, game_id in zip(this_round.games, games, strict=True):
        if game.record is None:
            sides.forfeit(event, game_id, game)
            progress.say(f"round {this_round.number}: {game.second} forfeits to {game.first}")
        elif is_tried and (this_round.number, game.board) == DISPUTED:
            progress.say(refusals.contradiction(event, game_id, game))
            proved += 1
        else:
            sides.report(event, game_id, game, number=played + proved)
            proved += 1
        progress.step()
    complete_round(event, this_round.number)
    progress.step()
    progress.say(
        f"round {this_round.number} is complete: paired by the engine as it was played, "
        f"{proved} games, each proved by its record"
    )
    return proved


def differences(sample: SampleEvent, results: Results) -> list[str]:
    """In what the service's results are not those of the sample, a sentence each."""
    return [
        *comparison.in_rounds(sample, results.rounds),
        *comparison.in_standings(sample, results.standings),
        *comparison.in_report(sample, results.report),
        *comparison.in_table(results.standings, results.table),
        *comparison.in_ratings(results.rounds, results.ratings),
    ]
