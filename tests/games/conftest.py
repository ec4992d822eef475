"""The people and events of the tests in this folder."""

from tests.events import event
from tests.people import ada, anonymous, ben, everyone, organiser, stranger

__all__ = ["ada", "anonymous", "ben", "event", "everyone", "organiser", "stranger"]
