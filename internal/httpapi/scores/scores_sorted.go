package scores

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/explore"
	"almanac/internal/store"
)

// The limits of a query of the web application for scores.
const (
	maxEnvironments = 100
	maxEnvironment  = 200 // characters
	maxPlace        = 4 << 10
)

// place is where a page of sorted scores ends.
type place struct {
	HasNumber bool          `json:"n,omitempty"`
	Number    float64       `json:"v,omitempty"`
	Text      string        `json:"t,omitempty"`
	At        domain.Micros `json:"at"`
	ID        string        `json:"id"`
}

// maxPlaceText is how many bytes of a text decide about its place.
const maxPlaceText = 200

// sorted is a query for scores in an order other than that of the store.
type sorted struct {
	byTime, ascending bool
	query             store.Query[domain.Score]
	limit             int
	after             *place
}

// QueryScores returns the scores that conditions select, ordered by time or by value.
func (h *Handlers) QueryScores(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q, err := readSorted(c.Body())
	if err != nil {
		return nil, err
	}
	found, err := h.firstOf(c.Context(), scope, q)
	if err != nil {
		return nil, err
	}
	more := len(found) > q.limit
	found = found[:min(len(found), q.limit)]
	rows, err := h.scoresAt(c.Context(), scope, q, found)
	if err != nil {
		return nil, err
	}
	fields, _ := respond.ParseScoreFields([]string{"details", "subject", "annotation"})
	project := scope.ProjectID()
	list := &endpoint.List[domain.Score]{
		Rows: func(yield func(*domain.Score, error) bool) {
			for _, s := range rows {
				if !yield(s, nil) {
					return
				}
			}
		},
		Limit: q.limit,
		Write: func(dst []byte, s *domain.Score, flush respond.Flush) []byte {
			return respond.AppendScore(dst, s, project, fields, flush)
		},
		Finish: func(dst []byte, _ bool) []byte {
			dst = append(dst, `,"cursor":`...)
			if !more {
				return append(dst, "null"...)
			}
			dst = append(append(dst, '"'), found[len(found)-1].encode()...)
			return append(dst, '"')
		},
	}
	return list.Answer(c)
}

// firstOf returns the places of the first scores after the cursor, and of one more if there are more. It holds no more
// than twice as many, however many match.
func (h *Handlers) firstOf(ctx context.Context, scope domain.ProjectScope, q *sorted) ([]place, error) {
	kept := make([]place, 0, 2*(q.limit+1))
	cut := func() {
		slices.SortFunc(kept, q.compare)
		kept = kept[:min(len(kept), q.limit+1)]
	}
	for s, err := range withValue(h.Store.Scores().Scan(ctx, scope, q.query)) {
		if err != nil {
			return nil, err
		}
		p := placeOf(s)
		if q.after != nil && q.compare(p, *q.after) <= 0 {
			continue
		}
		p.Text, p.ID = strings.Clone(p.Text), strings.Clone(p.ID) // the store reuses the row
		if kept = append(kept, p); len(kept) == cap(kept) {
			cut()
		}
	}
	cut()
	return kept, nil
}

// scoresAt returns the scores at places, in their order, with everything that a page shows.
func (h *Handlers) scoresAt(ctx context.Context, scope domain.ProjectScope, q *sorted, places []place) ([]*domain.Score, error) {
	if len(places) == 0 {
		return nil, nil
	}
	ids := make([]string, len(places))
	at := make(map[string]int, len(places))
	for n, p := range places {
		ids[n], at[p.ID] = p.ID, n
	}
	these, err := filter.NewTexts(filter.ScoreColumn("id"), filter.AnyOf, ids)
	if err != nil {
		return nil, err
	}
	query := store.Query[domain.Score]{
		From: q.query.From, To: q.query.To, Where: []filter.Condition[domain.Score]{these},
		Want: store.WantMetadata | store.WantDetails,
	}
	rows := make([]*domain.Score, len(places))
	for s, err := range withValue(h.Store.Scores().Scan(ctx, scope, query)) {
		if err != nil {
			return nil, err
		}
		if n, ok := at[s.ID]; ok {
			one := s.Clone()
			rows[n] = &one
		}
	}
	// One that was deleted meanwhile is left out.
	return slices.DeleteFunc(rows, func(s *domain.Score) bool { return s == nil }), nil
}

