// Package prompting has the tables of prompts and skills: names with versions, labels and tags.
package prompting

import "almanac/internal/catalog/rows"

// Catalog is the part of the catalog that has prompts and skills.
type Catalog struct{ db *rows.DB }

// New returns the part of the catalog in a database.
func New(db *rows.DB) *Catalog { return &Catalog{db} }
