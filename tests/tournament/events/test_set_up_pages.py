"""The directors' pages of settings, entries, check-in, roles and links."""

import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from games.core.accounts.services import close_account
from games.core.roles.services import accept_invitation
from games.models import EmailLink, Player, Role
from tests.events import Event, make_event, make_players
from tests.people import Person, player_of
from tournament.events.pages import hidden_values
from tournament.models import Bye, Entry, PersonalLink, Tournament
from tournament.pairing.usual_tiebreaks import usual_tiebreaks

pytestmark = pytest.mark.django_db
RUN = "/e/spring/run"
PAGES = ("setup", "entries", "check-in", "roles", "links")
LIST = """Name;Rating;Country
Eva;2000;SWE
Ada;1700;POR
"""


@pytest.fixture
def event(organiser: Person, ada: Person) -> Event:
    """An event in registration with Ada and two others; check-in before the event."""
    event = make_event(organiser, check_in="tournament")
    event.enter(player_of(ada), *make_players(2, by=organiser))
    event.step("open")
    return event


def send(director: Client, page: str, **form: str | list[str]) -> HttpResponse:
    return director.post(f"{RUN}/{page}", form)


def done(response: HttpResponse) -> str:
    """Return what a form did, after the redirect."""
    assert response.status_code == 303, response.context["form"]
    return response["Location"].partition("done=")[2].partition("#")[0].partition("&")[0]


def entry_of(ada: Person) -> Entry:
    return Entry.objects.get(player=player_of(ada))


@pytest.mark.parametrize("page", PAGES)
def test_only_directors_see_it(
    client: Client, ada: Person, stranger: Person, event: Event, page: str
) -> None:
    assert client.get(f"{RUN}/{page}").status_code == 303
    for person in (ada, stranger):
        client.force_login(person.account)
        assert client.get(f"{RUN}/{page}").status_code == 403


@pytest.mark.parametrize("page", [*PAGES, "entries/ID"])
def test_the_queries_do_not_grow_with_the_entries(
    director: Client,
    ada: Person,
    event: Event,
    page: str,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    page = page.replace("ID", str(entry_of(ada).pk))
    director.get(f"{RUN}/{page}")
    event.enter(*[Player.objects.create(name=f"P{number}") for number in range(5)])

    with django_assert_max_num_queries(40):
        assert director.get(f"{RUN}/{page}").status_code == 200


def test_a_section_of_the_settings_is_stored(director: Client, event: Event) -> None:
    Tournament.objects.update(place="Lisbon")
    page = director.get(f"{RUN}/setup")
    form = {"if_match": page.context["if_match"], "section": "event", "action": "edit"}
    values = {"name": "Summer Open", "place": "", "starts_on": "2026-05-01",
              "ends_on": "2026-05-03", "time_zone": "Europe/Lisbon"}  # fmt: skip

    assert done(send(director, "setup", **form, **values, public="false")) == "edit"
    event = Tournament.objects.get()
    assert (event.name, event.place, event.public) == ("Summer Open", "", False)

    stale = send(director, "setup", **form, **values | {"name": "Autumn Open"})
    assert stale.status_code == 412
    assert "Somebody else has changed this meanwhile" in stale.content.decode()
    assert re.findall("Stored meanwhile: (.+?)<", stale.content.decode()) == ["Summer Open"]


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("setup", ">Ort</label>"),
        ("setup", "Ringe: 4, 6, 8 oder 10"),
        ("points", "Jetzt: 0,5"),
        ("prizes", '<option value="only">nur sie können gewinnen</option>'),
        ("prizes", '<option value="w">weiblich</option>'),
        ("entries/ID", '<option value="w">weiblich</option>'),
    ],
)
def test_the_forms_are_german(
    director: Client, event: Event, ada: Person, page: str, text: str
) -> None:
    address = f"{RUN}/{page.replace('ID', str(entry_of(ada).pk))}"
    assert text in director.get(address, headers={"Accept-Language": "de"}).content.decode()


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"rounds": "0"}, "greater than or equal to 1"),
        ({"rounds": "x"}, "valid integer"),
        ({"system": "chess"}, "not a valid"),
        ({"tiebreaks": "PTS,XX"}, "XX is not a tie-break"),
    ],
)
def test_a_wrong_setting_is_named(
    director: Client, event: Event, changes: dict[str, str], error: str
) -> None:
    tag = director.get(f"{RUN}/setup").context["if_match"]
    values = {"system": "monrad", "rounds": "3", "tiebreaks": "PTS", "section": "rounds"} | changes
    response = send(director, "setup", action="edit", if_match=tag, **values)

    page = response.content.decode()
    assert response.status_code == 422
    assert error in page or "valid are" in page
    assert f'value="{next(iter(changes.values()))}"' in page or "system" in changes