func placeOf(s *domain.Score) place {
	p := place{At: s.Timestamp, ID: s.ID}
	switch s.DataType {
	case domain.ScoreNumeric, domain.ScoreBoolean:
		p.HasNumber, p.Number = s.Value.Set, s.Value.Value
	default:
		p.Text = s.StringValue[:min(len(s.StringValue), maxPlaceText)]
	}
	return p
}

// compare orders places: numbers come before texts, and among equal values the newest come first.
func (q *sorted) compare(a, b place) int {
	turn := func(order int) int {
		if q.ascending {
			return order
		}
		return -order
	}
	if q.byTime {
		return cmp.Or(turn(cmp.Compare(a.At, b.At)), turn(strings.Compare(a.ID, b.ID)))
	}
	if a.HasNumber != b.HasNumber {
		if a.HasNumber {
			return -1
		}
		return 1
	}
	return cmp.Or(turn(cmp.Compare(a.Number, b.Number)), turn(strings.Compare(a.Text, b.Text)), cmp.Compare(b.At, a.At),
		strings.Compare(a.ID, b.ID))
}

// encode returns the place as a cursor.
func (p *place) encode() string {
	raw, err := json.Marshal(p)
	if err != nil {
		panic("BUG: a place does not marshal: " + err.Error())
	}
	return base64.RawURLEncoding.EncodeToString(raw)
}

func readPlace(v decode.Value) *place {
	raw, err := base64.RawURLEncoding.DecodeString(v.TextLen(1, maxPlace))
	p := new(place)
	if err != nil || json.Unmarshal(raw, p) != nil {
		v.Reject(decode.Violation(v.Path(), "Not a cursor of this list"))
		return nil
	}
	return p
}

func readSorted(body decode.Value) (*sorted, error) {
	b := body.Object()
	choice := &explore.Choice{}
	if at := decode.Nullish(b.Field("from"), decode.Value.Instant); at != nil {
		choice.From = domain.MicrosOf(*at)
	}
	if at := decode.Nullish(b.Field("to"), decode.Value.Instant); at != nil {
		choice.To = domain.MicrosOf(*at)
	}
	choice.Environments = decode.NullishOr(b.Field("environment"), func(v decode.Value) []string {
		var names []string
		for _, item := range v.ArrayLen(0, maxEnvironments) {
			names = append(names, item.TextLen(1, maxEnvironment))
		}
		return names
	}, nil)
	if v := b.Field("filter"); v.Kind() != "undefined" && v.Kind() != "null" {
		choice.Filter = v.Raw()
	}
	q := &sorted{byTime: true}
	if v := b.Field("order"); v.Kind() != "undefined" && v.Kind() != "null" {
		o := v.Object()
		q.byTime = o.Field("column").Enum("timestamp", "value") != "value"
		q.ascending = decode.NullishOr(o.Field("direction"), func(v decode.Value) string { return v.Enum("asc", "desc") }, "desc") == "asc"
		o.Strict()
	}
	q.after = decode.Nullish(b.Field("cursor"), func(v decode.Value) place {
		if p := readPlace(v); p != nil {
			return *p
		}
		return place{}
	})
	q.limit = decode.NullishOr(b.Field("limit"), func(v decode.Value) int { return v.IntWithin(1, maxScores) }, defaultScores)
	query, err := choice.Scores(b.Field("filter").Path()...)
	if err != nil {
		return nil, endpoint.FilterError(err)
	}
	b.Strict()
	q.query = query
	return q, b.Err()
}
