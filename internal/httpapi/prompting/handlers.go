// Package prompting serves prompts and skills.
package prompting

import (
	"almanac/internal/catalog"
	"almanac/internal/prompts"
)

// Handlers serve the routes of prompts and skills.
type Handlers struct {
	Catalog *catalog.Catalog
	Prompts *prompts.Library
}
