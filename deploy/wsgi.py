"""The web application, as a WSGI server loads it."""

import os

from django.core.wsgi import get_wsgi_application

from deploy.gc_tuning import collect_seldom

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

application = get_wsgi_application()

collect_seldom()
