// Package blobs has the tables of media and of the blobs that their bytes are in, and of blobs that nobody needs any more.
package blobs

import "almanac/internal/catalog/rows"

// Catalog is the part of the catalog that has media and unused blobs.
type Catalog struct{ db *rows.DB }

// New returns the part of the catalog in a database.
func New(db *rows.DB) *Catalog { return &Catalog{db} }
