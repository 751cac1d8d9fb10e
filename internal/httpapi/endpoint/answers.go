package endpoint

import (
	"context"
	"errors"

	"almanac/internal/catalog/rows"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// Show answers with a thing in the form that body gives it, unless there was an error.
func Show[T, B any](thing T, err error, body func(T) B) (any, error) {
	if err != nil {
		return nil, err
	}
	return body(thing), nil
}

// Confirm gives the answer to something that was done, unless there was an error.
func Confirm(err error, answer any) (any, error) {
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// NotFoundAs tells the client with a message that something does not exist; other errors pass through.
func NotFoundAs(err error, message string) error {
	if errors.Is(err, domain.ErrNotFound) {
		return respond.NotFound(message)
	}
	return err
}

// Map returns the items in the form that body gives them; never nil.
func Map[T, B any](items []T, body func(T) B) []B {
	bodies := make([]B, len(items))
	for n, item := range items {
		bodies[n] = body(item)
	}
	return bodies
}

// ListAs answers with an object whose only member is a list of the items, unless there was an error.
func ListAs[T, B any](member string, items []T, err error, body func(T) B) (any, error) {
	if err != nil {
		return nil, err
	}
	return map[string][]B{member: Map(items, body)}, nil
}

// CatalogList answers with a numbered page of what a project has in the catalog.
func CatalogList[T, B any](
	c *Call, scope domain.ProjectScope, page decode.Page,
	list func(context.Context, domain.ProjectScope, rows.Page) ([]T, int, error), body func(T) B,
) (any, error) {
	found, total, err := list(c.Context(), scope, CatalogPage(page))
	if err != nil {
		return nil, err
	}
	return PageOf(c, page, total, found, body)
}
