package playground

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"almanac/internal/catalog"
	"almanac/internal/catalog/tables"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
)

const (
	maxDescription = 5000 // characters
	noTool         = "There is no such tool in this project"
	noSchema       = "There is no such schema in this project"
)

type toolBody struct {
	domain.LLMTool
	CreatedAt respond.Time `json:"createdAt"`
	UpdatedAt respond.Time `json:"updatedAt"`
}

func newToolBody(t domain.LLMTool) toolBody {
	return toolBody{t, respond.Time(t.CreatedAt), respond.Time(t.UpdatedAt)}
}

type schemaBody struct {
	domain.LLMSchema
	CreatedAt respond.Time `json:"createdAt"`
	UpdatedAt respond.Time `json:"updatedAt"`
}

func newSchemaBody(s domain.LLMSchema) schemaBody {
	return schemaBody{s, respond.Time(s.CreatedAt), respond.Time(s.UpdatedAt)}
}

// ListTools returns the tools that the project keeps, by name.
func (h *Handlers) ListTools(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	tools, err := h.Catalog.LLMTools.List(c.Context(), scope, tables.Unlimited)
	return endpoint.ListAs("tools", tools, err, newToolBody)
}

// CreateTool keeps a tool.
func (h *Handlers) CreateTool(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readTool(c.Body())
	if err != nil {
		return nil, err
	}
	created, err := h.Catalog.LLMTools.Create(c.Context(), scope, n, c.Actor())
	if err != nil {
		return nil, libraryError(err, "tool", noTool)
	}
	return respond.Status{Code: http.StatusCreated, Body: newToolBody(created)}, nil
}

// ReplaceTool replaces a tool.
func (h *Handlers) ReplaceTool(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readTool(c.Body())
	if err != nil {
		return nil, err
	}
	t, err := h.Catalog.LLMTools.Change(c.Context(), scope, c.Path("toolId"),
		func(domain.LLMTool) (domain.LLMTool, error) { return n, nil }, c.Actor())
	return endpoint.Show(t, libraryError(err, "tool", noTool), newToolBody)
}

// DeleteTool deletes a tool. Playgrounds that have a copy of it keep it.
func (h *Handlers) DeleteTool(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.LLMTools.Delete(c.Context(), scope, c.Path("toolId"), c.Actor())
	return endpoint.Confirm(endpoint.NotFoundAs(err, noTool), respond.NoContent{})
}

// ListSchemas returns the schemas that the project keeps, by name.
func (h *Handlers) ListSchemas(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	schemas, err := h.Catalog.LLMSchemas.List(c.Context(), scope, tables.Unlimited)
	return endpoint.ListAs("schemas", schemas, err, newSchemaBody)
}

// CreateSchema keeps a schema.
func (h *Handlers) CreateSchema(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readLibrarySchema(c.Body())
	if err != nil {
		return nil, err
	}
	created, err := h.Catalog.LLMSchemas.Create(c.Context(), scope, n, c.Actor())
	if err != nil {
		return nil, libraryError(err, "schema", noSchema)
	}
	return respond.Status{Code: http.StatusCreated, Body: newSchemaBody(created)}, nil
}

// ReplaceSchema replaces a schema.
func (h *Handlers) ReplaceSchema(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	n, err := readLibrarySchema(c.Body())
	if err != nil {
		return nil, err
	}
	s, err := h.Catalog.LLMSchemas.Change(c.Context(), scope, c.Path("schemaId"),
		func(domain.LLMSchema) (domain.LLMSchema, error) { return n, nil }, c.Actor())
	return endpoint.Show(s, libraryError(err, "schema", noSchema), newSchemaBody)
}

// DeleteSchema deletes a schema. Playgrounds that have a copy of it keep it.
func (h *Handlers) DeleteSchema(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	err := h.Catalog.LLMSchemas.Delete(c.Context(), scope, c.Path("schemaId"), c.Actor())
	return endpoint.Confirm(endpoint.NotFoundAs(err, noSchema), respond.NoContent{})
}

func readTool(body decode.Value) (domain.LLMTool, error) {
	name, description, parameters, err := readNamedSchema(body, "parameters")
	return domain.LLMTool{Name: name, Description: description, Parameters: parameters}, err
}

func readLibrarySchema(body decode.Value) (domain.LLMSchema, error) {
	name, description, schema, err := readNamedSchema(body, "schema")
	return domain.LLMSchema{Name: name, Description: description, Schema: schema}, err
}

func readNamedSchema(body decode.Value, member string) (name, description string, schema json.RawMessage, err error) {
	b := body.Object()
	name = readToolName(b.Field("name"))
	description = decode.NullishOr(b.Field("description"), func(v decode.Value) string {
		return endpoint.RejectNUL(v, v.TextLen(0, maxDescription))
	}, "")
	schema = readSchemaText(b.Field(member))
	b.Strict()
	return name, description, schema, b.Err()
}

// libraryError returns the response for an error. There may be as many tools as schemas.
func libraryError(err error, kind, missing string) error {
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return respond.NotFound(missing)
	case errors.Is(err, domain.ErrConflict):
		return respond.Conflict(fmt.Sprintf("The project has a %s with this name already", kind))
	case errors.Is(err, domain.ErrTooMany):
		return respond.Conflict(fmt.Sprintf("A project keeps at most %d of the kind %s. Delete some first.", catalog.MaxLLMTools, kind))
	}
	return err
}
