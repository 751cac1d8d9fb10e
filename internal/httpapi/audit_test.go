package httpapi

import (
	"context"
	"slices"

	"almanac/internal/catalog"
	"almanac/internal/domain"
)

// oldestFirst returns all entries about an organization in the order in which they were made.
func oldestFirst(ctx context.Context, c *catalog.Catalog, scope domain.OrganizationScope) ([]domain.AuditEntry, error) {
	var log []domain.AuditEntry
	for e, err := range c.AuditLog(ctx, scope, catalog.AuditFilter{}) {
		if err != nil {
			return nil, err
		}
		log = append(log, *e)
	}
	slices.Reverse(log)
	return log, nil
}
