"""What is wrong with a file of players, entries or records that is imported."""

from typing import Final

from django.utils.translation import gettext_noop

FILE_DETAILS: Final = (
    gettext_noop("%(column)s must have a value"),
    gettext_noop("%(count)s games fit"),
    gettext_noop("%(count)s of your imports are not finished; wait until one is"),
    gettext_noop("%(detail)s the task failed %(count)s times and is given up"),
    gettext_noop("%(detail)s; nothing was imported"),
    gettext_noop("%(expected)s values are expected, %(found)s found"),
    gettext_noop(
        "%(word)s is not a heading and a column, as Verein:club; the columns are %(columns)s and "
        "%(ignore)s"
    ),
    gettext_noop("%(word)s is not a three-letter code"),
    gettext_noop("%(word)s is not a whole number from 0 to %(most)s"),
    gettext_noop("%(word)s is not one of %(names)s, the codes of FIDE"),
    gettext_noop("%(year)s is not a year from %(first)s to %(last)s"),
    gettext_noop("; unknown: %(names)s"),
    gettext_noop("a NUL byte; the file is not text"),
    gettext_noop("a bundle has at most %(most)s bytes"),
    gettext_noop("a file has at most %(most)s bytes"),
    gettext_noop("a file has at most %(most)s lines"),
    gettext_noop("a file has at most %(most)s records"),
    gettext_noop("a new player needs a name"),
    gettext_noop("at most %(most)s characters"),
    gettext_noop("line %(line)s: %(detail)s"),
    gettext_noop("no game of the tournament fits"),
    gettext_noop("not %(encoding)s (byte %(byte)s of the file)"),
    gettext_noop("not CSV: %(reason)s"),
    gettext_noop("nothing was imported:"),
    gettext_noop("paste the text, or select a file"),
    gettext_noop("send the CSV as text/csv, or as the form field `file`"),
    gettext_noop("the account that sent this file is closed"),
    gettext_noop("the file is imported, but"),
    gettext_noop(
        "the first line must name columns out of %(columns)s, each once, with %(required)s among "
        "them; it is %(line)s%(detail)s; ?columns=Heading:column names the column of a heading, or "
        "%(ignore)s"
    ),
    gettext_noop("the record names no game; add tags Round and Table, or First and Second"),
    gettext_noop("the same game as in line %(line)s"),
    gettext_noop("the same player as in line %(line)s"),
)
