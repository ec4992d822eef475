"""How often the processes of the service look for garbage: seldom, as most of it is young.

The rows of a large table, or of an import, live until the answer or the tables are written. A
collector that walks through them again and again on the way takes a third of the time.
"""

import gc

THRESHOLDS = 50_000, 20, 50
"""Objects made before the youngest are looked through, and how often the elder ones are."""


def collect_seldom() -> None:
    """Leave alone what is there by now, and look through the rest less often than Python does."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
