// Addresses are relative to /api/docs, wherever that is.
// Shows the API description of this very server. Nothing is loaded from elsewhere.
window.SwaggerUIBundle({
  url: "openapi.yaml",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
});
