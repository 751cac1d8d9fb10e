package apitest

import (
	"context"
	"slices"
	"testing"

	"almanac/internal/catalog"
	"almanac/internal/domain"
)

// OldestFirst returns all audit entries of an organization, oldest first.
func OldestFirst(ctx context.Context, c *catalog.Catalog, scope domain.OrganizationScope) ([]domain.AuditEntry, error) {
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

// checkOrigins checks that every audit entry of a key or an administrator names its request. Tests that write to the
// catalog directly use another actor.
func checkOrigins(t testing.TB, c *catalog.Catalog) {
	t.Helper()
	for e, err := range c.AuditLogOfInstance(context.Background(), "", catalog.AuditFilter{}) {
		if err != nil {
			return // it is closed
		}
		if slices.Contains([]string{"api-key", "admin", "admin-key"}, e.Actor.Kind) && e.Origin.RequestID == "" {
			t.Errorf("%s of %s %s by %s is recorded without its request", e.Action, e.ResourceKind, e.ResourceID, e.Actor.Kind)
		}
	}
}
