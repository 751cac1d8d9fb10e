package traces

import (
	"encoding/json"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/store"
)

// The limits of a page of observations.
const (
	defaultObservations = 50
	maxObservations     = 1000
)

// ObservationsQuery is a query for observations.
type ObservationsQuery struct {
	fields respond.Fields
	expand *respond.Expand
	limit  int
	query  store.Query[domain.Observation]
}

// ReadObservations reads a request for a page of observations.
func ReadObservations(c *endpoint.Call) (*ObservationsQuery, error) {
	return readObservationsQuery(c.Query())
}

// ListObservations returns a page of observations, newest first.
func (h *Handlers) ListObservations(c *endpoint.Call, scope domain.ProjectScope, q *ObservationsQuery) (any, error) {
	if q.limit == 0 {
		return json.RawMessage(`{"data":[],"meta":{}}`), nil
	}
	prices, err := h.unitPrices(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	marks, err := h.Marks.Of(c.Context(), scope)
	if err != nil {
		return nil, err
	}
	if filter.Addresses(q.query.Where, filter.ObservationColumn("tags")) {
		if q.query.Where, err = filter.OverrideTags(q.query.Where, domain.TagsOf(marks)); err != nil {
			return nil, err
		}
	}
	q.query.Limit, q.query.Want = q.limit+1, wantOf(q.fields)
	project := scope.ProjectID()
	var last domain.Observation // only the fields for its cursor, copied from the row
	var trace, id []byte
	shown := h.viewer(c, scope, q)
	list := &endpoint.List[domain.Observation]{
		Rows: h.Store.Observations().Scan(c.Context(), scope, q.query), Limit: q.limit,
		Write: func(dst []byte, row *domain.Observation, flush respond.Flush) []byte {
			last.StartTime, trace, id = row.StartTime, append(trace[:0], row.TraceID...), append(id[:0], row.ID...)
			shown(row)
			if m, marked := marks[row.TraceID]; marked {
				own := *row // the row belongs to the store
				m.OutweighRow(&own)
				row = &own
			}
			return respond.AppendObservation(dst, row, project, q.fields, q.expand, prices, flush)
		},
		Finish: func(dst []byte, more bool) []byte {
			if !more {
				return append(dst, `,"meta":{}`...)
			}
			dst = append(dst, `,"meta":{"cursor":"`...)
			dst = append(dst, respond.EncodeCursor(last.StartTime, string(trace), string(id))...)
			return append(dst, `"}`...)
		},
	}
	return list.Answer(c)
}

// wantOf returns the parts of a row that field groups need.
func wantOf(f respond.Fields) (want store.Want) {
	for _, part := range []struct {
		needed bool
		want   store.Want
	}{
		{f.NeedIO(), store.WantIO},
		{f.NeedMetadata(), store.WantMetadata},
		{f.NeedStatus(), store.WantStatus},
		{f.NeedUsage(), store.WantUsage},
		{f.NeedDetails(), store.WantDetails},
	} {
		if part.needed {
			want |= part.want
		}
	}
	return want
}

// readObservationsQuery reads the parameters, in the order in which their issues are reported.
func readObservationsQuery(q *decode.Query) (*ObservationsQuery, error) {
	out := new(ObservationsQuery)
	var refused *respond.Error
	if names := q.Values("fields"); len(names) > 1 {
		out.fields, refused = respond.ParseFieldList(names)
		endpoint.AddIssues(q, refused)
	} else {
		out.fields = respond.ParseFields(endpoint.ValueOr(q.String("fields"), ""))
	}
	out.expand, refused = respond.ParseExpand(endpoint.ValueOr(q.String("expandMetadata"), ""))
	endpoint.AddIssues(q, refused)
	out.limit = q.Int("limit", decode.IntRule{Default: defaultObservations, Max: maxObservations, EmptyIsZero: true})
	cursor := q.String("cursor")
	readParseIO(q)
	fixed := readFixedConditions(q)
	text := endpoint.ValueOr(q.String("filter"), "")
	if err := q.Err(); err != nil {
		return nil, err
	}
	if cursor != nil {
		position, refused := respond.DecodeCursor(*cursor)
		if refused != nil {
			return nil, refused
		}
		out.query.After = (*store.Position)(&position)
	}
	where, err := endpoint.ParseFilter(filter.Observations(), text)
	if err != nil {
		return nil, err
	}
	return out, fixed.apply(&out.query, where)
}

// readParseIO rejects a parameter of earlier versions: input and output are strings, which clients parse themselves.
func readParseIO(q *decode.Query) {
	switch text := q.String("parseIoAsJson"); {
	case text == nil || *text == "false":
	case *text == "true":
		q.Add(decode.Violation([]any{"parseIoAsJson"}, "parseIoAsJson=true is not supported: input and output are returned as texts"))
	default:
		q.Add(decode.NoVariant([]any{"parseIoAsJson"},
			[]decode.Issue{
				decode.NotInEnum([]any{}, []string{"true", "false"}),
			}, []decode.Issue{decode.WrongType([]any{}, "boolean", "string")}))
	}
}

// The values of an observation's type and level.
var (
	observationTypes = []string{
		"SPAN", "EVENT", "GENERATION", "AGENT", "TOOL", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL",
	}
	observationLevels = []string{"DEBUG", "DEFAULT", "WARNING", "ERROR"}
)

// fixedConditions holds the parameters that select rows without a filter. Each is overridden by a filter on the same
// column.
type fixedConditions struct {
	from, to domain.Micros
	texts    []endpoint.EqualParam
	lists    []endpoint.FixedList
	isRoot   *bool
}

func readFixedConditions(q *decode.Query) *fixedConditions {
	f := new(fixedConditions)
	for _, enum := range []struct {
		name    string
		allowed []string
	}{{"type", observationTypes}, {"level", observationLevels}} {
		if text := q.Enum(enum.name, enum.allowed...); text != "" {
			f.texts = append(f.texts, endpoint.EqualParam{Column: enum.name, Text: text})
		}
	}
	for _, name := range []string{"name", "userId", "sessionId", "traceId", "version", "parentObservationId"} {
		if text := q.String(name); text != nil {
			f.texts = append(f.texts, endpoint.EqualParam{Column: name, Text: *text})
		}
	}
	f.isRoot = q.Bool("isRootObservation")
	if environments := q.List("environment"); len(environments) > 0 {
		f.lists = append(f.lists, endpoint.FixedList{Column: "environment", Texts: environments})
	}
	f.from, f.to = domain.MicrosOf(q.Time("fromStartTime")), domain.MicrosOf(q.Time("toStartTime"))
	return f
}

// apply adds the conditions of a filter to a query, and the parameters that it does not override.
func (f *fixedConditions) apply(query *store.Query[domain.Observation], where []filter.Condition[domain.Observation]) error {
	query.Where = where
	add := func(name string, condition func(*filter.Column[domain.Observation]) (filter.Condition[domain.Observation], error)) error {
		column := filter.ObservationColumn(name)
		if filter.Addresses(where, column) {
			return nil
		}
		made, err := condition(column)
		if err == nil {
			query.Where = append(query.Where, made)
		}
		return err
	}
	for _, t := range f.texts {
		if err := add(t.Column, func(c *filter.Column[domain.Observation]) (filter.Condition[domain.Observation], error) {
			return filter.NewText(c, filter.Equal, t.Text)
		}); err != nil {
			return err
		}
	}
	for _, l := range f.lists {
		if err := add(l.Column, func(c *filter.Column[domain.Observation]) (filter.Condition[domain.Observation], error) {
			return filter.NewTexts(c, filter.AnyOf, l.Texts)
		}); err != nil {
			return err
		}
	}
	if f.isRoot != nil {
		if err := add("isRootObservation", func(c *filter.Column[domain.Observation]) (filter.Condition[domain.Observation], error) {
			return filter.NewBool(c, filter.Equal, *f.isRoot)
		}); err != nil {
			return err
		}
	}
	start := filter.ObservationColumn("startTime")
	if !filter.Addresses(where, start) {
		query.From, query.To = f.from, f.to
		return nil
	}
	for n := range where {
		if where[n].Column() == start {
			query.Narrow(&where[n])
		}
	}
	return nil
}
