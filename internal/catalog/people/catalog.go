// Package people has the tables of accounts, sessions, invitations and memberships.
package people

import "almanac/internal/catalog/rows"

// Catalog is the part of the catalog that has people and what they belong to.
type Catalog struct{ db *rows.DB }

// New returns the part of the catalog in a database.
func New(db *rows.DB) *Catalog { return &Catalog{db} }
