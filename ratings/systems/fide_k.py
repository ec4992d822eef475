"""FIDE's K: which rule applies to a player in a period (Rating Regulations 2024, B.02, 8.3.3)."""

from enum import StrEnum

from ratings.systems.elo import MILLI

NEW_PLAYER_GAMES = 30
JUNIOR_AGE, JUNIOR_BELOW = 18, 2300 * MILLI
TOP_LEVEL = 2400 * MILLI


class KRule(StrEnum):
    """Why a player has their K in a period, in words."""

    UNRATED = "unrated before the period"
    TOP = "the rating has reached 2400"
    NEW = "fewer than 30 games before the period"
    JUNIOR = "under 18 and below 2300"
    STANDARD = "30 games or more, never 2400"


K_OF_RULE = {KRule.UNRATED: 0, KRule.TOP: 10, KRule.NEW: 40, KRule.JUNIOR: 40, KRule.STANDARD: 20}


def is_junior(birth_year: int, year: int) -> bool:
    """Return True until the end of the year of the 18th birthday (8.3.3)."""
    return year - birth_year <= JUNIOR_AGE


def find_k_rule(rating: int, games: int, *, has_reached_2400: bool, is_junior: bool) -> KRule:
    """Return the rule for a player with this rating and these games before a period."""
    if not rating:
        return KRule.UNRATED
    if has_reached_2400:
        return KRule.TOP
    if games < NEW_PLAYER_GAMES:
        return KRule.NEW
    return KRule.JUNIOR if is_junior and rating < JUNIOR_BELOW else KRule.STANDARD
