package langfuse

import (
	"encoding/json"

	"almanac/internal/domain"
)

// Rows makes rows of JSON objects with the members that those of the API have. Exports of Almanac have them, too. It is not safe for
// concurrent use.
type Rows struct{ rows }

// Begin forgets what was needed for the rows so far.
func (r *Rows) Begin() { r.begin() }

// Observation returns an observation, with the cost that it has.
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

// Score returns a score. If it makes no sense, the reason says why.
func (*Rows) Score(raw []byte) (row domain.Score, reason string, err error) {
	var s scoreRow
	if err := json.Unmarshal(raw, &s); err != nil {
		return row, "", err
	}
	row, reason = s.score(nil)
	return row, reason, nil
}
