// Package prompts has the tables of prompts and skills: names with versions, labels and tags.
package prompts

import "almanac/internal/catalog/tables"

// Catalog is the part of the catalog for prompts and skills.
type Catalog struct{ db *tables.DB }

// New returns this part of the catalog stored in a database.
func New(db *tables.DB) *Catalog { return &Catalog{db} }
