"""The FIDE Dutch system, C.04.3 as in force from 2026-02-01."""

from tournament.pairing.dutch.round import pair_dutch

__all__ = ["pair_dutch"]
