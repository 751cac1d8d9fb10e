// Package evaluators serves evaluators and evaluation rules, on stable and unstable routes. They are stored but not yet
// run.
package evaluators

import "almanac/internal/catalog"

// Handlers serves the evaluation routes.
type Handlers struct{ Catalog *catalog.Catalog }
