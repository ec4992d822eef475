"""Writes that are sent again, writes to what has changed, and the pages of a list."""

from typing import Any

import pytest
from django.utils import timezone

from games import tasks
from games.core import idempotency
from games.core.errors import ApiError
from games.core.preconditions import Target, if_unchanged, require_same_effect
from games.models import JournalLine, Player, StoredResponse, Token
from tests.people import Person, problem_in

pytestmark = pytest.mark.django_db
CLEO = {"name": "Cleo"}
KEY = {"Idempotency_Key": "x" * 255}
MOMENT = timezone.timedelta(microseconds=1)


def test_a_response_is_kept_for_a_day(organiser: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    first = organiser.post("players", CLEO, **KEY)
    row = StoredResponse.objects.get()
    end = row.created_at + timezone.timedelta(days=1)

    def send_at(moment: Any) -> Any:
        monkeypatch.setattr(idempotency.timezone, "now", lambda: moment)
        return organiser.post("players", CLEO, **KEY)

    again = send_at(end - MOMENT)
    assert (again["Idempotent-Replayed"], again.content) == ("true", first.content)
    tasks.delete_old_responses.run()
    assert StoredResponse.objects.filter(pk=row.pk).exists()

    assert "Idempotent-Replayed" not in send_at(end)
    assert Player.objects.filter(name="Cleo").count() == 2
    row = StoredResponse.objects.get()
    end = row.created_at + timezone.timedelta(days=1)
    monkeypatch.setattr(timezone, "now", lambda: end)
    tasks.delete_old_responses.run()
    assert not StoredResponse.objects.exists()


def test_a_key_is_of_an_account_and_of_a_request(organiser: Person, stranger: Person) -> None:
    organiser.post("players", CLEO, **KEY)
    other = organiser.with_token("tournament:write")
    for person, path, body in (
        (organiser, "players", {"name": "Dora"}),
        (organiser, "players?dry_run=1", CLEO),
        (other, "players", CLEO),
    ):
        problem_in(person.post(path, body, **KEY), 422, "idempotency_key_reused")
    assert stranger.post("players", CLEO, **KEY).status_code == 201
    assert Player.objects.count() == 2
    for key in ("", "x" * 256, "a\tb"):
        answer = organiser.post("players", CLEO, Idempotency_Key=key)
        problem_in(answer, 400, "wrong_idempotency_key")


def test_a_rejected_request_leaves_its_key(organiser: Person) -> None:
    known = CLEO | {"external_ids": {"fide": "4100018"}}
    organiser.post("players", known)
    for body, status in (({"name": ""}, 422), (known, 409)):
        problem_in(organiser.post("players", body, **KEY), status)
        assert not StoredResponse.objects.exists()
    assert organiser.post("players", CLEO, **KEY).status_code == 201


@pytest.mark.parametrize(
    ("quota", "limit", "statuses"),
    [("responses", 2, [201, 201, 409]), ("response_bytes", 1, [201, 409, 409])],
)
def test_stored_responses_have_quotas(
    organiser: Person, settings: Any, quota: str, limit: int, statuses: list[int]
) -> None:
    settings.QUOTAS = settings.QUOTAS | {quota: limit}
    sent = [organiser.post("players", CLEO, Idempotency_Key=f"{n}").status_code for n in range(3)]
    assert sent == statuses
    assert organiser.post("players", CLEO).status_code == 201


STREAM = "tournament/spring"


def write(header: str, person: Person, **fields: Any) -> dict[str, str]:
    """Write to an object whose version is `v2`."""
    target = Target(STREAM, lambda _locked: "v2", lambda _kind, _payload: True)
    token = Token.objects.get(pk=person.token.pk)
    token.preconditions = fields.pop("preconditions", "required")
    given = {"by": person.account, "source": "players/1", "wanted": "players/1", "dry_run": False}
    with if_unchanged(target, header, token, **given | fields) as headers:
        pass
    return headers


@pytest.mark.parametrize(
    ("header", "preconditions", "code"),
    [
        ('"3.v2.abc"', "required", ""),
        ('"1.v2.abc"', "required", ""),  # another object has changed since
        ('"x", W/"2.v2.abc"', "required", ""),
        ('"3.v1.abc"', "required", "stale"),
        ('"abc"', "optional", "stale"),
        ("", "required", "precondition_required"),
        ("", "optional", ""),
        ("3.v2", "optional", "wrong_precondition"),
        ("*", "required", ""),
    ],
)
def test_a_write_names_the_version_that_was_read(
    organiser: Person, header: str, preconditions: str, code: str
) -> None:
    for is_dry in (False, True):
        found = ""
        try:
            headers = write(header, organiser, preconditions=preconditions, dry_run=is_dry)
            number = 1 if header == "*" else 0
            assert headers == ({} if is_dry else {"ETag": f'"{number}.v2"'})
        except ApiError as error:
            found = error.code
        assert found == code
    forced = JournalLine.objects.filter(stream=STREAM, kind="write.forced")
    assert [line.payload.body["address"] for line in forced] == (
        ["players/1"] if header == "*" else []
    )


def test_an_effect_is_the_same_whatever_the_number_of_the_line() -> None:
    require_same_effect(STREAM, "3.abc", "7.abc")
    with pytest.raises(ApiError) as caught:
        require_same_effect(STREAM, "3.abc", "3.abd")
    assert caught.value.code == "stale"


@pytest.mark.parametrize("order", ["oldest", "newest"])
def test_the_pages_of_a_list_are_the_whole_list_both_ways(anonymous: Person, order: str) -> None:
    for number in range(7):
        Player.objects.create(name=f"Player {number // 3}")
    query = "order=newest&" if order == "newest" else ""
    path = f"players?{query}limit="
    whole = [row["id"] for row in anonymous.get(f"{path}7").json()["results"]]
    assert len(set(whole)) == 7
    assert anonymous.get(f"{path}7").json()["next"] is None

    pages, address = [], f"{path}3"
    while address:
        body = anonymous.get(address).json()
        pages.append([row["id"] for row in body["results"]])
        last, address = body, body["next"]
    assert pages == [whole[:3], whole[3:6], whole[6:]]
    back = anonymous.get(last["previous"]).json()
    assert [row["id"] for row in back["results"]] == whole[3:6]
    first = anonymous.get(back["previous"]).json()
    assert [row["id"] for row in first["results"]] == whole[:3]
    assert first["previous"] is None
    assert back["next"] is not None


def test_a_cursor_and_a_limit_are_those_of_the_list(anonymous: Person) -> None:
    for number in range(3):
        Player.objects.create(name=f"Player {number}")
    following = anonymous.get("players?limit=1").json()["next"]
    problem_in(anonymous.get(f"{following}&order=newest"), 422, "invalid_parameter")
    assert anonymous.get(following.replace("limit=1", "limit=2")).status_code == 200
    for query in ("cursor=x", "limit=0", "limit=1001"):
        problem_in(anonymous.get(f"players?{query}"), 422, "invalid_parameter")
    assert anonymous.get("players?limit=1000").status_code == 200
