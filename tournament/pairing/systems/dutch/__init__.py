"""The FIDE Dutch system: C.04.3 as in force from 2026-02-01, with C.04.1 and C.04.2.

How a round is paired, and where:

* `field`: everybody in order, with preferences, floats, who may meet whom (C1 to C3) as bit sets;
* `round`: the bye's score (C5), then bracket by bracket; a bracket's pairing counts only when
  those below can be completed (`completion`: C4, and C8 where it is certain);
* `fold`: the first candidate that nothing can surpass by the `balance` of seat preferences, which
  settles most brackets;
* `bracket`: all the others, optimised over a `graph` with the `criteria` C6 to C21 as weights of
  a `staged` matching, and put in `order`;
* `seats`: who sits first (article 5), and the boards;
* `assessment`, `alternatives`, `explanation` (of `reasons`): why, out of the same totals.

Where programs read the rules differently, between two topscorers with the same absolute
preference: the wider colour difference is the larger without its sign (5.2.2), and C10 counts
whenever both differences are two or more, equal or not. gacrux looks at the sign and at equal
differences alone. It also orders the boards of unequal players by the smaller number of the two,
where C.04.2 says that of the higher player.
"""

from tournament.pairing.systems.dutch.round import pair_dutch

EDITION = "2026-02-01"

__all__ = ["EDITION", "pair_dutch"]
