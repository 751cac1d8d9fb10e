package langfuse

import (
	"encoding/json"

	"almanac/internal/domain"
)

// Rows maps JSON objects with the members of API rows to our rows. Exports of Almanac have the same members. It is not
// safe for concurrent use.
type Rows struct{ rows }

// Begin releases what was needed for earlier rows.
func (r *Rows) Begin() { r.begin() }

// Observation returns an observation, with its original cost.
func (r *Rows) Observation(raw []byte) (domain.Observation, error) {
	var o observationRow
	if err := json.Unmarshal(raw, &o); err != nil {
		return domain.Observation{}, err
	}
	return r.observation(&o), nil
}

// Trace returns a trace.
func (r *Rows) Trace(raw []byte) (domain.TraceSummary, error) {
	var t traceRow
	if err := json.Unmarshal(raw, &t); err != nil {
		return domain.TraceSummary{}, err
	}
	return r.summary(&t), nil
}

// Score returns a score. If it is unusable, reason says why.
func (*Rows) Score(raw []byte) (row domain.Score, reason string, err error) {
	var s scoreRow
	if err := json.Unmarshal(raw, &s); err != nil {
		return row, "", err
	}
	row, reason = s.score(nil)
	return row, reason, nil
}
