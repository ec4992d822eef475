"""Mark texts for translation."""


def gettext_noop(text: str) -> str:
    """Return a text, or a pattern with values, that is translated where it is shown.

    Django's function of this name needs settings, which the rules and the commands on files do not
    have. It has the same name because `makemessages` looks for it.
    """
    return text
