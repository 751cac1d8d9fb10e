// Shows the API description of this server. Nothing is loaded from anywhere else.
// URLs are relative to /api/docs, wherever that is served.
window.SwaggerUIBundle({
  url: "openapi.yaml",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
});
