// Package evaluation serves evaluators and evaluation rules, in their stable and their unstable form. They are kept, and
// nothing runs them yet.
package evaluation

import "almanac/internal/catalog"

// Handlers serve the routes of evaluations.
type Handlers struct{ Catalog *catalog.Catalog }
