"""The commands `pair`, `check_pairings`, `random_tournament` and `verify_certificate`."""

import json
import re
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.tournament.pairing.events import POSITIONS
from tournament.pairing.certificates import certify
from tournament.pairing.systems.dutch import pair_dutch
from tournament.pairing.trf_rounds import request_next_round
from tournament.trf import read_trf

BLOCKED = """\
001    1      One                               2300                             1.0          2 w 1
001    2      Two                               2200                             0.0          1 b 0
XXR 3
"""
FINISHED = BLOCKED.replace("XXR 3", "XXR 1")
MISMATCHED = BLOCKED.replace("1 b 0", "3 b 0")


def run(*arguments: str | Path) -> tuple[int, str, str]:
    """Run a command; return its exit status, standard output and standard error."""
    out, err = StringIO(), StringIO()
    status = 0
    try:
        call_command(*map(str, arguments), stdout=out, stderr=err)
    except SystemExit as error:
        status = int(error.code or 0)
    except CommandError as error:
        status = error.returncode
        err.write(f"{error}\n")
    return status, out.getvalue(), err.getvalue()


@pytest.fixture
def trf_files(tmp_path: Path) -> dict[str, Path]:
    paths = {}
    for name, text in {"blocked": BLOCKED, "finished": FINISHED, "mismatched": MISMATCHED}.items():
        paths[name] = tmp_path / f"{name}.trf"
        paths[name].write_text(text)
    return paths


def test_pair_prints_the_pairings_by_board() -> None:
    due = (POSITIONS / "008.pairs").read_text()
    assert run("pair", POSITIONS / "008.trf") == (0, due, "")


@pytest.mark.parametrize(
    ("name", "status", "message"),
    [
        (
            "blocked",
            1,
            "no legal pairing: players 1, 2 cannot all be paired with each other\n",
        ),
        ("finished", 3, "all 1 rounds have been paired; record XXR or 142 sets their number\n"),
        (
            "mismatched",
            3,
            "line 1, column 92: has opponent 2, who has opponent 3; "
            "expected matching player records\n"
            "{name}: line 2, column 92: opponent 3 is not a player of the event; "
            "expected matching player records\n",
        ),
    ],
)
def test_pair_reports_what_cannot_be_paired(
    name: str, status: int, message: str, trf_files: dict[str, Path]
) -> None:
    path = trf_files[name]
    assert run("pair", path) == (status, "", f"{path}: {message.format(name=path)}")


def test_the_encoding_of_a_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mac.trf"
    path.write_bytes(f"012 Köln\n{BLOCKED}".encode("mac-roman"))
    for command in ("pair", "check_pairings", "standings"):
        status, out, err = run(command, path)
        assert (status, out, "--encoding mac-roman: 012 Köln" in err) == (3, "", True)
        assert run(command, path, "--encoding", "mac-roman")[0] in (0, 1)


@pytest.mark.parametrize(
    ("system", "cells", "status", "text"),
    [
        ("round-robin", ["0000 - U", "", ""], 0, "2\n2 3\n1 0\n"),
        ("round-robin", ["", "0000 - U", ""], 1, "2, who have a board by the schedule"),
        ("dutch", ["", "0000 - U", "0000 - U"], 1, "(C.04.1, article 3)"),
    ],
)
def test_pair_refuses_a_bye_that_the_file_cannot_give(
    system: str, cells: list[str], status: int, text: str, tmp_path: Path
) -> None:
    trf = tmp_path / "given.trf"
    rows = [f"001 {n:>4}".ljust(91) + cell for n, cell in enumerate(cells, start=1)]
    trf.write_text("\n".join([*rows, "XXR 3", "XXC white1", ""]))
    found, out, err = run("pair", trf, "--system", system)
    assert found == status
    assert text in (err if status else out)


@pytest.mark.parametrize(
    ("cells", "out", "count"),
    [(["0000 - H"] * 2, "0\n", "no player"), (["0000 - H", ""], "1\n2 0\n", "one player")],
)
def test_pair_says_that_nobody_is_left(
    cells: list[str], out: str, count: str, tmp_path: Path
) -> None:
    trf = tmp_path / "left.trf"
    rows = [f"001 {n:>4}".ljust(91) + cell for n, cell in enumerate(cells, start=1)]
    trf.write_text("\n".join([*rows, "XXR 3", "XXC white1", ""]))
    assert run("pair", trf) == (0, out, f"{trf}: {count} is left to pair in round 1\n")


