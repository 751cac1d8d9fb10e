// Package blobs has the tables of media, of the blobs that hold their bytes, and of unused blobs.
package blobs

import "almanac/internal/catalog/rows"

// Catalog is the part of the catalog for media and unused blobs.
type Catalog struct{ db *rows.DB }

// New returns this part of the catalog stored in a database.
func New(db *rows.DB) *Catalog { return &Catalog{db} }
