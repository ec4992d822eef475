"""Programs of Python as subprocesses."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def run_forked(
    *arguments: str, environment: Mapping[str, str], seconds: float = 300
) -> subprocess.CompletedProcess[str]:
    """Run what Python runs with these arguments until its end; its status and what it prints."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
