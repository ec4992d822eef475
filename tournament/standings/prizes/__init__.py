"""Prizes: who wins what in each group, and how money is split among equals.

A group takes the table's players who meet all its conditions, in the table's order. Amounts are
whole numbers of the smallest coin. The rules, for each question that an organiser is asked:

- *Several groups.* They are dealt with in the order given. Who has won in an exclusive group is
  passed over in all later ones, and the prize goes to the next; a group whose prizes add to those
  of others is not exclusive, and stands before them.
- *Who has not played.* A player needs `games_from` games over the board, 1 unless it says so:
  byes and forfeits are none. 0 admits everybody.
- *Who has withdrawn* and was away in the last round that counts wins nothing, unless the group
  says `withdrawn`.
- *Ratings* are those with which players were seeded. Who has none counts as 0, and so meets a
  `rating_to`; `unrated` can bar them (`out`) or admit nobody else (`only`).
- *Ages* are the year in which the event starts less the year of birth, whatever the day: FIDE's
  under 12 is `age_to` 12, its 65+ is `age_from` 65. A player without a year of birth meets no
  condition on ages or on `birth_year_from` and `birth_year_to`.
- *Sex, federation, club, category*: the same word, whatever its capitals and spaces.
- *More prizes than players*: those of the places that nobody takes are not given.

The rules of splitting:

- `rank`: each place gets its prize; players of equal rank share the prizes of their places.
- `points`: players of equal points share the prizes of their places, whatever the tie-breaks say.
- `half`: half of each prize goes by `rank`, half by `points` (known as the Hort system); the odd
  coin of a prize is in the half that goes by rank.

Shares are equal to the coin. Coins that cannot be shared go one each to the better ranked first,
then to the lower pairing number, so the sum paid is the sum of the prizes given.
"""

from tournament.standings.prizes.distribution import PrizeAward, award_prizes
from tournament.standings.prizes.groups import (
    MOST_COINS,
    MOST_GROUPS,
    MOST_PRIZES,
    NUMBERS,
    SEXES,
    PrizeGroup,
    Split,
    Unrated,
    parse_groups,
)

__all__ = [
    "MOST_COINS",
    "MOST_GROUPS",
    "MOST_PRIZES",
    "NUMBERS",
    "SEXES",
    "PrizeAward",
    "PrizeGroup",
    "Split",
    "Unrated",
    "award_prizes",
    "parse_groups",
]
