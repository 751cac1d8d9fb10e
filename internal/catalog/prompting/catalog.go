// Package prompting has the tables of prompts and skills: names with versions, labels and tags.
package prompting

import "almanac/internal/catalog/rows"

// Catalog is the part of the catalog for prompts and skills.
type Catalog struct{ db *rows.DB }

// New returns this part of the catalog stored in a database.
func New(db *rows.DB) *Catalog { return &Catalog{db} }
