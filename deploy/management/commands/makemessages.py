"""`manage.py makemessages`: collect the texts of pages, those marked by `noop` too."""

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=noop",
        "--keyword=Text:1",
    ]
