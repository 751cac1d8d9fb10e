package scores

import (
	"cmp"
	"slices"

	"almanac/internal/domain"
)

// merge puts the writes of one id, in the order of their times, together with what is stored; stored is nil if nothing is.
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
	row.BrowserKey = drafts[0].BrowserKey // those of one request are of one key, and a browser changes only what is its own
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

// applyTo applies a write to what earlier writes gave; a row without an id is empty. Metadata are merged elsewhere.
func (d *Draft) applyTo(row *domain.Score) {
	if row.ID == "" {
		row.ID, row.Timestamp, row.Environment, row.TraceID = d.ID, cut(d.At), d.Environment, d.TraceID
	}
	row.EventAt = d.At
	row.Name, row.Source, row.DataType, row.QueueID = d.Name, d.Source, d.DataType, d.QueueID
	row.Value, row.StringValue = d.values()
	row.AuthorUserID = d.AuthorUserID // whoever wrote last stands for what is there
	d.ObservationID.apply(&row.ObservationID)
	d.SessionID.apply(&row.SessionID)
	d.ExperimentID.apply(&row.ExperimentID)
	d.Comment.apply(&row.Comment)
	d.ConfigID.apply(&row.ConfigID)
	d.ExecutionTraceID.apply(&row.ExecutionTraceID)
}

// values returns the value as a score has it.
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

// over puts a stored score over older writes that arrived later; without an id there are none.
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

// cut returns a time in whole milliseconds, which is how precisely scores are dated. No score is dated 0, which means none.
func cut(at domain.Micros) domain.Micros {
	if ms := at.Millis(); ms != 0 {
		return domain.Micros(ms * 1000)
	}
	return 1
}
