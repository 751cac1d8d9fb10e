// Package exports has the tables of exports: those that somebody asks for, and those into buckets of projects, now and then.
package exports

import "almanac/internal/catalog/rows"

// Catalog is the part of the catalog that has exports and the buckets that they go to.
type Catalog struct{ db *rows.DB }

// New returns the part of the catalog in a database.
func New(db *rows.DB) *Catalog { return &Catalog{db} }
