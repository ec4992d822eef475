"""Pages of the service itself: its texts, the API description and its documentation."""

from typing import Any

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest
from django.views.decorators.http import require_safe
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request

from deploy.texts import render_text
from games.http.errors import NotFound
from games.pages.views import PageView


class TextPage(PageView):
    """A text of the project, such as the README."""

    template = "deploy/text.html"

    def context(self, request: Request, name: str = "", **address: Any) -> dict[str, Any]:
        """Return the text as HTML; raises NotFound, since an installation may omit it."""
        text = render_text(name)
        if text is None:
            raise NotFound("not_found", f"this installation has no {name}")
        return {"name": name, "text": text}


@require_safe
def picture(request: HttpRequest, name: str) -> FileResponse:
    """Return a picture of the texts."""
    try:
        return FileResponse((settings.BASE_DIR / name).open("rb"))
    except FileNotFoundError as error:
        raise Http404 from error


class Schema(SpectacularAPIView):
    """The OpenAPI description, which takes long to compute."""

    throttle_scope = "schema"


class Docs(SpectacularSwaggerSplitView):
    """The API documentation, whose scripts and styles are files of this service."""

    template_name = "deploy/api_docs.html"