def store(director: Client, section: str, **values: str | list[str]) -> HttpResponse:
    """Store the fields of a section of the settings, with the others as they are."""
    page = director.get(f"{RUN}/setup")
    form: dict[str, str | list[str]] = {}
    for item in page.context["sections"]:
        if item["section"].key == section:
            form = dict(pair for field in item["fields"] for pair in hidden_values(field))
    tag = page.context["if_match"]
    return send(director, "setup", **form | values, action="edit", if_match=tag, section=section)


def test_a_director_types_twelve_tiebreaks(director: Client, event: Event) -> None:
    page = director.get(f"{RUN}/setup").content.decode()
    control = re.search(r'<input id="field-\S*tiebreaks"[^>]*>', page)
    assert control is not None
    assert "maxlength" not in control[0]
    codes = "PTS, BH BH/C1 SB DE WIN BPG PS ARO TPR AOB XX"
    wrong = store(director, "rounds", tiebreaks=codes)
    assert wrong.status_code == 422
    assert "XX is not a tie-break" in wrong.content.decode()
    assert done(store(director, "rounds", tiebreaks=codes.replace("XX", "FB"))) == "edit"
    assert len(Tournament.objects.get().tiebreaks) == 12


def test_no_tiebreaks_are_the_usual_ones(director: Client, event: Event) -> None:
    Tournament.objects.update(tiebreaks=["PTS"])
    assert done(store(director, "rounds", tiebreaks="")) == "edit"
    tournament = Tournament.objects.get()
    assert tournament.tiebreaks == list(usual_tiebreaks(tournament.system))


def test_a_game_has_its_option_with_a_long_name(director: Client, event: Event) -> None:
    values = {"ruleset": "star", "board_size": "5x6", "options": "two-point-corners"}
    assert done(store(director, "game", **values)) == "edit"
    assert Tournament.objects.get().options == ["two-point-corners"]


def test_kinds_of_handicaps_are_ticked(director: Client, event: Event) -> None:
    kinds = {"handicaps": "by_hand", "handicap_kinds[]": ["", "points"]}
    assert done(store(director, "entries", **kinds)) == "edit"
    assert Tournament.objects.get().handicap_kinds == ["points"]
    page = director.get(f"{RUN}/setup").content.decode()
    assert 'name="handicap_kinds[]" value="points" checked>' in page
    assert done(store(director, "entries", **{"handicap_kinds[]": [""]})) == "edit"
    assert Tournament.objects.get().handicap_kinds == []


@pytest.mark.parametrize(
    ("section", "name", "before", "after"),
    [
        ("event", "place", "Lisbon", ""),
        ("event", "country", "POR", ""),
        ("game", "main_minutes", 20, None),
        ("rounds", "half_byes_until_round", 2, None),
        ("entries", "places", 20, None),
    ],
)
def test_an_optional_setting_is_emptied(
    director: Client, event: Event, section: str, name: str, before: object, after: object
) -> None:
    Tournament.objects.update(**{name: before})
    assert done(store(director, section, **{name: ""})) == "edit"
    assert getattr(Tournament.objects.get(), name) == after


def test_all_errors_of_a_form_are_shown_beside_their_fields(director: Client, event: Event) -> None:
    values = {"starts_on": "2026-05-03", "ends_on": "2026-05-01", "time_zone": "Moon/Sea"}
    page = store(director, "event", **values).content.decode()
    summary, _, fields = page.partition("</ul>")
    assert '<a href="#field-time_zone">Time zone</a>: ' in summary
    assert '<a href="#field-ends_on">Last day</a>: the event ends before it starts' in summary
    assert re.findall(r'id="about-(\S+)"><strong class="error">', fields) == [
        "ends_on",
        "time_zone",
    ]


