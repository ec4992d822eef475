"""The words that end a record, its result token, and whether they are true.

- `resign`: the side to move resigns. `time`: the side to move has lost on time. A token after
  either may only repeat who won.
- `agreed` needs a token: in the scoring games a score with the board's total that lies within the
  bounds, in the others `1-0` or `0-1`, and `1/2` where the game can be drawn. In *Star it may be
  the alternative score, the lead of the first seat: `+1`.
- A bare token must agree with what the moves prove; `1-0` and `0-1` are true of a won score. If
  the moves prove nothing it is a claim, and `*` claims nothing. A solitaire has no claims.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from games.rules.conditions import Conditions
from games.rules.errors import Code, FalseClaim, IllegalMove
from games.rules.game import GameRules
from games.rules.outcome import Outcome, Score, Termination
from games.rules.position import Position
from games.rules.scoring.sums import AlternativeScore, alternative_of
from games.rules.seat import Seat
from games.rules.text import Text, either

STATED_ENDINGS = ("resign", "time", "agreed")

STATED_RESULT = re.compile(r"(-?[0-9]{1,6})-(-?[0-9]{1,6})|1/2|\*")
STATED_SCORE = re.compile(r"(-?[0-9]+)-(-?[0-9]+)")
STATED_LEAD = re.compile(r"[+-][0-9]+")

DASHES = str.maketrans("−–", "--")
"""The typographic minus and dash, which word processors write, are read as `-`."""

OPEN_TOKEN = "*"
DRAW_TOKEN = "1/2"
BOTH_LOSE_TOKEN = "0-0"
WIN_TOKENS = {"1-0": Seat.FIRST, "0-1": Seat.SECOND}


def parse_result(word: str, earlier: Sequence[str]) -> str | None:
    """Return a result token in canonical spelling; None for any other word.

    Any score is a token after `agreed`, and any lead. The numbers lose leading zeros and a minus
    before zero.
    """
    word = word.translate(DASHES)
    score = STATED_SCORE.fullmatch(word)
    is_agreed = bool(earlier) and earlier[-1].lower() == "agreed"
    if is_agreed and STATED_LEAD.fullmatch(word):
        return f"{int(word):+}"
    if not STATED_RESULT.fullmatch(word) and not (score and is_agreed):
        return None
    return f"{int(score[1])}-{int(score[2])}" if score else word


def score_of_lead(rules: GameRules, conditions: Conditions, token: str | None) -> str | None:
    """Return the score of a lead, `26-25` for `+1`.

    Other tokens, and a lead that the game cannot have, are returned as they are.
    """
    if token is None or not STATED_LEAD.fullmatch(token):
        return token
    outcome = rules.start(conditions).outcome()
    total, lead = _total(outcome), int(token)
    alternative = alternative_of(outcome)
    if alternative is None or (total + lead) % 2:
        return token
    least, most = alternative.bounds
    if not least <= lead <= most:
        return token
    return f"{(total + lead) // 2}-{(total - lead) // 2}"


def _total(outcome: Outcome) -> int:
    """Return what both scores of a board add up to, 0 in games without scores."""
    if outcome.bounds is None:
        return 0
    (least, _), (_, second_most) = outcome.bounds
    return least + second_most


def without_ending(moves: Sequence[str]) -> Sequence[str]:
    """Return the turns: the moves without `resign`, `time` or `agreed` at their end."""
    return moves[:-1] if moves and moves[-1] in STATED_ENDINGS else moves


def find_claim(outcome: Outcome, token: str | None) -> str | None:
    """Return the claim that a bare token makes, None if it makes none.

    Raise `claim_contradicts` if the token differs from what is proved.
    """
    if outcome.termination is None:
        return None if token == OPEN_TOKEN else token
    tokens = _true_tokens(outcome)
    if token is not None and token not in tokens:
        if not tokens:
            detail = Text(
                "the record says %(token)s, but its moves end the game; leave the result out",
                token=token,
            )
            raise FalseClaim(detail, Code.CLAIM_CONTRADICTS)
        raise FalseClaim(
            Text(
                "the record says %(token)s, its moves prove %(detail)s",
                token=token,
                detail=either(sorted(tokens, reverse=True)),
            ),
            Code.CLAIM_CONTRADICTS,
        )
    return None


def possible_results(rules: GameRules, conditions: Conditions) -> list[str]:
    """Return the results that the players of a game can agree on, the first seat's best first."""
    outcome = rules.start(conditions).outcome()
    if outcome.bounds is None:
        return ["1-0", DRAW_TOKEN, "0-1"] if rules.draws else list(WIN_TOKENS)
    least, most = outcome.bounds[0]
    total, scores = _total(outcome), range(most, least - 1, -1)
    return [f"{score}-{total - score}" for score in scores]


