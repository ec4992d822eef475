"""Where a command writes a report, and in which format."""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, OutputWrapper

from ratings.analyses.tables import FORMATS, ReportOutput


def add_output_arguments(parser: ArgumentParser) -> None:
    """Add the options `--format` and `--output`."""
    parser.add_argument(
        "--format", choices=FORMATS, default="json", help="svg: only the reliability plot"
    )
    parser.add_argument("--output", type=Path, help="default: the standard output")


def write_report(report: ReportOutput, options: Mapping[str, Any], stdout: OutputWrapper) -> None:
    """Write a report as the options say; raises CommandError if the file cannot be written."""
    content = report.render(options["format"])
    if options["output"] is None:
        stdout.write(content, ending="")
        return
    try:
        options["output"].write_text(content, encoding="utf-8", newline="")
    except OSError as error:
        raise CommandError(f"{options['output']}: {error.strerror}", returncode=2) from None
