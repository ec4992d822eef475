"""Prizes: the winners of each group, and the split of money between equal players.

The candidates of a group are the players who meet all its conditions, in the order of the
standings. Amounts are whole numbers of the smallest coin. Rules for the candidates:

- *Several groups* are awarded in the given order. The winners of an exclusive group win nothing
  in later groups. A group whose prizes are paid in addition to others is not exclusive and comes
  before them.
- *Games.* A player needs `games_from` played games, by default 1; byes and forfeits do not count.
- *Withdrawals.* A withdrawn player who was absent in the last round wins nothing, unless the group
  has `withdrawn`.
- *Ratings* are those at the start of the event. An unrated player counts as 0 and so meets a
  `rating_to`; `unrated` can exclude unrated players (`out`) or admit no others (`only`).
- *Ages* are the year in which the event starts minus the year of birth: FIDE's under 12 is `age_to`
  12, its 65+ is `age_from` 65. A player without a year of birth meets no condition on ages or on
  `birth_year_from` and `birth_year_to`.
- *Sex, federation, club, category* are compared without case and extra spaces.
- *More prizes than candidates*: the prizes of the remaining places are not given.

Rules for equal players:

- `rank`: players with equal ranks share the prizes of their places.
- `points`: players with equal points share the prizes of their places, without tie-breaks.
- `half`: half of each prize is split by `rank` and half by `points` (the Hort system); the odd coin
  of a prize is in the half that is split by rank.

Shares are equal to the coin. Each remaining coin goes to one player, by rank and then by pairing
number, so that the sum of the shares is the sum of the prizes.
"""

from tournament.standings.prizes.distribution import PrizeAward, award_prizes
from tournament.standings.prizes.groups import (
    MOST_COINS,
    MOST_GROUPS,
    MOST_PRIZES,
    NUMBER_RANGES,
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
    "NUMBER_RANGES",
    "SEXES",
    "PrizeAward",
    "PrizeGroup",
    "Split",
    "Unrated",
    "award_prizes",
    "parse_groups",
]
