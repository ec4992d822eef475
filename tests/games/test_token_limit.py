"""How many tokens an account may have."""

import pytest

from games.accounts.tokens import MAX_TOKENS, issue_personal_token, issue_token
from games.http.errors import Conflict
from games.models import Player
from tests.people import Person


def test_an_account_makes_so_many_tokens_and_no_more(organiser: Person) -> None:
    for _ in range(MAX_TOKENS - 1):  # one is the person's own
        issue_token(organiser.account, ["tournament:read"])

    with pytest.raises(Conflict) as refused:
        issue_token(organiser.account, ["tournament:read"])

    assert refused.value.code == "too_many_tokens"


def test_a_player_gets_a_token_in_any_number_of_events(organiser: Person) -> None:
    player = Player.objects.create(name="Ada")

    for number in range(MAX_TOKENS + 1):
        issue_personal_token(player, f"tournament/t-{number}", by=organiser.account)

    player.refresh_from_db()
    assert player.account.auth_token_set.count() == MAX_TOKENS + 1
