// Package prompts serves prompts and skills.
package prompts

import (
	"almanac/internal/catalog"
	"almanac/internal/query/prompts"
	"almanac/internal/store"
)

// Handlers serves the prompt and skill routes.
type Handlers struct {
	Catalog *catalog.Catalog
	Prompts *prompts.Library
	Store   store.Store
}
