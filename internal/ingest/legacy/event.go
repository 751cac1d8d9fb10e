// Package legacy converts events of the batch ingestion endpoint about traces and observations, sent by older clients,
// to rows.
package legacy

import (
	"encoding/json"

	"almanac/internal/domain"
)

// Event is one event of a batch.
type Event struct {
	ID        string
	Type      string
	Timestamp domain.Micros
	Body      json.RawMessage
	// MayPublish says whether the event may publish its trace. Otherwise it is stored without that mark.
	MayPublish bool
}
