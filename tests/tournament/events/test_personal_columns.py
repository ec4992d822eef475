"""Each personal column of each model is erased with the person, by its declaration alone."""

import json
from base64 import b64decode
from typing import Any

import pytest
from django.apps import apps
from django.db import models

from deploy.held import held_about
from games.core.journal.lines import append_line, load_lines
from games.core.journal.rows import changed_rows, expanded, kind_of
from games.models import Account, Claim, EmailLink, Message, Player, Upload
from games.models.columns import APPS, columns_of
from games.names import skeleton_of
from tests.events import Event, make_event, make_players
from tests.people import Person, make_person, make_player, player_of
from tests.tournament.events.test_verify_state import verify
from tests.tournament.exchange.test_bundle import lines_in
from tournament.entries.byes import request_bye
from tournament.exchange.bundle_file import write_bundle
from tournament.models import Bye, Correction, Entry, PushDevice, Subscription

pytestmark = pytest.mark.django_db
PERSONAL_OF = {
    model: columns_of(model).personal
    for app in APPS
    for model in apps.get_app_config(app).get_models()
    if columns_of(model).personal
}
PERSONAL = [(model, name) for model, names in PERSONAL_OF.items() for name in names]
SITE = "site"


def marked(field: Any, account: Account) -> Any:
    """Return a value of a column that can be recognised."""
    if field.is_relation:
        return account.pk
    if isinstance(field, models.JSONField):
        return {"fide": "4711"}
    return 1907 if isinstance(field, models.IntegerField) else "Zq"[: field.max_length]


def test_each_personal_column_is_of_a_model_that_the_erasure_knows() -> None:
    assert {*PERSONAL_OF} == {
        Account, EmailLink, Message, Player, Claim, Entry, Bye, Subscription, PushDevice,
    }  # fmt: skip


@pytest.mark.parametrize("model", PERSONAL_OF, ids=lambda model: model.__name__)
def test_the_personal_columns_of_a_model_are_erased(
    organiser: Person, staff: Person, model: type[models.Model]
) -> None:
    names = PERSONAL_OF[model]
    person = make_player("Zoe")
    player = player_of(person)
    event = make_event(organiser)
    (entry, *_) = event.enter(player, *make_players(3))
    event.step("open", "start")
    request_bye(entry, 2, Bye.Kind.ZERO, by=organiser.account, reason="a train")
    Claim.objects.create(player=player, account=make_person("Cleo").account)
    EmailLink.objects.create(
        kind=EmailLink.Kind.INVITATION, email=person.account.email, expires_at=player.created_at
    )
    Message.objects.create(email=person.account.email, subject="Zq", text="Zq")
    _ask_for_messages(event, person)
    row: Any = model._default_manager.get(**_own(model, person))
    fields: dict[str, Any] = {name: model._meta.get_field(name) for name in names}
    if model in (Player, Entry, Bye, Claim):
        for field in fields.values():
            setattr(row, field.attname, marked(field, person.account))
        row.save()
        stream = event.stream if model in (Entry, Bye) else SITE
        whose = {"ordinal": entry.ordinal} if model in (Entry, Bye) else {"player": player.pk}
        told = dict.fromkeys(names, "Zq")
        payload = {"list": [{**whose, **told}]} if stream == event.stream else whose
        append_line(stream, "entry.edited", payload | told, by=None, rows=changed_rows(row))

    assert staff.post(f"players/{player.pk}/erase").status_code == 200

    for name in names:
        _assert_erased(model, name, row, player)
    for line in [*load_lines(event.stream), *load_lines(SITE)]:
        assert "Zq" not in str(line.payload.body.get("list", "")), line.payload.body
        if line.kind in ("payload.erased", "player.erased"):
            continue
        stated = [
            columns
            for kind, key, columns in expanded(line.payload.rows or {})
            if kind == kind_of(model) and key.split("/")[0] in (str(entry.ordinal), player.key)
        ]
        assert not any({*names} & {*(columns or {})} for columns in stated), (line.kind, stated)
    exported = [
        line["row"].get(name)
        for line in lines_in(write_bundle(event.tournament))
        if line["kind"] == kind_of(model)
        for name in names
    ]
    told = {"Zq"[: getattr(field, "max_length", None) or 2] for field in fields.values()}
    assert not (told | {1907}) & {value for value in exported if not isinstance(value, dict)}
    assert verify(event.stream) == []


