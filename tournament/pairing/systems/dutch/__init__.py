"""The FIDE Dutch system: C.04.3 as in force from 2026-02-01, with C.04.1 and C.04.2.

How a round is paired:

* `field` orders the players and reads their `seat_preferences`, floats and allowed opponents
  (C1 to C3), as sets of bits;
* `bye` chooses the score group of the bye (C5);
* `round` pairs bracket by bracket; the pairing of a bracket counts only if the players below can
  be paired (`completion`: C4, and C8 where it is certain);
* `first_candidate` finds the first candidate that the `balance` of seat preferences proves to be
  the best, which settles most brackets;
* `bracket` optimises the others: the `criteria` C6 to C21 are the weights of a `graph`, of which
  `lexicographic_matching` finds the best matching and `order` the first among equals;
* `seats` decides seats (article 5) and orders the boards;
* `explanation` says why, from `alternatives`, their `assessment` and their `losses`.

Programs read the rules differently for two topscorers with the same absolute preference. Here, the
wider colour difference is the larger one without its sign (5.2.2), and C10 counts if both
differences are two or more, equal or not. gacrux uses the sign and counts equal differences only.
It also orders the boards of unequal players by the smaller of the two numbers; C.04.2 uses the
number of the higher player.
"""

from tournament.pairing.systems.dutch.round import pair_dutch

__all__ = ["pair_dutch"]
