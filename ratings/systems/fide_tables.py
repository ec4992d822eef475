"""The two printed tables of FIDE's Rating Regulations (B.02, effective 1 March 2024, article 8.1).

Table 8.1.1 converts a score into a rating difference, table 8.1.2 a rating difference into an
expected score. Both are in whole per cent and whole points, and symmetrical about 50 per cent.
"""

from bisect import bisect_left

# fmt: off
# The largest difference with an expected score of 50, 51, ... 99 per cent for the stronger player.
LARGEST_DIFFERENCES = (
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162,
    170, 179, 188, 197, 206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374,
    391, 411, 432, 456, 484, 517, 559, 619, 735,
)
# The difference that corresponds to a score of 50, 51, ... 100 per cent.
DIFFERENCE_OF_SCORE = (
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
)
# fmt: on
CERTAIN_DIFFERENCE = LARGEST_DIFFERENCES[-1] + 1
FULL_SCORE_DIFFERENCE = DIFFERENCE_OF_SCORE[-1]


def expected_percent(difference: int) -> int:
    """Return the expected score in per cent of a player rated `difference` above the opponent."""
    stronger = 50 + bisect_left(LARGEST_DIFFERENCES, abs(difference))
    return stronger if difference >= 0 else 100 - stronger


def difference_of(percent: int) -> int:
    """Return the rating difference that corresponds to a score in per cent."""
    if percent >= 50:
        return DIFFERENCE_OF_SCORE[percent - 50]
    return -DIFFERENCE_OF_SCORE[50 - percent]