def test_an_error_of_an_item_stands_at_its_list_and_names_it(
    director: Client, event: Event
) -> None:
    response = store(director, "rounds", tiebreaks="PTS BH A-CODE-OF-TOO-MANY-LETTERS")
    message = "A-CODE-OF-TOO-MANY-LETTERS: Ensure this field has no more than 16 characters."
    assert response.status_code == 422
    assert response.context["form"].errors == {"tiebreaks": (message,)}
    page = response.content.decode()
    assert (
        f'<a href="#field-tiebreaks">Ranking and tie-breaks, in their order</a>: {message}' in page
    )


def test_a_list_is_previewed_and_entered(director: Client, event: Event, ada: Person) -> None:
    preview = director.post(f"{RUN}/entries?dry_run=1", {"action": "import", "file": LIST})

    page = preview.content.decode()
    assert preview.status_code == 200, preview.context["form"]
    assert "2 lines are right" in page
    assert "is registered and entered" in page
    assert "is entered already" in page
    assert "Eva;2000;SWE" in page
    assert "Columns: " in page
    assert Entry.objects.count() == 3

    assert done(send(director, "entries", action="import", file=LIST)) == "import"
    assert Entry.objects.get(player__name="Eva").seed_rating == 2000


def test_an_ambiguous_line_offers_the_players(director: Client, event: Event) -> None:
    first, second = (Player.objects.create(name="Ivo", club=club) for club in ("Rooks", "Moons"))
    text = "name,rating\nIvo,1500\n"
    response = send(director, "entries", action="import", file=text)

    page = response.content.decode()
    assert response.status_code == 422
    assert f'name="choose.2" value="{first.pk}"' in page
    assert "Ivo,1500" in page
    chosen = {"action": "import", "file": text, "choose.2": str(second.pk)}
    assert done(director.post(f"{RUN}/entries", chosen)) == "import"
    assert Entry.objects.filter(player=second).exists()


@pytest.mark.parametrize(
    "file", ["", "\0", "name\n" + "x" * 500, "nothing,known\n1,2\n", 'name\n"open\n', "=1+1"]
)
def test_a_file_that_is_wrong_enters_nobody(director: Client, event: Event, file: str) -> None:
    response = send(director, "entries", action="import", file=file)

    assert response.status_code in (400, 422)
    assert Entry.objects.count() == 3


def test_a_player_is_found_registered_and_entered(director: Client, event: Event) -> None:
    Player.objects.create(name="Zoë Sun")
    page = director.get(f"{RUN}/entries?q=zoe").content.decode()
    assert "Zoë Sun" in page

    registered = send(director, "entries", action="register", name="Nils", country="SWE")
    assert registered["Location"].startswith(f"{RUN}/entries?done=register&id=")
    assert "Nils" in director.get(registered["Location"]).content.decode()
    player = Player.objects.get(name="Nils")
    assert done(send(director, "entries", action="enter", player=str(player.pk))) == "enter"
    again = send(director, "entries", action="enter", player=str(player.pk))
    assert again.status_code == 409


def test_an_entry_is_corrected_and_withdrawn(director: Client, event: Event, ada: Person) -> None:
    entry = entry_of(ada)
    page = f"entries/{entry.pk}"

    def tag() -> str:
        return director.get(f"{RUN}/{page}").context["if_match"]

    form = {"seed_rating": "1850", "reason": "misread"}
    assert done(send(director, page, action="edit", if_match=tag(), **form)) == "edit"
    assert entry_of(ada).seed_rating == 1850
    byes = {"action": "availability", "round.2": "half-bye", "round.1": ""}
    event.tournament.half_byes = 1
    event.tournament.save()
    assert done(director.post(f"{RUN}/{page}", byes)) == "availability"
    assert list(Bye.objects.values_list("round", "kind")) == [(2, "half-bye")]
    person = {"action": "person", "player_id": str(entry.player.pk), "name": "Ada Moon"}
    wrong = director.post(f"{RUN}/{page}", person | {"if_match": '"1.2.3"'})
    assert wrong.status_code == 403  # Ada has a login of her own
    number = str(entry.pk)
    late = {"entry_id": number, "from_round": "3", "reason": "travels"}
    assert done(send(director, page, action="withdraw", if_match=tag(), **late)) == "withdraw"
    assert entry_of(ada).last_round == 2
    wrong = send(director, page, action="withdraw", if_match=tag(), **late | {"from_round": "9"})
    assert wrong.status_code == 422
    assert '<a href="#field-from_round">From round</a>: ' in wrong.content.decode()
    for action in ("withdraw", "return"):
        response = send(director, "entries", action=action, entry_id=number, if_match=tag())
        assert done(response) == action