def test_each_personal_column_is_exported(
    organiser: Person, staff: Person, django_assert_max_num_queries: Any
) -> None:
    person = make_player("Zoe")
    player, stranger = player_of(person), make_person("Cleo").account
    event = make_event(organiser)
    (entry, *_) = event.enter(player, *make_players(3))
    event.step("open", "start")
    request_bye(entry, 2, Bye.Kind.ZERO, by=organiser.account, reason="a train")
    Claim.objects.create(player=player, account=stranger)
    EmailLink.objects.create(
        kind=EmailLink.Kind.APPLICATION, email=person.account.email, content={"name": "Zoe"},
        expires_at=player.created_at,
    )  # fmt: skip
    EmailLink.objects.create(
        kind=EmailLink.Kind.PROPOSAL, email="other@example.org", name="Other", by=person.account,
        expires_at=player.created_at,
    )  # fmt: skip
    Message.objects.create(email=person.account.email, subject="Subject", text="secret link")
    _ask_for_messages(event, person)
    content = b"name\nZoe of the file\n"
    Upload.objects.create(task="players", action="players", content=content, by=person.account)
    before, after = {"club": "Zq before"}, {"club": "Zq after"}
    changes = [{"entry": each.pk, "before": before, "after": after} for each in (entry, _[0])]
    Correction.objects.create(
        tournament=event.tournament,
        number=1,
        scope="rating",
        reason="r",
        changes=changes,
        effect={},
    )
    for model, name in PERSONAL:
        if model in (Player, Entry, Bye, Claim) and name != "account":
            row: Any = model._default_manager.get(**_own(model, person))
            setattr(row, name, marked(row._meta.get_field(name), person.account))
            row.save(update_fields=[name])
    request = {"name": "Zoe Renamed"}
    assert organiser.patch(f"players/{player.pk}", request).status_code in (200, 403)

    with django_assert_max_num_queries(150):
        held = held_about(person.account, Player.objects.get(pk=player.pk))

    tables: dict[type[models.Model], list[dict[str, Any]]] = {
        Account: held["accounts"],
        Player: held["players"],
        EmailLink: held["messages"],
        Message: held["messages"],
        Claim: held["games.claim (player)"],
        Entry: held["tournament.entry (player)"],
        Bye: held["tournament.bye (entry)"],
        Subscription: held["tournament.subscription (account)"],
        PushDevice: held["tournament.pushdevice (subscription)"],
    }
    for model, name in PERSONAL:
        field: Any = model._meta.get_field(name)
        rows = [row for row in tables[model] if field.attname in row]
        if (model, name) == (Message, "text"):  # what it says has a link that acts for the person
            assert rows == []
            continue
        value = model._default_manager.filter(**_own(model, person)).values_list(name, flat=True)[0]
        assert value in [row[field.attname] for row in rows], (model, name)
        assert value or (model, name) == (EmailLink, "name")
    assert b64decode(held["games.upload (by)"][0]["content"]) == content
    assert [len(each["changes"]) for each in held["corrections"]] == [1]
    text = json.dumps(held, default=str)
    assert "Zq before" in text
    assert "other@example.org" not in text
    assert "secret link" not in text
    assert {line["kind"] for line in held["journal_rows"]} >= {"entry", "bye"}
    assert {line["key"].split("/")[0] for line in held["journal_rows"]} <= {"1", player.key}


def _ask_for_messages(event: Event, person: Person) -> None:
    values = {"account": person.account, "tournament": event.tournament}
    row = Subscription.objects.create(email="zoe@example.com", **values)
    PushDevice.objects.create(subscription=row, url="https://push.example/zoe", key="secret link")


def _own(model: type[models.Model], person: Person) -> dict[str, Any]:
    player = player_of(person)
    conditions: dict[type[models.Model], dict[str, Any]] = {
        Account: {"pk": person.account.pk},
        EmailLink: {"email": person.account.email},
        Message: {"email": person.account.email},
        Player: {"pk": player.pk},
        Claim: {"player": player},
        Entry: {"player": player},
        Bye: {"entry__player": player},
        Subscription: {"account": person.account},
        PushDevice: {"subscription__account": person.account},
    }
    return conditions[model]


def _assert_erased(model: type[models.Model], name: str, row: Any, player: Player) -> None:
    if model in (EmailLink, Message, Claim, Subscription, PushDevice):
        assert not model._default_manager.filter(pk=row.pk).exists()
        return
    row.refresh_from_db()
    expected = None
    if model is Player and name in ("name", "folded_name", "skeleton"):
        erased = f"player {player.pk}"
        expected = skeleton_of(erased) if name == "skeleton" else erased
    assert (getattr(row, name) or None) == expected
