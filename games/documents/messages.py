"""Mark texts for translation."""

from games.rules.messages import gettext_noop

__all__ = ["gettext_noop"]
