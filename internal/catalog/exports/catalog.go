// Package exports has the tables of exports: those requested by users, and periodic exports to projects' buckets.
package exports

import "almanac/internal/catalog/tables"

// Catalog is the part of the catalog for exports and the buckets they are written to.
type Catalog struct{ db *tables.DB }

// New returns this part of the catalog stored in a database.
func New(db *tables.DB) *Catalog { return &Catalog{db} }