def test_the_person_of_an_entry_is_corrected_and_emptied(director: Client, event: Event) -> None:
    entry = event.tournament.entries.get(player__name="Player 1")
    Player.objects.filter(pk=entry.player.pk).update(club="Rooks", seed_rating=1700)
    page = f"{RUN}/entries/{entry.pk}"
    tag = director.get(page).context["player_if_match"]
    form = {"action": "person", "player_id": entry.player.pk, "name": "Moon", "club": ""}
    assert done(director.post(page, form | {"if_match": tag})) == "person"
    values = Player.objects.filter(pk=entry.player.pk).values_list("name", "club", "seed_rating")
    assert values.get() == ("Moon", "", 1700)


def test_values_of_an_entry_are_emptied_and_its_name_is_not(director: Client, event: Event) -> None:
    entry = event.tournament.entries.get(player__name="Player 1")
    Entry.objects.filter(pk=entry.pk).update(birth_year=1990, sex="w", category="U40", lot=3)
    page = f"{RUN}/entries/{entry.pk}"
    context = director.get(page).context
    form = {name: field.value for name, field in context["fields"].items()}
    empty = form | {"birth_year": "", "sex": "", "category": "", "lot": ""}
    tag = {"action": "edit", "if_match": context["if_match"]}
    assert done(director.post(page, empty | tag)) == "edit"
    values = Entry.objects.filter(pk=entry.pk).values("birth_year", "sex", "category", "lot")
    assert values.get() == {"birth_year": None, "sex": "", "category": "", "lot": None}

    tag = {"if_match": context["player_if_match"], "player_id": entry.player.pk}
    wrong = director.post(page, tag | {"action": "person", "name": "", "club": "Rooks"})
    assert wrong.status_code == 422
    assert wrong.context["form"].errors == {"name": ("This field may not be blank.",)}


def test_players_check_in(director: Client, event: Event, ada: Person) -> None:
    entry = entry_of(ada)
    page = director.get(f"{RUN}/check-in")
    assert [row["name"] for row in page.context["missing"]] == ["Ada", "Player 1", "Player 2"]
    tag = page.context["missing"][0]["tag"]
    form = {"entry_id": str(entry.pk), "if_match": f'"{tag}"'}

    assert done(send(director, "check-in", action="check-in", **form)) == "check-in"
    page = director.get(f"{RUN}/check-in")
    assert [row["name"] for row in page.context["present"]] == ["Ada"]
    page = director.get(f"{RUN}/check-in?entry={entry.pk}&done=check-in").content.decode()
    assert "<strong>Ada</strong>: checked in" in page
    assert re.findall(r"autofocus>Check in<span class=.hidden.> (.+?)<", page) == ["Player 1"]
    assert send(director, "check-in", action="check-in", entry_id="x").status_code == 400
    Tournament.objects.update(state="final")
    page = director.get(f"{RUN}/check-in").content.decode()
    assert "Spring Open is final; this needs registration or running" in page


def test_roles_are_offered_and_removed(director: Client, event: Event, stranger: Person) -> None:
    email = stranger.account.email
    assert done(send(director, "roles", action="grant", email=email, role="scorer")) == "grant"
    accept_invitation(EmailLink.objects.get(), by=stranger.account)
    role = Role.objects.get(account=stranger.account)
    assert done(send(director, "roles", action="remove", role_id=str(role.pk))) == "remove"
    assert done(send(director, "roles", action="grant", email="new@example.org", role="director"))
    link = EmailLink.objects.get(used_at=None)
    assert "new@example.org" in director.get(f"{RUN}/roles").content.decode()
    assert done(send(director, "roles", action="revoke", invitation_id=str(link.pk))) == "revoke"
    wrong = send(director, "roles", action="grant", email="x", role="king")
    assert wrong.status_code == 422
    assert 'value="x"' in wrong.content.decode()


