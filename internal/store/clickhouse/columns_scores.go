package clickhouse

import (
	"almanac/internal/domain"
	"almanac/internal/store"
)

// scoreColumns returns the columns of scores, in the order in which they are inserted.
func scoreColumns() []column[domain.Score] {
	type row = domain.Score
	columns := []column[row]{
		textColumn("id", 0, func(s *row) *string { return &s.ID }),
		timeColumn("timestamp", func(s *row) *domain.Micros { return &s.Timestamp }),
		textColumn("trace_id", 0, func(s *row) *string { return &s.TraceID }),
		textColumn("observation_id", 0, func(s *row) *string { return &s.ObservationID }),
		textColumn("session_id", 0, func(s *row) *string { return &s.SessionID }),
		textColumn("experiment_id", 0, func(s *row) *string { return &s.ExperimentID }),
		wordColumn("name", func(s *row) *string { return &s.Name }),
		wordColumn("source", func(s *row) *string { return &s.Source }),
		wordColumn("data_type", func(s *row) *string { return &s.DataType }),
		optFloatColumn("value", func(s *row) *domain.OptFloat { return &s.Value }),
		textColumn("string_value", 0, func(s *row) *string { return &s.StringValue }),
		wordColumn("environment", func(s *row) *string { return &s.Environment }),
		textColumn("comment", store.WantDetails, func(s *row) *string { return &s.Comment }),
		wordColumn("config_id", func(s *row) *string { return &s.ConfigID }),
		wordColumn("queue_id", func(s *row) *string { return &s.QueueID }),
		wordColumn("author_user_id", func(s *row) *string { return &s.AuthorUserID }),
		textColumn("execution_trace_id", 0, func(s *row) *string { return &s.ExecutionTraceID }),
		textColumn("metadata", store.WantMetadata, func(s *row) *string { return &s.Metadata }),
		timeColumn("created_at", func(s *row) *domain.Micros { return &s.CreatedAt }),
		timeColumn("updated_at", func(s *row) *domain.Micros { return &s.UpdatedAt }),
		timeColumn("event_at", func(s *row) *domain.Micros { return &s.EventAt }),
		wordColumn("browser_key", func(s *row) *string { return &s.BrowserKey }),
	}
	return append(columns, entryColumns(func(s *row) *string { return &s.Metadata })...)
}
