"""`make demo`: play Harbour Open and Lantern Masters through the REST API of the service.

A third event, Evening League, is left in progress.

Exit status: 0 if the results equal those of the samples, 1 if they differ or a request was
rejected, 2 without a service or a token.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from deploy.demo.client import BadToken, DemoClient, DemoError
from deploy.demo.event import HARBOUR_OPEN, LANTERN_MASTERS, register_players
from deploy.demo.progress import ProgressBar
from deploy.demo.running import start_running_event
from deploy.demo.scenario import DemoResult, count_steps, play_event
from deploy.samples.event import SAMPLE_POOL, SAMPLES, read_event

MAX_DIFFERENCES = 20
"""Differences that are printed."""


def parse_arguments(arguments: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line; the environment gives the defaults."""
    port = os.environ.get("PORT") or "8000"
    state = Path(os.environ.get("STATE_DIR") or "var")
    parser = argparse.ArgumentParser(prog="python -m deploy.demo", description=__doc__)
    parser.add_argument("--url", default=f"http://127.0.0.1:{port}", help="address of the service")
    parser.add_argument(
        "--token-file",
        type=Path,
        default=state / "organiser-token",
        help="file with the organiser's token; `make run` writes it on its first start",
    )
    parser.add_argument(
        "--downloads", type=Path, default=state / "demo", help="folder for the CSV and TRF files"
    )
    return parser.parse_args(arguments)


def read_token(file: Path) -> str:
    """Return the organiser's token; raises BadToken if the file does not contain one."""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise BadToken(
            f"no organiser's token in {file} ({reason}); `make run` writes it on its first start"
        ) from error
    if not token or not token.isascii() or len(token.split()) != 1:
        raise BadToken(f"{file} does not contain a token: one word that starts with peri_")
    return token


def summarise(url: str, name: str, outcome: DemoResult, seconds: float) -> list[str]:
    """Return the lines printed at the end of an event."""
    results = outcome.results
    base = f"{url}/api/v1/tournaments/{outcome.slug}"
    games = [row for pairings in results.rounds for row in pairings if row["kind"] == "game"]
    replayed = sum(game["termination"] != "forfeit" for game in games)
    changes = results.changes
    best, worst = max(changes, key=changes.__getitem__), min(changes, key=changes.__getitem__)
    podium = ", ".join(
        f"{row['rank']}. {row['player']['name']} {row['values']['PTS']}"
        for row in results.standings[:3]
    )
    return [
        f"{name} was played in {seconds:.1f} s: {replayed} games replayed; {podium}",
        f"ratings changed for {len(changes)} players, from {changes[worst]:+.1f} ({worst})"
        f" to {changes[best]:+.1f} ({best})",
        f"event:      {url}/e/{outcome.slug}",
        f"journal:    {base}/journal",
        f"ratings:    {url}/pools/{SAMPLE_POOL}?provisional=1&inactive=1",
        *(f"downloaded: {file}" for file in outcome.files),
    ]


def main(arguments: list[str] | None = None) -> int:
    """Run the demo and return the exit status."""
    options = parse_arguments(arguments)
    plans = {plan: read_event(SAMPLES / plan.slug) for plan in (HARBOUR_OPEN, LANTERN_MASTERS)}
    progress = ProgressBar(sum(count_steps(sample) for sample in plans.values()))
    summary: list[str] = []
    differences: list[str] = []
    try:
        with DemoClient(options.url, read_token(options.token_file)) as client:
            client.connect()
            for plan, sample in plans.items():
                started = time.monotonic()
                outcome = play_event(client, sample, options.downloads, progress, plan)
                differences += outcome.differences
                if not differences:
                    seconds = time.monotonic() - started
                    summary += summarise(client.url, sample.name, outcome, seconds)
            ids = register_players(client)[0]
            slug = start_running_event(client, sorted(ids.values()))
            summary.append(f"Evening League is in its third round: {client.url}/e/{slug}")
    except DemoError as error:
        progress.end()
        print(f"demo: {error}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        progress.end()
        print("demo: interrupted", file=sys.stderr)
        return 130
    progress.end()
    if differences:
        print(f"demo: {len(differences)} differences from the samples:")
        for line in differences[:MAX_DIFFERENCES]:
            print(f"  {line}")
        return 1
    print("\n".join(summary))
    print("standings, pairings, results, TRF files and ratings are those of the samples")
    return 0


if __name__ == "__main__":
    sys.exit(main())