def test_pair_reports_a_missing_file(tmp_path: Path) -> None:
    missing = tmp_path / "none.trf"
    assert run("pair", missing) == (3, "", f"{missing}: No such file or directory\n")


@pytest.mark.parametrize("command", ["pair", "check_pairings", "standings"])
def test_the_file_of_a_team_event_is_refused(command: str, tmp_path: Path) -> None:
    trf = tmp_path / "team.trf"
    trf.write_text(BLOCKED + "362 TW 2.0   TD 1.0   TL 0.0\n")
    status, out, err = run(command, trf)
    assert (status, out) == (3, "")
    assert "line 4, column 1: a file of a team event: '362 TW 2.0" in err


def test_pair_reports_unknown_lines(tmp_path: Path) -> None:
    trf = tmp_path / "new.trf"
    trf.write_text("".join(f"001 {n:>4}\n" for n in (1, 2)) + "XXR 3\n### so\nXXQ what\n")
    message = f"{trf}: line 5 is not understood: XXQ what\n"
    assert run("pair", trf) == (0, "1\n1 2\n", message)


def test_pair_tries_all_files(trf_files: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "out"
    good = [POSITIONS / "008.trf", POSITIONS / "024.trf"]
    status, out, err = run(
        "pair", good[0], trf_files["mismatched"], trf_files["blocked"], good[1], "--output", folder
    )
    assert (status, out, len(err.splitlines())) == (3, "", 3)
    written = {path.name: path.read_text() for path in folder.iterdir()}
    assert written == {name: (POSITIONS / name).read_text() for name in ("008.pairs", "024.pairs")}


def test_pair_uses_the_chosen_system(tmp_path: Path) -> None:
    trf = tmp_path / "new.trf"
    trf.write_text("".join(f"001 {n:>4} {n}\n" for n in range(1, 5)) + "XXR 3\n")
    assert run("pair", trf)[1] == "2\n1 3\n4 2\n"
    assert run("pair", trf, "--system", "monrad")[1] == "2\n1 2\n4 3\n"


ACCELERATED = "".join(f"001 {n:>4} {n}\n" for n in range(1, 162)) + "XXR 9\nXXC white1\n"


@pytest.mark.parametrize(
    "record",
    ["192 FIDE_BAKU", "--system dutch-baku"],
)
def test_baku_acceleration_follows_from_the_file_or_the_option(record: str, tmp_path: Path) -> None:
    trf = tmp_path / "new.trf"
    option = record.split() if record.startswith("--") else []
    trf.write_text(ACCELERATED + ("" if option else record + "\n"))
    pairs = run("pair", trf, *option)[1].split("\n")
    assert pairs[1:3] + pairs[41:43] == ["1 42", "43 2", "41 82", "83 122"]
    assert run("pair", trf, *option, "--explain")[0] == 0
    plain = run("pair", trf, "--system", "dutch", "--force-system")[1].split("\n")
    assert plain[1:3] == ["1 81", "82 2"]


@pytest.mark.parametrize(
    ("record", "system", "message"),
    [
        (
            "192 FIDE_DUBOV",
            "",
            "the file names the system FIDE_DUBOV, which is not supported; "
            "--system dutch --force-system pairs it all the same",
        ),
        ("192 CUSTOM_SWISS", "", "CUSTOM_SWISS; select one with --system: monrad, mcmahon"),
        (
            "192 FIDE_DUTCH_2026",
            "dutch-baku",
            "the file names the system FIDE_DUTCH_2026 (dutch), not dutch-baku; "
            "--system dutch-baku --force-system pairs it all the same",
        ),
    ],
)
def test_a_system_that_contradicts_the_file_is_rejected(
    record: str, system: str, message: str, tmp_path: Path
) -> None:
    trf = tmp_path / "new.trf"
    trf.write_text("".join(f"001 {n:>4} {n}\n" for n in range(1, 5)) + f"XXR 3\n{record}\n")
    option = ["--system", system] if system else []
    for command in ("pair", "check_pairings"):
        status, out, err = run(command, trf, *option)
        assert (status, out) == (3, "")
        assert message in err
    forced = ["--system", system or "dutch", "--force-system"]
    assert run("pair", trf, *forced)[0] == run("check_pairings", trf, *forced)[0] == 0


def test_pair_explains_after_the_pairings(tmp_path: Path) -> None:
    status, out, _ = run("pair", POSITIONS / "008.trf", "--explain")
    assert status == 0
    pairs = (POSITIONS / "008.pairs").read_text()
    assert out.startswith(f"{pairs}4 11: Player0004 floats down from 6.5 to 5.5 points\n")
    run("pair", POSITIONS / "008.trf", "--explain", "--output", tmp_path)
    assert (tmp_path / "008.pairs").read_text() == pairs
    assert pairs + (tmp_path / "008.why").read_text() == out
    reasons = run("pair", POSITIONS / "008.trf", "--explain", "--system", "monrad")[1]
    assert re.search(r"^Player\d{4} and Player\d{4} met in round", reasons, re.MULTILINE)


def test_a_random_tournament_passes_check_pairings(tmp_path: Path) -> None:
    trf = tmp_path / "random.trf"
    options = "--players 23 --rounds 5 --seed 7 --byes --late 0.2 --forfeits 0.1 --withdrawals"
    more = "--draws 0.4 --baku --forbidden 4 --points 3-1-0 --form trf26"
    result = run("random_tournament", *options.split(), *more.split(), "--output", trf)
    assert result == (0, "", "")
    assert run("random_tournament", *options.split(), *more.split())[1] == trf.read_text()
    rounds = "".join(f"round {number} agrees\n" for number in range(1, 6))
    assert run("check_pairings", trf) == (0, rounds, "")


def test_check_pairings_lists_differences(tmp_path: Path) -> None:
    trf = tmp_path / "odd.trf"
    cells = ["     2 w 1", "     1 b 0", "  0000 - U"]
    rows = [f"{f'001 {number:>4}':<89}{cell}\n" for number, cell in enumerate(cells, start=1)]
    trf.write_text("".join([*rows, "XXR 3\nXXC white1\n"]))
    assert run("check_pairings", trf) == (0, "round 1 agrees\n", "")
    reversed_seats = trf.read_text().replace("2 w 1", "2 b 1").replace("1 b 0", "1 w 0")
    trf.write_text(reversed_seats)
    assert run("check_pairings", trf) == (
        1,
        "round 1 differs\n  due: 1 2 (the seats are turned round)\n",
        "",
    )


def test_check_pairings_names_the_bye_of_an_open_round(tmp_path: Path) -> None:
    round_1 = {1: "3 w 1", 2: "4 b 1", 3: "1 b 0", 4: "2 w 0", 5: "0000 - U"}
    wrong = {1: "0000 - U", 2: "5 w", 3: "4 w", 4: "3 b", 5: "2 b"}
    right = {1: "5 b", 2: "3 w", 3: "2 b", 4: "0000 - U", 5: "1 w"}
    outputs = []
    for cells in (wrong, right):
        rows = [f"001 {n:>4}".ljust(91) + _cell(round_1[n]) + _cell(cells[n]) for n in cells]
        trf = tmp_path / "open.trf"
        trf.write_text("\n".join([*rows, "XXR 3", "XXC white1", ""]))
        outputs.append(run("check_pairings", trf))
    due = "  due: 2 3\n  due: 5 1\n  held: 2 5\n  held: 3 4\n"
    byes = "  due: bye of 4\n  held: bye of 1\n"
    differing = f"round 1 agrees\nround 2 differs\n{due}{byes}"
    assert outputs == [(1, differing, ""), (0, "round 1 agrees\nround 2 agrees\n", "")]


def _cell(text: str) -> str:
    opponent, *rest = text.split()
    return f"{opponent:>4} {' '.join(rest):<3}  "


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--players", "1"), "players must be between 2 and 9999, not 1"),
        (("--byes", "2"), "byes must be between 0 and 1, not 2.0"),
        (("--points", "3-1"), "'3-1' is not WIN-DRAW-LOSS, for example 3-1-0"),
        (("--forbidden", "500"), "there are not 500 pairs to keep apart"),
    ],
)
def test_random_tournament_rejects_senseless_conditions(
    option: tuple[str, str], message: str
) -> None:
    usual = {"--players": "8", "--rounds": "3", "--seed": "1"} | {option[0]: option[1]}
    arguments = [word for pair in usual.items() for word in pair]
    assert run("random_tournament", *arguments) == (2, "", f"{message}\n")


