"""`make demo`: play Harbour Open and Lantern Masters through the REST API of the service.

A third event, Evening League, is left in progress. This imports nothing of the service except the
sample files, so any program in any language can do the same.

Exit status: 0 if the results equal those of the samples, 1 if they differ or a request was
rejected, 2 without a service or a token.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from deploy.demo.client import DemoClient, DemoError
from deploy.demo.event import Event, play_event, start_league
from deploy.demo.results import Results, fetch_results, find_differences
from deploy.samples.event import SAMPLE_POOL, SAMPLES, read_event

EVENTS = ("harbour-open", "lantern-masters")
STEPS = 143  # the lines of both events, empty ones included


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line; the environment gives the defaults."""
    url = f"http://127.0.0.1:{os.environ.get('PORT') or '8000'}"
    state = Path(os.environ.get("STATE_DIR") or "var")
    parser = argparse.ArgumentParser(prog="python -m deploy.demo", description=__doc__)
    parser.add_argument("--url", default=url, help="address of the service")
    token = "file with the organiser's token; `make run` writes it on its first start"
    parser.add_argument("--token-file", type=Path, default=state / "organiser-token", help=token)
    downloads = "folder for the CSV and TRF files"
    parser.add_argument("--downloads", type=Path, default=state / "demo", help=downloads)
    return parser.parse_args(arguments)


def read_token(file: Path) -> str:
    """Return the organiser's token; raises DemoError if the file does not contain one."""
    try:
        words = file.read_text(encoding="ascii").split()
    except (OSError, UnicodeDecodeError) as error:
        hint = f"({error}); `make run` writes it on its first start"
        raise DemoError(f"no organiser's token in {file} {hint}", 2) from error
    if len(words) != 1:
        raise DemoError(f"{file} does not contain a token: one word that starts with peri_", 2)
    return words[0]


def show(line: str, share: float) -> None:
    """Print a line, and below it what share is done, as a bar, if the output is a terminal."""
    is_terminal = sys.stdout.isatty()
    print(f"\r{42 * ' '}\r" if is_terminal else "", line, "\n" if line else "", sep="", end="")
    if is_terminal and share < 1:
        print(f"[{'#' * int(32 * share):.<32}] {100 * share:3.0f} %", end="")
    sys.stdout.flush()


def summarise(event: Event, results: Results, folder: Path, seconds: float) -> Iterator[str]:
    """Save the files and yield the lines printed at the end of an event."""
    url, changes, slug = event.client.url, results.changes, event.path.rpartition("/")[2]
    replayed = sum(sample_round.replayed for sample_round in event.sample.rounds)
    rows, played = results.standings[:3], f"{replayed} games replayed"
    podium = [f"{row['rank']}. {row['player']['name']} {row['values']['PTS']}" for row in rows]
    yield f"{event.sample.name} was played in {seconds:.1f} s: {played}; {', '.join(podium)}"
    names = {number: name for name, number in event.player_ids.items()}
    order = sorted(changes, key=changes.__getitem__)
    worst, best = (f"{changes[each]:+.1f} ({names[each]})" for each in (order[0], order[-1]))
    yield f"ratings changed for {len(changes)} players, from {worst} to {best}"
    yield f"event:      {url}/e/{slug}"
    yield f"journal:    {url}/api/v1/tournaments/{slug}/journal"
    yield f"ratings:    {url}/pools/{SAMPLE_POOL}?provisional=1&inactive=1"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("standings.csv", results.csv), ("trf", results.trf)):
        file = folder / f"{slug}.{name}"
        file.write_text(text, encoding="utf-8")
        yield f"downloaded: {file}"


def play(options: argparse.Namespace) -> Iterator[str]:
    """Play all events and yield the lines printed at the end; raises DemoError."""
    summary, done = list[str](), 0
    with DemoClient(options.url, read_token(options.token_file)) as client:
        client.check()
        for name in EVENTS:
            started, event = time.monotonic(), Event(client, read_event(SAMPLES / name))
            for line in play_event(event):
                done += 1
                show(line, done / STEPS)
            results = fetch_results(event)
            if found := find_differences(event.sample, results):
                found.insert(0, f"{len(found)} differences from the samples:")
                raise DemoError("\n  ".join(found[:21]))
            summary += summarise(event, results, options.downloads, time.monotonic() - started)
        league = start_league(client, sorted(event.player_ids.values())[:12])
    yield from summary
    yield f"Evening League is in its third round: {client.url}/e/{league}"
    yield "standings, pairings, results, TRF files and ratings are those of the samples"


def main(arguments: list[str] | None = None) -> int:
    """Run the demo and return the exit status."""
    try:
        summary = "\n".join(play(parse_arguments(arguments)))
    except (DemoError, KeyboardInterrupt) as error:
        show("", 1)
        print(f"demo: {str(error) or 'interrupted'}", file=sys.stderr)
        return getattr(error, "exit_status", 130)
    show(summary, 1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
