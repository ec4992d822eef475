"""Garbage collection for the web and worker processes.

The rows of a large table or of an import live until the response or the tables are written. With
Python's default thresholds the collector scans them again and again, which takes a third of the
time.
"""

import gc

THRESHOLDS = 50_000, 20, 50
"""Allocations before the youngest generation is scanned, and how often the older ones are."""


def collect_less_often() -> None:
    """Exempt all present objects from collection and raise the thresholds."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