def test_verify_certificate(tmp_path: Path) -> None:
    request = request_next_round(read_trf((POSITIONS / "024.trf").read_bytes()))
    genuine = certify(request, pair_dutch(request), system="dutch")
    paths = {name: tmp_path / name for name in ("genuine", "other", "text")}
    paths["genuine"].write_text(str(genuine))
    paths["other"].write_text(str(replace(genuine, system="chess")))
    paths["text"].write_text("nothing")
    assert run("verify_certificate", paths["genuine"]) == (
        0,
        f"{paths['genuine']}: round 8 is paired as certified\n",
        "",
    )
    status, _, err = run("verify_certificate", paths["other"])
    assert (status, err) == (
        1,
        f"{paths['other']}: the input and the settings do not have their digest\n"
        f"{paths['other']}: there is no pairing system 'chess'\n",
    )
    assert run("verify_certificate", *paths.values())[0] == 3
    assert run("verify_certificate", tmp_path / "none")[0] == 3


OWN = '### Perihelion {"settings": {"system": "%s", "system_options": %s}%s}\n'


def test_options_in_the_file_pair_the_next_round(tmp_path: Path) -> None:
    rows = "".join(f"001 {n:>4} {n}".ljust(48) + f"{1600 - 100 * n}\n" for n in range(1, 7))
    trf = tmp_path / "mcmahon.trf"
    text = f"092 Individual: Swiss-System (McMahon)\n{rows}XXR 3\nXXC white1\n"
    for own, pairs in [
        ("", "1 2 4 3 5 6"),
        (OWN % ("mcmahon", '{"bar": 1, "band": 100}', ""), "1 6 5 2 3 4"),
        (
            OWN
            % (
                "mcmahon",
                '{"bar": 1}',
                ', "preferences": [{"players": [1, 6], "first_round": 1, "last_round": 0}]',
            ),
            "1 5 6 2 3 4",
        ),
        (OWN % ("knockout", '{"best_of": 3}', ""), "1 2 4 3 5 6"),
    ]:
        trf.write_text(text + own)
        status, out, err = run("pair", trf)
        assert (status, " ".join(out.split()[1:]), err) == (0, pairs, "")
    trf.write_text(text + OWN % ("mcmahon", '{"bar": "x"}', ""))
    assert run("pair", trf) == (3, "", f"{trf}: bar must be a whole number\n")


