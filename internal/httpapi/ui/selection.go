package ui

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/query/explore"
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
	maxColumn        = 600 // characters in a column name, including a metadata key
	defaultBuckets   = 60
	maxBuckets       = 200
	maxPart          = 200 // characters in a part of an id
	maxPrefix        = 500
	maxFind          = 200
	defaultGroups    = 20
	maxGroups        = 100
	defaultSuggested = 20
)

// readSelection reads the members of a body that select observations. It returns only errors of the filter, which has
// its own rules; other issues are recorded in b.
func readSelection(b *decode.Object) (*explore.Selection, error) {
	choice := readChoice(b)
	choice.Search = decode.NullishOr(b.Field("search"), func(v decode.Value) string { return v.TrimmedLen(0, maxSearch) }, "")
	s, err := choice.Observations(b.Field("filter").Path()...)
	if errors.Is(err, filter.ErrNoWords) {
		v := b.Field("search")
		v.Reject(decode.Violation(v.Path(), "Type at least one word to search for"))
		return new(explore.Selection), nil
	}
	return s, endpoint.FilterError(err)
}

// readConditions reads a selection without a search string.
func readConditions(b *decode.Object) (*explore.Selection, error) {
	choice := readChoice(b)
	s, err := choice.Observations(b.Field("filter").Path()...)
	return s, endpoint.FilterError(err)
}

func readChoice(b *decode.Object) *explore.Choice {
	c := &explore.Choice{From: readTime(b.Field("from")), To: readTime(b.Field("to"))}
	c.Environments = decode.NullishOr(b.Field("environment"), readEnvironments, nil)
	if v := b.Field("filter"); v.Kind() != "undefined" && v.Kind() != "null" {
		c.Filter = v.Raw()
	}
	switch on := decode.NullishOr(b.Field("conditionsOn"), func(v decode.Value) string {
		return v.Enum("observations", "traces", "sessions", "users")
	}, ""); on {
	case "traces":
		c.OnTraces = true
	case "sessions", "users":
		c.On = on
	}
	return c
}

func readTime(v decode.Value) domain.Micros {
	return domain.MicrosOf(decode.NullishOr(v, decode.Value.Instant, time.Time{}))
}

func readEnvironments(v decode.Value) []string {
	var names []string
	for _, item := range v.ArrayLen(0, maxEnvironments) {
		names = append(names, item.TextLen(1, maxEnvironment))
	}
	return names
}

// readOrder reads an order by one of the columns; the first is the default.
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

// cursorOf encodes a place as a cursor; nil for none.
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

// cursor is a place with the order to which it belongs.
type cursor[P any] struct {
	Order explore.Order
	Place *P
}

// readCursor reads the place after which a list continues; nil for its beginning.
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
