"""A new SECRET_KEY: what the earlier one has signed stays valid while it is a fallback."""

from typing import Any

import pytest
from allauth.account.forms import default_token_generator

from games.core.accounts.mail import links_of
from games.core.accounts.mail import token_of as mail_token
from games.core.roles.services import offer_role
from games.models import EmailLink
from tests.events import make_event
from tests.people import Person, player_of
from tournament.entries.links import create_links, find_link
from tournament.entries.links import token_of as personal_token
from tournament.models import PersonalLink

NEW_KEY = "another k3y of many different characters"


@pytest.mark.parametrize("is_fallback", [True, False])
def test_links_of_the_earlier_key(
    organiser: Person, ada: Person, settings: Any, is_fallback: bool
) -> None:
    event = make_event(organiser)
    event.enter(player_of(ada))
    create_links(event.tournament, by=organiser.account)
    printed = personal_token(PersonalLink.objects.get())
    offer_role(event.stream, "a@example.org", "scorer", name="", by=organiser.account)
    mailed = mail_token(EmailLink.objects.get())
    reset = default_token_generator.make_token(organiser.account)

    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY] if is_fallback else []
    settings.SECRET_KEY = NEW_KEY

    slug = event.tournament.slug
    assert (find_link(slug, printed) is not None) is is_fallback
    assert links_of(mailed, EmailLink.Kind.INVITATION).exists() is is_fallback
    assert default_token_generator.check_token(organiser.account, reset) is is_fallback
    # What is signed from now on does not depend on the earlier key.
    again = personal_token(PersonalLink.objects.get())
    settings.SECRET_KEY_FALLBACKS = []
    assert find_link(slug, again) is not None
