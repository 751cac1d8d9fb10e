// Package prompting serves prompts and skills.
package prompting

import (
	"almanac/internal/catalog"
	"almanac/internal/prompts"
)

// Handlers serves the prompt and skill routes.
type Handlers struct {
	Catalog *catalog.Catalog
	Prompts *prompts.Library
}
