package explore

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/explore"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/store"
)

// The limits of a selection.
const (
	maxSearch       = 1000 // characters
	maxEnvironments = 100
	maxEnvironment  = 200 // characters
	maxCursor       = 8 << 10
)

// The limits of lists.
const (
	defaultRows      = 50
	maxRows          = 200
	maxMetadataKeys  = 20
	maxMetadataKey   = 500 // characters
	maxFacets        = 30
	defaultFacet     = 10
	maxFacet         = 50
	maxColumn        = 600 // characters of the name of a column, a key of metadata included
	defaultBuckets   = 60
	maxBuckets       = 200
	maxPart          = 200 // characters of a part of an id
	maxPrefix        = 500
	maxFind          = 200
	defaultGroups    = 20
	maxGroups        = 100
	defaultSuggested = 20
)

// readSelection reads the members of a body that select observations. What is wrong with the filter, which has rules of its own, is
// returned.
func readSelection(b *decode.Object) (*explore.Selection, error) {
	s, err := readConditions(b)
	if err != nil {
		return nil, err
	}
	search := decode.NullishOr(b.Field("search"), func(v decode.Value) string { return v.TrimmedLen(0, maxSearch) }, "")
	if search == "" {
		return s, nil
	}
	found, err := filter.Search(search)
	switch {
	case errors.Is(err, filter.ErrNoWords):
		v := b.Field("search")
		v.Reject(decode.Violation(v.Path(), "Type at least one word to search for"))
	case err != nil:
		return nil, err
	}
	s.Where = append(s.Where, found)
	return s, nil
}

// readConditions reads a selection without the text that is searched for.
func readConditions(b *decode.Object) (*explore.Selection, error) {
	s := new(explore.Selection)
	s.From, s.To = readTime(b.Field("from")), readTime(b.Field("to"))
	environments := decode.NullishOr(b.Field("environment"), readEnvironments, nil)
	if err := readFilter(b.Field("filter"), s); err != nil {
		return nil, err
	}
	if len(environments) > 0 {
		within, err := filter.NewTexts(filter.ObservationColumn("environment"), filter.AnyOf, environments)
		if err != nil {
			return nil, err
		}
		s.Within = append(s.Within, within)
	}
	bounds := store.Query[domain.Observation]{From: s.From, To: s.To}
	for n := range s.Where {
		if s.Where[n].Column() == filter.ObservationColumn("startTime") {
			endpoint.Narrow(&bounds, &s.Where[n])
		}
	}
	s.From, s.To = bounds.From, bounds.To
	return s, nil
}

func readTime(v decode.Value) domain.Micros {
	return domain.MicrosOf(decode.NullishOr(v, decode.Value.Instant, time.Time{}))
}

func readEnvironments(v decode.Value) []string {
	var names []string
	for _, item := range v.ArrayLen(0, maxEnvironments) {
		names = append(names, item.TextLen(1, maxEnvironment))
	}
	if slices.Contains(names, "default") {
		names = append(names, "") // what rows without one are shown as
	}
	return names
}

// readFilter reads conditions, in the form that the parameter filter of the public API has. Those on scores are told apart from the others,
// whose columns an observation has itself.
func readFilter(v decode.Value, s *explore.Selection) error {
	switch v.Kind() {
	case "undefined", "null":
		return nil
	}
	drafts, err := filter.ParseDrafts(string(v.Raw()), filter.DefaultLimits(), v.Path()...)
	if err != nil {
		return endpoint.FilterError(err)
	}
	var others []filter.Draft
	for n := range drafts {
		if !explore.AboutScores(drafts[n].Column) {
			others = append(others, drafts[n])
		} else if err := s.AddScores(&drafts[n]); err != nil {
			return endpoint.FilterError(err)
		}
	}
	s.Where, err = filter.Build(filter.Observations(), others)
	return endpoint.FilterError(err)
}

// readOrder reads an order by one of some columns.
func readOrder(v decode.Value, columns []string) explore.Order {
	order := explore.Order{Column: columns[0]}
	if kind := v.Kind(); kind == "undefined" || kind == "null" {
		return order
	}
	o := v.Object()
	order.Column = o.Field("column").Enum(columns...)
	order.Ascending = decode.NullishOr(o.Field("direction"), func(v decode.Value) string { return v.Enum("asc", "desc") }, "desc") == "asc"
	o.Strict()
	return order
}

func readLimit(b *decode.Object, usual, most int) int {
	return decode.NullishOr(b.Field("limit"), func(v decode.Value) int { return v.IntWithin(1, most) }, usual)
}

// cursorOf returns a place as clients send it back; nil for none.
func cursorOf[P any](order explore.Order, place *P) *string {
	if place == nil {
		return nil
	}
	raw, err := json.Marshal(cursor[P]{order, place})
	if err != nil {
		panic("BUG: a place does not marshal: " + err.Error())
	}
	text := base64.RawURLEncoding.EncodeToString(raw)
	return &text
}

// cursor is a place with the order that it is meant for.
type cursor[P any] struct {
	Order explore.Order
	Place *P
}

// readCursor reads a place behind which a list goes on; nil if it begins.
func readCursor[P any](v decode.Value, order explore.Order) *P {
	text := decode.NullishOr(v, func(v decode.Value) string { return v.TextLen(0, maxCursor) }, "")
	if text == "" {
		return nil
	}
	var c cursor[P]
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	if err != nil || c.Place == nil || c.Order != order {
		v.Reject(decode.Violation(v.Path(), "The cursor is none of this list and order"))
		return nil
	}
	return c.Place
}
