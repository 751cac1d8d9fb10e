package endpoint

import (
	"errors"

	"almanac/internal/catalog/tables"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/respond"
)

// Show returns a handler's result: body(thing), or the error.
func Show[T, B any](thing T, err error, body func(T) B) (any, error) {
	if err != nil {
		return nil, err
	}
	return body(thing), nil
}

// Confirm returns a handler's result: answer, or the error.
func Confirm(err error, answer any) (any, error) {
	if err != nil {
		return nil, err
	}
	return answer, nil
}

// NotFoundAs turns domain.ErrNotFound into a 404 with the message; other errors pass through.
func NotFoundAs(err error, message string) error {
	if errors.Is(err, domain.ErrNotFound) {
		return respond.NotFound(message)
	}
	return err
}

// Map applies body to each item. The result is never nil.
func Map[T, B any](items []T, body func(T) B) []B {
	bodies := make([]B, len(items))
	for n, item := range items {
		bodies[n] = body(item)
	}
	return bodies
}

// ListAs returns a handler's result: an object whose only member is the list of items, or the error.
func ListAs[T, B any](member string, items []T, err error, body func(T) B) (any, error) {
	if err != nil {
		return nil, err
	}
	return map[string][]B{member: Map(items, body)}, nil
}

// CatalogList returns a numbered page of a project's objects in the catalog that match all conditions.
func CatalogList[T, B any](
	c *Call, scope domain.ProjectScope, page decode.Page, list tables.Entity[T], body func(T) B, conditions ...tables.Condition,
) (any, error) {
	found, total, err := list.Page(c.Context(), scope, CatalogPage(page), conditions...)
	if err != nil {
		return nil, err
	}
	return PageOf(c, page, total, found, body)
}
