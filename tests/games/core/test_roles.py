"""Roles that are offered, accepted, declined and removed, with their lines in the journal."""

from datetime import datetime
from typing import Any

import pytest
from django.utils import timezone

from games.core.accounts.mail import INVITATION_LIFETIME, MOST_SENDS
from games.core.errors import Conflict
from games.core.permissions import SecondFactorNeeded
from games.core.roles.queries import find_invitation, invitations_of, invitations_to
from games.core.roles.services import (
    accept_invitation,
    decline_invitation,
    offer_role,
    remove_role,
    require_second_factor,
    resend_invitation,
    revoke_invitation,
)
from games.models import Account, EmailLink, JournalLine, Role
from tests.people import Person, add_second_factor, make_person

pytestmark = pytest.mark.django_db
STREAM = "tournament/spring"


def account_of(name: str) -> Account:
    account = make_person(name).account
    assert account is not None
    return account


@pytest.fixture
def owner(db: None) -> Account:
    account = account_of("Olga")
    Role.objects.create(stream=STREAM, account=account, role="owner")
    return account


def offer(by: Account, email: str = "stig@example.org", role: str = "director") -> EmailLink:
    return offer_role(STREAM, email, role, name="Spring Open", by=by)


def kinds(stream: str = STREAM) -> list[str]:
    lines = JournalLine.objects.filter(stream=stream).order_by("sequence")
    return [line.kind for line in lines]


def roles(stream: str = STREAM) -> set[tuple[str, str]]:
    return set(Role.objects.filter(stream=stream).values_list("account__name", "role"))


def test_a_role_is_offered_and_accepted_once(owner: Account) -> None:
    stig = account_of("Stig")
    link = offer(owner)
    assert roles() == {("Olga", "owner")}
    assert [list(found) for found in (invitations_to(stig), invitations_to(owner))] == [[link], []]
    accept_invitation(link, by=stig)
    assert roles() == {("Olga", "owner"), ("Stig", "director")}
    for answer in (accept_invitation, decline_invitation, resend_invitation, revoke_invitation):
        with pytest.raises(Conflict):
            answer(link, by=stig)
    accept_invitation(offer(owner), by=stig)  # who has the role already keeps it
    assert kinds() == ["role.invited", "role.granted", "role.invited"]


def test_another_role_replaces_the_one_that_is_offered(owner: Account) -> None:
    link = offer(owner)
    with pytest.raises(Conflict, match="invited to be"):
        offer(owner, "STIG@example.org")
    other = offer(owner, role="scorer")
    assert (other.pk, other.role, other.sends) == (link.pk, "scorer", 2)
    assert list(invitations_of(STREAM)) == [link]


@pytest.mark.parametrize(
    ("end", "kind"),
    [(decline_invitation, "invitation.declined"), (revoke_invitation, "invitation.revoked")],
)
def test_an_invitation_ends(owner: Account, end: Any, kind: str) -> None:
    link = offer(owner)
    end(link, by=owner)
    assert not invitations_of(STREAM).exists()
    assert kinds() == ["role.invited", kind]


def test_a_message_is_sent_a_limited_number_of_times(owner: Account) -> None:
    link = offer(owner)
    for sends in range(2, MOST_SENDS + 1):
        assert resend_invitation(link, by=owner).sends == sends
    with pytest.raises(Conflict) as caught:
        resend_invitation(link, by=owner)
    assert (caught.value.code, EmailLink.objects.get().sends) == ("resend_limit", MOST_SENDS)


def test_an_invitation_ends_with_its_time(owner: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    link = offer(owner)

    def at(moment: datetime) -> bool:
        monkeypatch.setattr(timezone, "now", lambda: moment)
        return invitations_of(STREAM).exists()

    assert at(link.expires_at - timezone.timedelta(microseconds=1))
    assert not at(link.expires_at)
    assert INVITATION_LIFETIME.days == 14
    assert find_invitation("wrong") is None


def test_open_invitations_have_a_quota(owner: Account, settings: Any) -> None:
    settings.QUOTAS = settings.QUOTAS | {"invitations": 2}
    first = offer(owner)
    offer(owner, "two@example.org")
    with pytest.raises(Conflict):
        offer(owner, "three@example.org")
    revoke_invitation(first, by=owner)
    offer(owner, "three@example.org")


def test_a_removed_owner_does_not_return_by_their_own_invitation(owner: Account) -> None:
    stig = account_of("Stig")
    role = Role.objects.create(stream=STREAM, account=stig, role="owner")
    offer(stig, "accomplice@example.org", "owner")
    kept = offer(owner, "ava@example.org")
    remove_role(role, by=owner)
    assert list(invitations_of(STREAM)) == [kept]
    assert kinds()[-2:] == ["role.removed", "invitation.revoked"]
    with pytest.raises(Conflict, match="removed already"):
        remove_role(role, by=owner)


@pytest.mark.parametrize(("role", "by"), [("owner", "Stig"), ("director", "Olga")])
def test_who_leaves_and_who_is_no_owner_leaves_their_invitations(
    owner: Account, role: str, by: str
) -> None:
    stig = account_of("Stig")
    own = Role.objects.create(stream=STREAM, account=stig, role=role)
    link = offer(stig, "ava@example.org")
    remove_role(own, by=stig if by == "Stig" else owner)
    assert list(invitations_of(STREAM)) == [link]


@pytest.mark.parametrize(
    ("stream", "role", "code", "kind"),
    [
        (STREAM, "owner", "last_owner", "role.removed"),
        ("pool/star", "rating_officer", "last_officer", "officer.removed"),
    ],
)
def test_one_owner_and_one_officer_are_left(stream: str, role: str, code: str, kind: str) -> None:
    ada, ben = account_of("Ada"), account_of("Ben")
    last = Role.objects.create(stream=stream, account=ada, role=role)
    Role.objects.create(stream="tournament/autumn", account=ben, role=role)
    with pytest.raises(Conflict) as caught:
        remove_role(last, by=ada)
    assert caught.value.code == code
    Role.objects.create(stream=stream, account=ben, role=role)
    remove_role(last, by=ada)
    assert (roles(stream), kinds(stream)) == ({("Ben", role)}, [kind])


def test_a_second_factor_is_required_of_those_who_come_later_too(owner: Account) -> None:
    with pytest.raises(SecondFactorNeeded):
        require_second_factor(STREAM, is_required=True, by=owner)
    add_second_factor(owner)
    require_second_factor(STREAM, is_required=True, by=owner)
    with pytest.raises(Conflict):
        require_second_factor(STREAM, is_required=True, by=owner)
    assert accept_invitation(offer(owner), by=account_of("Stig")).second_factor
    require_second_factor(STREAM, is_required=False, by=owner)
    assert not Role.objects.filter(second_factor=True).exists()


def test_who_has_no_role_is_not_named(stranger: Person) -> None:
    assert not invitations_to(stranger.account).exists()
    EmailLink.objects.create(
        kind="invitation", email="", stream=STREAM, expires_at=timezone.now() + INVITATION_LIFETIME
    )
    assert not invitations_to(Account.objects.create_user(name="Nobody")).exists()
