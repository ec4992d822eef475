"""`manage.py standings`: its four formats and its errors, without a database."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

DATA = Path(__file__).parent / "data"
TRF_DATA = Path(__file__).parents[1] / "trf" / "data"
HARBOUR = TRF_DATA / "harbour-open.trf"


def standings(path: Path, *options: str) -> str:
    out = StringIO()
    call_command("standings", str(path), *options, stdout=out)
    return out.getvalue()


def test_json_of_an_earlier_round_is_provisional() -> None:
    content = json.loads(
        standings(HARBOUR, "--tiebreaks", "PTS,BH", "--round", "2", "--format", "json", "--terms")
    )
    assert (content["name"], content["round"], content["rounds"]) == ("Harbour Open", 2, 5)
    assert content["provisional"] is True
    assert content["rows"][0]["values"] == {"PTS": "2", "BH": "2"}
    assert content["rows"][0]["terms"]["BH"][0]["number"] == 12


def test_html_has_the_event_and_the_round() -> None:
    page = standings(HARBOUR, "--round", "3", "--format", "html")
    assert "<h1>Harbour Open</h1>\n<p>after round 3 of 5</p>" in page


def test_text_is_the_default_format() -> None:
    assert standings(HARBOUR).startswith("rank  number  name ")


def test_the_type_of_event_comes_from_the_file_or_the_option() -> None:
    # The file of Lantern Masters states that it is a round robin; 010.trf does not.
    with pytest.raises(CommandError, match="BH is not for a round robin; valid: PTS"):
        standings(TRF_DATA / "lantern-masters.trf", "--tiebreaks", "PTS,BH")
    assert standings(DATA / "010.trf", "--tiebreaks", "BH")
    with pytest.raises(CommandError, match="BH is not for a round robin"):
        standings(DATA / "010.trf", "--type", "round-robin", "--tiebreaks", "BH")


@pytest.mark.parametrize(("output", "is_noted"), [("text", True), ("csv", True), ("json", False)])
def test_a_tiebreak_without_values_is_noted(output: str, is_noted: bool) -> None:
    case = DATA / "cases" / "09-unrated-opponent.trf"
    out, errors = StringIO(), StringIO()
    options = ["--tiebreaks", "PTS,ARO", "--format", output]
    call_command("standings", str(case), *options, stdout=out, stderr=errors)
    assert ("ARO is left empty: " in errors.getvalue()) is is_noted
    assert "left empty" not in out.getvalue()


def test_the_rating_of_unrated_players_is_an_option() -> None:
    case = DATA / "cases" / "09-unrated-opponent.trf"
    assert standings(case, "--tiebreaks", "ARO", "--format", "csv").splitlines()[1] == (
        "1,1,Player A,"
    )
    rated = standings(case, "--tiebreaks", "ARO", "--unrated", "1400", "--format", "csv")
    assert rated.splitlines()[1] == "1,1,Player A,1851"


@pytest.mark.parametrize(
    ("options", "message", "status"),
    [
        (["--round", "6"], "the file has 5 rounds, not 6", 2),
        (["--round", "-1"], "the file has 5 rounds, not -1", 2),
        (["--unrated", "0"], "the rating of unrated players is 1 to 9999, not 0", 2),
        (["--tiebreaks", "PTS,ELO"], "ELO is not a tie-break; valid: PTS", 2),
    ],
)
def test_invalid_options_are_rejected(options: list[str], message: str, status: int) -> None:
    with pytest.raises(CommandError, match=message) as refused:
        standings(HARBOUR, *options)
    assert refused.value.returncode == status


def test_an_unreadable_file_is_an_error_with_line_and_column(tmp_path: Path) -> None:
    broken = tmp_path / "broken.trf"
    broken.write_text(HARBOUR.read_text().replace("12 w 1     8 b 1", "12 w 1     8 b x"))
    with pytest.raises(CommandError, match=r"broken.trf: line 13, column 109: 'X' is no") as seen:
        standings(broken)
    assert seen.value.returncode == 3
    with pytest.raises(CommandError, match="No such file") as missing:
        standings(tmp_path / "none.trf")
    assert missing.value.returncode == 3


def test_a_file_has_no_bracket() -> None:
    with pytest.raises(CommandError, match="STAGE needs the bracket of a knockout"):
        standings(HARBOUR, "--tiebreaks", "STAGE")
