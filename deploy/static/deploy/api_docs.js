/* The documentation of the API: Swagger UI in the colours that the reader prefers. */
const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
const place = document.getElementById("swagger-ui");
SwaggerUIBundle({
  domNode: place,
  url: place.dataset.schema,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  defaultModelsExpandDepth: 0,
});
