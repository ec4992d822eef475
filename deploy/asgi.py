"""The ASGI application; ordinary requests are faster through deploy.wsgi."""

import os

from django.core.asgi import get_asgi_application

from deploy.gc_tuning import collect_less_often, pause_collection

pause_collection()

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

application = get_asgi_application()

collect_less_often()
