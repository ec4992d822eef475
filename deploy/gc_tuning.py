"""Garbage collection for the programs that load Django.

What they load lives until their end. The rows of a large table or of an import live until the
response or the tables are written. With Python's default thresholds the collector scans them again
and again, which takes a tenth of the time of a start, and a third of that of a large table.
"""

import gc

THRESHOLDS = 50_000, 20, 50
"""Allocations before the youngest generation is scanned, and how often the older ones are."""


def pause_collection() -> None:
    """Collect nothing until Django is loaded: then its app `deploy` calls `collect_less_often`."""
    gc.disable()


def collect_less_often() -> None:
    """Exempt all present objects from collection, and collect others with raised thresholds.

    Hardly any present object is garbage after a start, and finding it would take a tenth of that.
    """
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    gc.enable()
