"""The ids elsewhere of a player, which a form has as lines."""

from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from games.core.forms import FormState, form_body
from games.models import Player
from games.players.serializers import PlayerChangeSerializer
from tournament.players.forms import player_body, player_fields

SCHEMES = st.from_regex(r"[a-z0-9]{1,16}", fullmatch=True)
NUMBERS = st.text(
    st.characters(categories=("L", "N", "P"), exclude_characters="\n"), min_size=1, max_size=40
)


@given(ids=st.dictionaries(SCHEMES, NUMBERS, max_size=8))
def test_a_form_that_is_sent_unchanged_changes_no_id(ids: dict[str, str]) -> None:
    player = Player(name="Ada", external_ids=ids)
    fields = player_fields(PlayerChangeSerializer(), FormState(), player, action="edit")
    form = QueryDict(mutable=True)
    for field in fields:
        is_box = field.kind == "checkbox"
        form[field.name] = str(field.value).lower() if is_box else str(field.value)
    assert player_body(form_body(form, PlayerChangeSerializer()), {}) == {
        "name": "Ada", "country": None, "club": None, "birth_year": None, "sex": None,
        "seed_rating": None, "seed_games": 0, "seed_reached_2400": False, "external_ids": ids,
    }  # fmt: skip
