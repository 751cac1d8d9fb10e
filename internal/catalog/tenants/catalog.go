// Package tenants has the tables of organizations and their projects, with their API keys and limits.
package tenants

import "almanac/internal/catalog/tables"

// Catalog is the part of the catalog for organizations, projects, keys and limits.
type Catalog struct{ db *tables.DB }

// New returns this part of the catalog stored in a database.
func New(db *tables.DB) *Catalog { return &Catalog{db} }
