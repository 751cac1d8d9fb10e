package apitest

import (
	"context"
	"fmt"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// BusyTable is a score table that accepts neither writes nor deletions.
type BusyTable struct{ store.Table[domain.Score] }

// ScoreEventText returns an event that creates a score.
func ScoreEventText(event, score string) string {
	return fmt.Sprintf(`{"id":%q,"type":"score-create","timestamp":"2026-03-01T10:00:00.123456Z","body":{"id":%q,"traceId":"t","name":"n","value":0.9}}`, event, score)
}

// EventText returns an event of an older client.
func EventText(id, kind, timestamp, body string) string {
	return fmt.Sprintf(`{"id":%q,"type":%q,"timestamp":%q,"body":%s}`, id, kind, timestamp, body)
}

// BatchText returns a batch of events.
func BatchText(events ...string) string { return `{"batch":[` + strings.Join(events, ",") + `]}` }

// Append refuses scores, as a store does that cannot keep up.
func (BusyTable) Append(context.Context, domain.ProjectScope, []domain.Score) error {
	return store.ErrBusy
}

// Delete fails, as it does on a full disk.
func (BusyTable) Delete(context.Context, domain.ProjectScope, store.Selection) (int, error) {
	return 0, store.ErrDiskFull
}