def test_links_are_created_replaced_and_revoked(
    director: Client, event: Event, ada: Person
) -> None:
    assert done(send(director, "links", action="create")) == "create"
    page = director.get(f"{RUN}/links").content.decode()
    assert page.count("/e/spring/me#") == 3
    number = str(entry_of(ada).pk)
    assert done(director.post(f"{RUN}/links", {"action": "replace", "entries[]": number}))
    assert done(send(director, "links", action="revoke", entry_id=number)) == "revoke"
    assert PersonalLink.objects.filter(revoked_at=None).count() == 2
    assert done(send(director, "links", action="open-application")) == "open-application"
    assert "/e/spring/apply#" in director.get(f"{RUN}/links").content.decode()
    assert done(send(director, "links", action="close-application")) == "close-application"


def test_the_link_of_a_closed_account_is_neither_shown_nor_missing(
    director: Client, event: Event, ada: Person
) -> None:
    assert director.get(f"{RUN}/links").context["without"] == 3
    send(director, "links", action="create")
    assert ada.account is not None
    close_account(ada.account, by=ada.account)

    context = director.get(f"{RUN}/links").context

    assert ([row["player"]["name"] for row in context["links"]], context["without"]) == (
        ["Player 1", "Player 2"],
        0,
    )


def test_files_of_the_api_open_in_the_session_of_a_page(
    client: Client, director: Client, event: Event, stranger: Person
) -> None:
    address = "/api/v1/tournaments/spring/links.csv"
    assert director.get(address).status_code == 200
    assert director.post("/api/v1/tournaments/spring/links").status_code == 401
    client.force_login(stranger.account)
    assert client.get(address).status_code == 403


def test_lists_of_names_fold_case_and_accents(director: Client, event: Event) -> None:
    names = ["Zoe", "Étoile", "de Wit", "Łódzki"]
    event.enter(*[Player.objects.create(name=name) for name in names])
    in_order = ["Ada", "de Wit", "Étoile", "Łódzki", "Player 1", "Player 2", "Zoe"]
    page = director.get(f"{RUN}/check-in").context
    assert [row["name"] for row in page["missing"]] == in_order
    listed = director.get(f"{RUN}/entries").context["listed"]
    assert [row["player"].name for row in listed] == in_order
    entry = event.tournament.entries.get(player__name="de Wit")
    done = director.post(f"{RUN}/check-in", {"action": "check-in", "entry_id": str(entry.pk),
                                             "if_match": "*"})  # fmt: skip
    assert director.get(done["Location"]).context["following"]["name"] == "Étoile"


def test_a_country_of_an_event_is_stored_in_capitals(director: Client, event: Event) -> None:
    assert done(store(director, "event", country="pol")) == "edit"
    assert Tournament.objects.get().country == "POL"


def test_a_list_with_a_year_of_birth_in_the_future_enters_nobody(
    director: Client, event: Event
) -> None:
    year = timezone.localdate().year + 1
    rejected = send(director, "entries", action="import", file=f"name,birth year\nEva,{year}\n")
    assert rejected.status_code == 422
    assert f"{year} is in the future" in rejected.content.decode()
    assert not Player.objects.filter(name="Eva").exists()


def test_a_known_name_is_asked_about_before_it_is_registered_again(
    director: Client, event: Event
) -> None:
    known = Player.objects.create(name="Łucja Żak", club="Rooks")
    asked = send(director, "entries", action="register", name="lucja zak", country="POL")
    assert asked.status_code == 200
    page = asked.content.decode()
    assert "Somebody with this name is registered already." in page
    assert f'value="{known.pk}"' in page
    assert asked.context["fields"]["country"].value == "POL"
    assert not Player.objects.filter(name="lucja zak").exists()

    sent = {"action": "register", "name": "lucja zak", "country": "POL"}
    assert done(director.post(f"{RUN}/entries?another=1", sent)).startswith("register")
    assert Player.objects.filter(name="lucja zak").exists()
    assert done(send(director, "entries", action="enter", player=str(known.pk))) == "enter"