def test_standings_of_a_file_leave_out_who_was_expelled_and_keep_decided_ties(
    tmp_path: Path,
) -> None:
    trf = tmp_path / "own.trf"
    rows = "".join(f"001 {n:>4} Player {n}\n" for n in range(1, 5))
    own = (
        '### Perihelion {"players": {"4": {"expelled": "cheated"}}, "ties": [{"after": 1,'
        ' "players": [3, 1, 2], "by": "lot", "reason": "drawn"}]}\n'
    )
    cells = {1: "3 w =", 2: "4 w =", 3: "1 b =", 4: "2 b ="}
    rows = "".join(f"001 {n:>4}".ljust(91) + f"   {cell}\n" for n, cell in cells.items())
    note = "the tie-breaks are by FIDE's C.07 as in force from 2026-03-01; the event began earlier"
    for head, codes, is_noted in (
        ("042 2026/02/28\n", "PTS,BH", True),
        ("042 2026/02/28\n", "PTS", False),
        ("042 2026/03/01\n", "PTS,BH", False),
        ("", "PTS,BH", False),
    ):
        trf.write_text(f"{head}{rows}XXR 3\n")
        _, out, _ = run("standings", trf, "--tiebreaks", codes, "--format", "json")
        assert json.loads(out)["edition"] == (note if is_noted else None)
        _, _, err = run("standings", trf, "--tiebreaks", codes, "--format", "csv")
        assert (note in err) == is_noted
    trf.write_text(f"{rows}XXR 3\n{own}")
    status, out, err = run("standings", trf, "--tiebreaks", "PTS", "--format", "csv")
    assert (status, [line[:3] for line in out.splitlines()[1:]]) == (0, ["1,3", "2,1", "3,2"])
    assert "not in the standings, as the file says: 4 (cheated)" in err
