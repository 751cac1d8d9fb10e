package traces

import (
	"slices"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/traces"
)

type traceCondition = filter.Condition[domain.TraceSummary]

// tracesQuery is a query for traces.
type tracesQuery struct {
	traces.Query
	page         decode.Page
	fields       respond.TraceFields
	environments []string // from the parameter; nil if the filter overrides it
}

// readTracesQuery reads the parameters, in the order in which their issues are reported.
func readTracesQuery(q *decode.Query) (*tracesQuery, error) {
	out := &tracesQuery{page: q.Page(endpoint.DefaultPage)}
	names := []string{"userId", "name", "sessionId", "version", "release"}
	texts := make([]*string, len(names))
	for n, name := range names {
		texts[n] = q.String(name)
	}
	tags := q.List("tags")
	out.environments = q.List("environment")
	from, to := domain.MicrosOf(q.Time("fromTimestamp")), domain.MicrosOf(q.Time("toTimestamp"))
	out.Order = readTraceOrder(q)
	out.fields = respond.ParseTraceFields(endpoint.ValueOr(q.String("fields"), ""))
	text := endpoint.ValueOr(q.String("filter"), "")
	if err := q.Err(); err != nil {
		return nil, err
	}
	if !slices.Contains(traces.Orders, out.Order.Column) {
		return nil, respond.InvalidRequest("Invalid order by column: " + out.Order.Column)
	}
	given, scores, err := parseTraceFilter(text)
	if err != nil {
		return nil, err
	}
	out.Where, out.Scores = given, scores
	for n, name := range names {
		if column := filter.TraceColumn(name); texts[n] != nil && !filter.Addresses(given, column) {
			if err := out.add(filter.NewText(column, filter.Equal, *texts[n])); err != nil {
				return nil, err
			}
		}
	}
	if column := filter.TraceColumn("tags"); len(tags) > 0 && !filter.Addresses(given, column) {
		if err := out.add(filter.NewTexts(column, filter.AllOf, tags)); err != nil {
			return nil, err
		}
	}
	if column := filter.TraceColumn("environment"); filter.Addresses(given, column) {
		out.environments = nil
	} else if len(out.environments) > 0 {
		if err := out.add(filter.NewTexts(column, filter.AnyOf, out.environments)); err != nil {
			return nil, err
		}
	}
	if !filter.Addresses(given, filter.TraceColumn("timestamp")) {
		out.From, out.To = from, to
	}
	return out, nil
}

func (q *tracesQuery) add(condition traceCondition, err error) error {
	if err == nil {
		q.Where = append(q.Where, condition)
	}
	return err
}

// parts returns the parts of traces that must be read.
func (q *tracesQuery) parts() traces.Parts {
	return traces.Parts{
		Content: q.fields.Has(respond.TraceIO), Observations: q.fields.Has(respond.TraceObservations),
		Scores:       q.fields.Has(respond.TraceScores),
		Environments: q.environments,
	}
}

// readTraceOrder reads a column and a direction, separated by a dot. The caller must check the column.
func readTraceOrder(q *decode.Query) traces.Order {
	text := endpoint.ValueOr(q.String("orderBy"), "")
	if text == "" {
		return traces.Order{Column: "timestamp"}
	}
	column, direction, _ := strings.Cut(text, ".")
	direction = strings.ToUpper(direction)
	if direction != "ASC" && direction != "DESC" {
		q.Add(decode.NotInEnum([]any{"orderBy", "order"}, []string{"ASC", "DESC"}))
	}
	return traces.Order{Column: column, Ascending: direction == "ASC"}
}
