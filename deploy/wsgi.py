"""The WSGI application."""

import os

from django.core.wsgi import get_wsgi_application

from deploy.gc_tuning import collect_less_often, pause_collection
from deploy.waits import wait_as_a_request

pause_collection()

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

application = get_wsgi_application()
wait_as_a_request()

collect_less_often()
