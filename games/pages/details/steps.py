"""What a task that imports a file is doing."""

from typing import Final

from django.utils.translation import gettext_noop

STEP_DETAILS: Final = (
    gettext_noop("reading lines"),
    gettext_noop("reading bytes"),
    gettext_noop("reading the file"),
    gettext_noop("verifying records, at line"),
    gettext_noop("verifying records"),
    gettext_noop("verifying the journal"),
    gettext_noop("registering players"),
    gettext_noop("matching players"),
    gettext_noop("entering players"),
    gettext_noop("numbering entries"),
    gettext_noop("storing standings"),
    gettext_noop("writing rulings"),
    gettext_noop("writing the journal"),
    gettext_noop("writing rows"),
    gettext_noop("writing rounds"),
    gettext_noop("writing games"),
    gettext_noop("writing results"),
    gettext_noop("writing pairings"),
    gettext_noop("comparing ranks"),
    gettext_noop("pairing rounds again"),
    gettext_noop("creating games"),
    gettext_noop("creating reports"),
)