def example_results(rules: GameRules, conditions: Conditions) -> tuple[str, bool]:
    """Return a score that the first seat can win with, "" without scores, and if draws exist."""
    results = possible_results(rules, conditions)
    score = "" if WIN_TOKENS.keys() & results else results[len(results) // 3]
    ties = (result for result in results if len(set(result.split("-"))) == 1)
    return score, rules.draws or any(ties)


def end_game(rules: GameRules, position: Position, ending: str, token: str | None) -> Outcome:
    """Return the outcome if a record ends with one of the words that are not turns.

    Raise IllegalMove if the game is already over, or FalseClaim.
    """
    check_ending(rules, position, ending)
    if ending == "agreed":
        return _agree(rules, position, token)
    termination = Termination.RESIGNED if ending == "resign" else Termination.TIME
    return _lose(position, termination, token)


def check_ending(rules: GameRules, position: Position, ending: str) -> None:
    """Raise the error of a word that cannot end this game, whatever follows the word.

    Raise IllegalMove if the game is already over, or FalseClaim in a solitaire, which is not lost.
    """
    if ending != "agreed" or rules.players > 1:
        try:
            position.check_not_over()
        except IllegalMove as error:
            raise error.locate(ply=position.plies + 1, move=ending) from None
    if rules.players == 1:
        raise only_moves_end()


def only_moves_end() -> FalseClaim:
    """Return the error of a word or a result that would end a solitaire."""
    return _contradiction(Text("only its moves can end a solitaire"))


def _lose(position: Position, termination: Termination, token: str | None) -> Outcome:
    """Return the outcome if the side to move loses."""
    outcome = replace(
        position.outcome(),
        termination=termination,
        winner=position.to_move.other,
        draw=False,
        score=None,
        winner_decided=None,
    )
    find_claim(outcome, token)
    return outcome


def _agree(rules: GameRules, position: Position, token: str | None) -> Outcome:
    """Return the outcome if the players agree on the result that the token states.

    Raise `claim_contradicts` for a result that the game cannot have, `claim_out_of_bounds` for a
    score that no ending of this position has.
    """
    outcome = position.outcome()
    if outcome.bounds is not None:
        return _agree_on_score(outcome, token)
    winner = WIN_TOKENS.get(token or "")
    drawn = token == DRAW_TOKEN and rules.draws
    if winner is None and not drawn:
        raise _contradiction(
            Text(
                "a result of %(game)s is %(valid)s, not %(result)s",
                game=rules.name,
                valid=Text("1-0, 0-1 or 1/2") if rules.draws else Text("1-0 or 0-1"),
                result=token or Text("nothing"),
            )
        )
    return replace(
        outcome, termination=Termination.AGREED, winner=winner, draw=drawn, winner_decided=None
    )


def _agree_on_score(outcome: Outcome, token: str | None) -> Outcome:
    """Return the outcome for an agreed score."""
    score, total = _parse_score(token), _total(outcome)
    alternative = alternative_of(outcome)
    assert outcome.bounds is not None
    least, most = outcome.bounds[0]
    if score is None and token and STATED_LEAD.fullmatch(token):
        if alternative:
            raise _impossible_lead(alternative, total, token)
        narrow = min(max(total // 2 + 1, least), most)
        raise _contradiction(
            Text(
                "only the games of *Star have a lead such as %(lead)s; state both scores, which"
                " add up to %(total)s here, as in agreed %(score)s",
                lead=token,
                total=total,
                score=f"{narrow}-{total - narrow}",
            )
        )
    if score is None:
        raise _contradiction(Text("agreed needs a score"))
    if sum(score) != total:
        raise _contradiction(
            Text(
                "the scores of this board add up to %(total)s, not %(sum)s",
                total=total,
                sum=sum(score),
            )
        )
    if not least <= score[0] <= most:
        raise FalseClaim(
            Text(
                "the first seat scores from %(least)s to %(most)s of %(total)s here, "
                "the second from %(low)s to %(high)s; not %(first)s and %(second)s",
                least=least,
                most=most,
                total=total,
                low=total - most,
                high=total - least,
                first=score[0],
                second=score[1],
            ),
            Code.CLAIM_OUT_OF_BOUNDS,
        )
    return Outcome.from_score(Termination.AGREED, score, outcome.bounds, outcome.detail)


def _impossible_lead(alternative: AlternativeScore, total: int, token: str) -> FalseClaim:
    """Return the error of a lead that no score of the board has."""
    if (total + int(token)) % 2:
        return _contradiction(
            Text(
                "the scores of this board add up to %(total)s, an odd number, "
                "so no lead is %(lead)s",
                total=total,
                lead=token,
            )
        )
    least, most = alternative.bounds
    return FalseClaim(
        Text(
            "the first seat's lead is from %(least)s to %(most)s here, not %(lead)s",
            least=f"{least:+}",
            most=f"{most:+}",
            lead=token,
        ),
        Code.CLAIM_OUT_OF_BOUNDS,
    )


def _parse_score(token: str | None) -> Score | None:
    numbers = STATED_SCORE.fullmatch(token or "")
    return (int(numbers[1]), int(numbers[2])) if numbers else None


def proved_token(outcome: Outcome) -> str | None:
    """Return the token of a finished game, its score if it has one; None if there is no token."""
    if outcome.score is not None:
        return f"{outcome.score[0]}-{outcome.score[1]}"
    return next(iter(_true_tokens(outcome)), None)


def _true_tokens(outcome: Outcome) -> set[str]:
    """Return the tokens that are true of a finished game."""
    tokens = {token for token, seat in WIN_TOKENS.items() if seat is outcome.winner}
    if outcome.draw:
        tokens.add(DRAW_TOKEN)
    if outcome.score is not None:
        tokens.add(f"{outcome.score[0]}-{outcome.score[1]}")
    return tokens


def _contradiction(detail: str) -> FalseClaim:
    return FalseClaim(detail, Code.CLAIM_CONTRADICTS)
