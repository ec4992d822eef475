"""`make demo`: play Harbour Open, and then Lantern Masters, through the REST API of the service.

Exit status: 0 when all came out as it was played, 1 when something differs or was refused, 2 when
there is no service to speak to, or no token to speak with.
"""

import argparse
import os
import sys
import time
from pathlib import Path

from deploy.demo.course import Outcome, play, steps_of
from deploy.demo.event import HARBOUR_OPEN, LANTERN_MASTERS
from deploy.demo.progress import Progress
from deploy.demo.rest import BadToken, DemoError, Service
from deploy.samples.event import POOL, SAMPLES, read_event

MOST_SHOWN = 20


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """What the command line says."""
    port = os.environ.get("PORT") or "8000"
    state = Path(os.environ.get("STATE_DIR") or "var")
    parser = argparse.ArgumentParser(prog="python -m deploy.demo", description=__doc__)
    parser.add_argument("--url", default=f"http://127.0.0.1:{port}", help="the service's address")
    parser.add_argument(
        "--token-file",
        type=Path,
        default=state / "organiser-token",
        help="where the organiser's token lies; `make run` writes it on its first start",
    )
    parser.add_argument(
        "--downloads", type=Path, default=state / "demo", help="where to write table and report"
    )
    return parser.parse_args(words)


def read_token(file: Path) -> str:
    """The organiser's token; raises BadToken when there is none in the file."""
    try:
        token = file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise BadToken(
            f"no organiser's token in {file} ({reason}); `make run` writes it on its first start"
        ) from error
    if not token or not token.isascii() or len(token.split()) != 1:
        raise BadToken(f"{file} holds no token: it should be one word beginning with peri_")
    return token


def summary(url: str, name: str, outcome: Outcome, seconds: float) -> list[str]:
    """What the person who started the demo may look at now."""
    results = outcome.results
    base = f"{url}/api/v1/tournaments/{outcome.slug}"
    proved = sum(line["basis"] == "proof" for r in results.rounds for line in r)
    changes = results.changes
    best, worst = max(changes, key=changes.__getitem__), min(changes, key=changes.__getitem__)
    podium = ", ".join(
        f"{row['rank']}. {row['player']['name']} {row['values']['PTS']}"
        for row in results.standings[:3]
    )
    return [
        f"{name} was played in {seconds:.1f} s: {proved} games proved; {podium}",
        f"ratings moved for {len(changes)} players, from {changes[worst]:+.1f} ({worst})"
        f" to {changes[best]:+.1f} ({best})",
        f"standings:  {base}/standings",
        f"journal:    {base}/journal",
        f"ratings:    {url}/api/v1/pools/{POOL}/ratings?provisional=1&inactive=1",
        *(f"downloaded: {file}" for file in outcome.files),
    ]


def main(words: list[str] | None = None) -> int:
    """Run the demo; the exit status."""
    wanted = arguments(words)
    plans = {plan: read_event(SAMPLES / plan.slug) for plan in (HARBOUR_OPEN, LANTERN_MASTERS)}
    progress = Progress(sum(steps_of(sample) for sample in plans.values()))
    told: list[str] = []
    differences: list[str] = []
    try:
        with Service(wanted.url, read_token(wanted.token_file)) as service:
            service.meet()
            for plan, sample in plans.items():
                begun = time.monotonic()
                outcome = play(service, sample, wanted.downloads, progress, plan)
                differences += outcome.differences
                if not differences:
                    seconds = time.monotonic() - begun
                    told += summary(service.url, sample.name, outcome, seconds)
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
        print(f"demo: {len(differences)} things are not as they were played:")
        for line in differences[:MOST_SHOWN]:
            print(f"  {line}")
        return 1
    print("\n".join(told))
    print("everything is as it was played: standings, pairings, results, report, ratings")
    return 0


if __name__ == "__main__":
    sys.exit(main())
