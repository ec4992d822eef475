"""The web application, as a WSGI server loads it."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

application = get_wsgi_application()

# What a request makes lives until its answer is written. A collector that walks through it again
# and again on the way takes a third of the time of a table of a thousand players.
gc.collect()
gc.freeze()
gc.set_threshold(50_000, 20, 50)
