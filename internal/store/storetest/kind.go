package storetest

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// kind describes one kind of row, so that everything else is written once for both tables. Field accessors return
// pointers, since they are used both to read and to build rows.
type kind[R any] struct {
	name      string
	table     func(store.Store) store.Table[R]
	stats     func(store.Stats) store.TableStats
	mark      func(store.Store) int64
	catalogue *filter.Catalogue[R]
	// derived are columns derived from one column, several columns, a list or a time.
	derived []*filter.Column[R]
	// search returns a condition that searches several columns for a string; nil if these rows cannot be searched.
	search func(text string) (filter.Condition[R], error)
	// named are the columns by which rows are looked up.
	named map[string]func(*R) *string

	keyHasTrace bool // the key is trace id and id rather than the id alone
	traceID     func(*R) *string
	id          func(*R) *string
	sessionID   func(*R) *string
	label       func(*R) *string // a short string that distinguishes versions of a row: its name
	time        func(*R) *domain.Micros

	parts func(*R) []part
}

// part holds the fields of one bit of store.Want, which may be empty unless they are requested. All other fields are
// narrow: they are always returned.
type part struct {
	want   store.Want
	fields []*string
}

func observations() *kind[domain.Observation] {
	type R = domain.Observation
	return &kind[R]{
		name:        "observations",
		table:       store.Store.Observations,
		stats:       func(s store.Stats) store.TableStats { return s.Observations },
		mark:        func(s store.Store) int64 { return s.Mark().Observations },
		catalogue:   filter.Observations(),
		search:      filter.Search,
		keyHasTrace: true,
		traceID:     func(o *R) *string { return &o.TraceID },
		id:          func(o *R) *string { return &o.ID },
		sessionID:   func(o *R) *string { return &o.SessionID },
		label:       func(o *R) *string { return &o.Name },
		time:        func(o *R) *domain.Micros { return &o.StartTime },
		derived: derivedOf(filter.Observations(), derivedFrom[R]{
			text: "name", textOf: func(o *R) string { return o.Name }, list: "tags", listOf: func(o *R) []string { return o.Tags },
			time: "startTime", timeOf: func(o *R) domain.Micros { return o.StartTime }, number: "latency",
		}),
		named: map[string]func(*R) *string{
			"id":        func(o *R) *string { return &o.ID },
			"traceId":   func(o *R) *string { return &o.TraceID },
			"sessionId": func(o *R) *string { return &o.SessionID },
		},
		parts: func(o *R) []part {
			return []part{
				{store.WantIO, []*string{&o.Input, &o.Output}},
				{store.WantMetadata, []*string{&o.Metadata}},
				{store.WantTrace, []*string{&o.TraceInput, &o.TraceOutput, &o.TraceMetadata}},
				{store.WantStatus, []*string{&o.StatusMessage}},
				{store.WantUsage, []*string{&o.ProvidedUsage, &o.Usage, &o.ProvidedCost, &o.Cost}},
				{store.WantDetails, []*string{
					&o.ModelParameters, &o.ToolDefinitions, &o.ToolCalls, &o.ExperimentDescription, &o.ExperimentMetadata,
					&o.ExperimentItemExpectedOutput, &o.ExperimentItemMetadata,
				}},
			}
		},
	}
}

func scores() *kind[domain.Score] {
	type R = domain.Score
	return &kind[R]{
		name:      "scores",
		table:     store.Store.Scores,
		stats:     func(s store.Stats) store.TableStats { return s.Scores },
		mark:      func(s store.Store) int64 { return s.Mark().Scores },
		catalogue: filter.Scores(),
		traceID:   func(s *R) *string { return &s.TraceID },
		id:        func(s *R) *string { return &s.ID },
		sessionID: func(s *R) *string { return &s.SessionID },
		label:     func(s *R) *string { return &s.Name },
		time:      func(s *R) *domain.Micros { return &s.Timestamp },
		derived: derivedOf(filter.Scores(), derivedFrom[R]{
			text: "stringValue", textOf: func(s *R) string { return s.StringValue },
			time: "timestamp", timeOf: func(s *R) domain.Micros { return s.Timestamp }, number: "value",
		}),
		named: map[string]func(*R) *string{
			"id":            func(s *R) *string { return &s.ID },
			"traceId":       func(s *R) *string { return &s.TraceID },
			"sessionId":     func(s *R) *string { return &s.SessionID },
			"observationId": func(s *R) *string { return &s.ObservationID },
			"experimentId":  func(s *R) *string { return &s.ExperimentID },
		},
		parts: func(s *R) []part {
			return []part{
				{store.WantMetadata, []*string{&s.Metadata}},
				{store.WantDetails, []*string{&s.Comment}},
			}
		},
	}
}

