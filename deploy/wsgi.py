"""The WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

from deploy.gc_tuning import collect_less_often, pause_collection

pause_collection()

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
os.environ.setdefault("PERIHELION_SERVES_REQUESTS", "1")

application = get_wsgi_application()

collect_less_often()
