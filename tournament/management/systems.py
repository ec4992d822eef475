"""The pairing system of a TRF file on the command line: the file's own, or the option's."""

from argparse import ArgumentParser
from dataclasses import replace

from tournament.pairing.errors import OptionError, PairingRequestError
from tournament.pairing.options import read_options
from tournament.pairing.systems import PAIRING_SYSTEMS
from tournament.pairing.trf_rounds import with_baku_points
from tournament.pairing.trf_types import DEFAULT_SYSTEM, named_systems
from tournament.trf import TrfFile


def add_system_arguments(parser: ArgumentParser) -> None:
    """Add the options `--system` and `--force-system`."""
    parser.add_argument(
        "--system",
        choices=list(PAIRING_SYSTEMS),
        help="the pairing system; by default the one that record 192 or 092 names, else dutch",
    )
    parser.add_argument(
        "--force-system",
        action="store_true",
        help="use --system although the file names another system",
    )


def choose_system(
    trf: TrfFile, requested: str | None, *, is_forced: bool = False
) -> tuple[str, TrfFile]:
    """Return the code of the system to pair by, and the file with the system's virtual points.

    The options in the file stay if they are those of the system. Raises PairingRequestError for
    wrong ones, and if the file names a system that is not supported, or another one than the
    requested system, and the request is not forced.
    """
    named = named_systems(trf.system, trf.header.kind)
    if named.text and not (requested and is_forced):
        _check_named(named.text, named.systems, requested)
    system = requested or (named.systems[0] if named.systems else DEFAULT_SYSTEM)
    trf = _with_options_of(trf, system)
    return system, with_baku_points(trf) if PAIRING_SYSTEMS[system].is_accelerated else trf


def _with_options_of(trf: TrfFile, system: str) -> TrfFile:
    own, options = trf.own, dict(trf.own.system_options)
    if own.settings.get("system") != system:
        options = {}
    try:
        for error in read_options(PAIRING_SYSTEMS[system].options, options)[1]:
            raise error
        if check := PAIRING_SYSTEMS[system].check_options:
            check(options)
    except OptionError as error:
        raise PairingRequestError(str(error)) from error
    return replace(trf, own=replace(own, settings={**own.settings, "system_options": options}))


def _check_named(text: str, systems: tuple[str, ...], requested: str | None) -> None:
    if requested in systems or (requested is None and len(systems) == 1):
        return
    if not systems:
        detail = f"the file names the system {text}, which is not supported"
    elif requested is None:
        detail = f"the file names the system {text}; select one with --system"
        raise PairingRequestError(f"{detail}: {', '.join(systems)}")
    else:
        detail = f"the file names the system {text} ({', '.join(systems)}), not {requested}"
    option = f"--system {requested or DEFAULT_SYSTEM} --force-system"
    raise PairingRequestError(f"{detail}; {option} pairs it all the same")
