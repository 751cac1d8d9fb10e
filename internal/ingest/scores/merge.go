package scores

import (
	"cmp"
	"slices"

	"almanac/internal/domain"
)

// merge combines the writes with one id, sorted by time, with the stored score, which is nil if there is none.
func merge(stored *domain.Score, drafts []*Draft, now domain.Micros) domain.Score {
	older := 0
	if stored != nil {
		for _, d := range drafts {
			if d.Received {
				d.At = max(d.At, newest(stored))
			}
		}
		slices.SortStableFunc(drafts, func(a, b *Draft) int { return cmp.Compare(a.At, b.At) })
		older = len(drafts)
		if n := slices.IndexFunc(drafts, func(d *Draft) bool { return d.At >= newest(stored) }); n >= 0 {
			older = n
		}
	}
	var row domain.Score
	metadata := make([]string, 0, len(drafts)+1)
	for _, d := range drafts[:older] {
		d.applyTo(&row)
		metadata = append(metadata, d.Metadata)
	}
	if stored != nil {
		row = over(row, *stored)
		metadata = append(metadata, stored.Metadata)
	}
	for _, d := range drafts[older:] {
		d.applyTo(&row)
		metadata = append(metadata, d.Metadata)
	}
	row.Metadata = mergeMetadata(metadata)
	row.BrowserKey = drafts[0].BrowserKey // a request has one key, and a browser only changes its own scores
	row.UpdatedAt = now
	if row.CreatedAt == 0 {
		row.CreatedAt = now
	}
	return row
}

// newest returns when the newest write of a stored score was made.
func newest(s *domain.Score) domain.Micros {
	if s.EventAt == 0 {
		return s.Timestamp
	}
	return s.EventAt
}

// applyTo applies a write to the result of earlier writes; a row without an id is empty. Metadata is merged elsewhere.
func (d *Draft) applyTo(row *domain.Score) {
	if row.ID == "" {
		row.ID, row.Timestamp, row.Environment, row.TraceID = d.ID, cut(d.At), d.Environment, d.TraceID
	}
	row.EventAt = d.At
	row.Name, row.Source, row.DataType, row.QueueID = d.Name, d.Source, d.DataType, d.QueueID
	row.Value, row.StringValue = d.values()
	row.AuthorUserID = d.AuthorUserID // the last author stands for the whole score
	d.ObservationID.apply(&row.ObservationID)
	d.SessionID.apply(&row.SessionID)
	d.ExperimentID.apply(&row.ExperimentID)
	d.Comment.apply(&row.Comment)
	d.ConfigID.apply(&row.ConfigID)
	d.ExecutionTraceID.apply(&row.ExecutionTraceID)
}

// values returns the number and the string that a score stores for the value.
func (d *Draft) values() (domain.OptFloat, string) {
	switch d.DataType {
	case domain.ScoreBoolean:
		if d.Number == 1 {
			return domain.FloatOf(1), "True"
		}
		return domain.FloatOf(0), "False"
	case domain.ScoreNumeric:
		return domain.FloatOf(d.Number), ""
	}
	return d.category, d.Text
}

// over puts a stored score over the result of older writes that arrived later; if that has no id, there are none.
func over(older, stored domain.Score) domain.Score {
	if older.ID == "" {
		return stored
	}
	if older.Timestamp < stored.Timestamp {
		stored.Timestamp, stored.Environment, stored.TraceID = older.Timestamp, older.Environment, older.TraceID
	}
	for _, text := range [...]struct{ over, under *string }{
		{&stored.ObservationID, &older.ObservationID},
		{&stored.SessionID, &older.SessionID},
		{&stored.ExperimentID, &older.ExperimentID},
		{&stored.Comment, &older.Comment},
		{&stored.ConfigID, &older.ConfigID},
		{&stored.ExecutionTraceID, &older.ExecutionTraceID},
	} {
		if *text.over == "" {
			*text.over = *text.under
		}
	}
	return stored
}

// cut truncates a time to milliseconds, the precision of score timestamps. It never returns 0, which means no time.
func cut(at domain.Micros) domain.Micros {
	if ms := at.Millis(); ms != 0 {
		return domain.Micros(ms * 1000)
	}
	return 1
}
