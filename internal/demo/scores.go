package demo

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Score is the opinion of a person or a program about a trace. Its id depends only on the trace and the name.
type Score struct {
	ID            string `json:"id"`
	TraceID       string `json:"traceId"`
	ObservationID string `json:"observationId,omitempty"`
	Name          string `json:"name"`
	DataType      string `json:"dataType"`
	Value         any    `json:"value"`
	Source        string `json:"source"`
	Comment       string `json:"comment,omitempty"`
	Environment   string `json:"environment,omitempty"`
	at            time.Time
}

// verdict is the result of an evaluator span.
type verdict struct {
	name   string
	value  float64
	reason string
}

// scoreNumber is the chance number for scores.
const scoreNumber = 1 << 43

// Scores returns the scores of the trace: the verdicts of evaluators (numeric), what a judge says about the tone of the
// support agent (categorical), and feedback of customers who press a button (boolean).
func (t *Trace) Scores() []Score {
	root := t.Spans[0]
	c := newChance(binary.BigEndian.Uint64(root.traceID[:8]), scoreNumber)
	var list []Score
	add := func(s Score) {
		s.ID, s.TraceID, s.Environment, s.at = t.ID()+"-"+s.Name, t.ID(), root.text("langfuse.environment"), root.end
		list = append(list, s)
	}
	for _, s := range t.Spans {
		if v := s.verdict; v != nil {
			add(Score{Name: v.name, DataType: "NUMERIC", Value: v.value, Source: "EVAL", Comment: v.reason})
		}
	}
	if t.Session == "" { // not a conversation
		return list
	}
	if answer := t.last(kindGeneration); answer != nil {
		tone := "friendly"
		switch {
		case c.happens(0.05):
			tone = "curt"
		case c.happens(0.3):
			tone = "neutral"
		}
		add(Score{Name: "tone", DataType: "CATEGORICAL", Value: tone, Source: "EVAL", ObservationID: hex.EncodeToString(answer.id[:])})
	}
	if c.happens(0.4) {
		helpful, comment := 1, ""
		if root.Failed() || c.happens(0.15) {
			helpful, comment = 0, pick(c, []string{"", "That was not my question.", "It took too long."})
		}
		add(Score{Name: "helpful", DataType: "BOOLEAN", Value: helpful, Source: "API", Comment: comment})
	}
	return list
}

// last returns the last span of a kind, or nil.
func (t *Trace) last(kind string) *Span {
	for _, s := range slices.Backward(t.Spans) {
		if s.kind == kind {
			return s
		}
	}
	return nil
}

// text returns a string attribute, or "".
func (s *Span) text(key string) string {
	for _, a := range s.attributes {
		if text, ok := a.value.(string); ok && a.key == key {
			return text
		}
	}
	return ""
}

// ScoreBatch encodes scores as a batch of events, as client libraries send them.
func ScoreBatch(scores []Score) ([]byte, error) {
	type event struct {
		ID        string `json:"id"`
		Type      string `json:"type"`
		Timestamp string `json:"timestamp"`
		Body      Score  `json:"body"`
	}
	events := make([]event, len(scores))
	for n, s := range scores {
		events[n] = event{"event-" + s.ID, "score-create", s.at.UTC().Format("2006-01-02T15:04:05.000000Z"), s}
	}
	body, err := json.Marshal(map[string]any{"batch": events})
	if err != nil {
		return nil, fmt.Errorf("cannot write %d scores: %w", len(scores), err)
	}
	return body, nil
}