// row returns a row with only the mandatory fields.
func (k *kind[R]) row(traceID, id string, at domain.Micros) R {
	var row R
	*k.traceID(&row), *k.id(&row), *k.time(&row) = traceID, id, at
	return row
}

// labelled is row with a label.
func (k *kind[R]) labelled(traceID, id string, at domain.Micros, label string) R {
	row := k.row(traceID, id, at)
	*k.label(&row) = label
	return row
}

// key identifies a row within its project.
type key struct{ traceID, id string }

func (k *kind[R]) key(row *R) key {
	if k.keyHasTrace {
		return key{*k.traceID(row), *k.id(row)}
	}
	return key{id: *k.id(row)}
}

// position returns the row's position in the order: its time and its key.
func (k *kind[R]) position(row *R) store.Position {
	key := k.key(row)
	return store.Position{Millis: k.time(row).Millis(), TraceID: key.traceID, ID: key.id}
}

// comparePositions returns a negative number if a comes before b: newest first, then by key, descending.
func comparePositions(a, b store.Position) int {
	return cmp.Or(cmp.Compare(b.Millis, a.Millis), cmp.Compare(b.TraceID, a.TraceID), cmp.Compare(b.ID, a.ID))
}

// compare orders rows as reads do.
func (k *kind[R]) compare(a, b R) int { return comparePositions(k.position(&a), k.position(&b)) }

// unwanted returns the fields that may be empty in a row read with this Want.
func (k *kind[R]) unwanted(row *R, want store.Want) []*string {
	var fields []*string
	for _, p := range k.parts(row) {
		if want&p.want == 0 {
			fields = append(fields, p.fields...)
		}
	}
	return fields
}

// narrow clears the fields that a read with this Want need not return.
func (k *kind[R]) narrow(row *R, want store.Want) {
	for _, field := range k.unwanted(row, want) {
		*field = ""
	}
}

// names returns trace id and id of each row: enough to see which are missing or out of order.
func (k *kind[R]) names(rows []R) []string {
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = *k.traceID(&rows[i]) + "/" + *k.id(&rows[i])
	}
	return names
}

// diff returns how rows differ from those expected, or "". Unwanted fields may be empty or hold the expected value, but
// nothing else.
func (k *kind[R]) diff(want, got []R, parts store.Want) string {
	if names := k.names(want); !slices.Equal(names, k.names(got)) {
		return "other rows or another order (-want +got):\n" + gocmp.Diff(names, k.names(got), cmpopts.EquateEmpty())
	}
	filled := make([]R, len(got))
	for i := range got {
		filled[i] = got[i]
		expected := k.unwanted(&want[i], parts)
		for j, field := range k.unwanted(&filled[i], parts) {
			if *field == "" {
				*field = *expected[j]
			}
		}
	}
	for i := range filled {
		// Check the common case quickly, since this runs very often.
		if reflect.DeepEqual(&want[i], &filled[i]) {
			continue
		}
		if d := gocmp.Diff(want[i], filled[i], cmpopts.EquateEmpty()); d != "" {
			return fmt.Sprintf("other contents of row %d, %s (-want +got):\n%s", i, k.names(want[i : i+1])[0], d)
		}
	}
	return ""
}

// clone returns a deep copy of a row, which shares no memory with the original.
func clone[R any](row *R) R {
	c := *row
	v := reflect.ValueOf(&c).Elem()
	// Value.Fields would also describe each field, which takes longer than copying it.
	for i, n := 0, v.NumField(); i < n; i++ {
		switch field := v.Field(i); field.Kind() {
		case reflect.String:
			field.SetString(strings.Clone(field.String()))
		case reflect.Slice:
			if !field.IsNil() {
				field.Set(reflect.ValueOf(cloneTexts(field.Interface().([]string))))
			}
		default: // numbers and flags were already copied
		}
	}
	return c
}

func cloneTexts(texts []string) []string {
	c := make([]string, len(texts))
	for i, text := range texts {
		c[i] = strings.Clone(text)
	}
	return c
}

// describe formats the fields of a row that are set.
func describe[R any](row *R) string {
	var b strings.Builder
	v := reflect.ValueOf(row).Elem()
	for i := range v.NumField() {
		field := v.Field(i)
		if field.IsZero() {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s=", v.Type().Field(i).Name)
		switch value := field.Interface().(type) {
		case string:
			fmt.Fprintf(&b, "%.200q", value)
		case []string:
			fmt.Fprintf(&b, "%.20q", value)
		case domain.Micros:
			b.WriteString(describeTime(value))
		case domain.OptInt:
			fmt.Fprint(&b, value.Value)
		case domain.OptFloat:
			fmt.Fprint(&b, value.Value)
		default:
			fmt.Fprint(&b, value)
		}
	}
	return "{" + b.String() + "}"
}
