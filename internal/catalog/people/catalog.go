// Package people has the tables of accounts, sessions, invitations and memberships.
package people

import "almanac/internal/catalog/tables"

// Catalog is the part of the catalog for users and their memberships.
type Catalog struct{ db *tables.DB }

// New returns this part of the catalog stored in a database.
func New(db *tables.DB) *Catalog { return &Catalog{db} }
