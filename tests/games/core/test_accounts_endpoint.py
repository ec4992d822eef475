"""The name of an account, and the links that are sent by email."""

from datetime import timedelta

from django.utils import timezone

from games import tasks
from games.models import EmailLink
from tests.people import Person


def test_old_links_are_deleted_with_their_addresses(db: None) -> None:
    for days in (29, 31):
        expires_at = timezone.now() - timedelta(days=days)
        EmailLink.objects.create(kind="invitation", email=f"{days}@x.org", expires_at=expires_at)

    tasks.send_due_links.run()

    assert EmailLink.objects.get().email == "29@x.org"


def test_an_account_is_renamed_but_not_its_player(ada: Person) -> None:
    assert ada.patch("me", {"name": "Countess"}).status_code == 200
    me = ada.get("me").json()
    assert (me["name"], me["player"]["name"]) == ("Countess", "Ada")
