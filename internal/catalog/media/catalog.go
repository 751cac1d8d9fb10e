// Package media has the tables of media, of the blobs that hold their bytes, and of unused blobs.
package media

import "almanac/internal/catalog/tables"

// Catalog is the part of the catalog for media and unused blobs.
type Catalog struct{ db *tables.DB }

// New returns this part of the catalog stored in a database.
func New(db *tables.DB) *Catalog { return &Catalog{db} }
