package langfuse

import (
	"context"

	"almanac/internal/domain/wire"
	"almanac/internal/transfer/importing"
)

// modelsOf leaves out the built-in models of the source, since this program has its own.
func modelsOf(_ context.Context, rows []wire.Model) (*importing.Page, error) {
	page := new(importing.Page)
	for n := range rows {
		if !rows[n].BuiltIn {
			page.Records = append(page.Records, rows[n].Domain())
		}
	}
	return page, nil
}

type connectionRow struct {
	Provider string `json:"provider"`
}

// connectionsOf skips connections: the API does not reveal their secrets, and a connection without its secret is
// useless.
func connectionsOf(_ context.Context, rows []connectionRow) (*importing.Page, error) {
	page := new(importing.Page)
	for _, row := range rows {
		page.Skipped = append(page.Skipped, importing.Skip{
			Reason: "the API does not expose its secret: connect the provider again, or import from the databases", Example: row.Provider,
		})
	}
	return page, nil
}
