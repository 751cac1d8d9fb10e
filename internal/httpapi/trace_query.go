package httpapi

import (
	"slices"
	"strings"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/respond"
)

type traceCondition = filter.Condition[domain.TraceSummary]

// tracesQuery is what a client asks for.
type tracesQuery struct {
	page         decode.Page
	fields       respond.TraceFields
	order        traceOrder
	environments []string      // as the parameter has them, unless it gives way to the filter
	from, to     domain.Micros // of the earliest start: from <= it < to; 0 stands for no bound
	where        []traceCondition
	scores       []scoreCondition
}

// readTracesQuery reads the parameters, in the order in which their issues are reported.
func readTracesQuery(q *decode.Query) (*tracesQuery, error) {
	out := &tracesQuery{page: q.Page(defaultPage)}
	names := []string{"userId", "name", "sessionId", "version", "release"}
	texts := make([]*string, len(names))
	for n, name := range names {
		texts[n] = q.String(name)
	}
	tags := q.List("tags")
	out.environments = q.List("environment")
	from, to := domain.MicrosOf(q.Time("fromTimestamp")), domain.MicrosOf(q.Time("toTimestamp"))
	out.order = readTraceOrder(q)
	out.fields = respond.ParseTraceFields(textOf(q.String("fields")))
	text := textOf(q.String("filter"))
	if err := q.Err(); err != nil {
		return nil, err
	}
	if !slices.Contains(traceOrders, out.order.column) {
		return nil, respond.InvalidRequest("Invalid order by column: " + out.order.column)
	}
	given, scores, err := parseTraceFilter(text)
	if err != nil {
		return nil, err
	}
	out.where, out.scores = given, scores
	for n, name := range names {
		if column := traceColumn(name); texts[n] != nil && !filter.Addresses(given, column) {
			if err := out.add(filter.NewText(column, filter.Equal, *texts[n])); err != nil {
				return nil, err
			}
		}
	}
	if column := traceColumn("tags"); len(tags) > 0 && !filter.Addresses(given, column) {
		if err := out.add(filter.NewTexts(column, filter.AllOf, tags)); err != nil {
			return nil, err
		}
	}
	if column := traceColumn("environment"); filter.Addresses(given, column) {
		out.environments = nil
	} else if len(out.environments) > 0 {
		if err := out.add(filter.NewTexts(column, filter.AnyOf, out.environments)); err != nil {
			return nil, err
		}
	}
	if !filter.Addresses(given, traceColumn("timestamp")) {
		out.from, out.to = from, to
	}
	return out, nil
}

func (q *tracesQuery) add(condition traceCondition, err error) error {
	if err == nil {
		q.where = append(q.where, condition)
	}
	return err
}

// matches says whether a trace meets all conditions but those on scores.
func (q *tracesQuery) matches(t *domain.TraceSummary) bool {
	if q.from != 0 && t.Timestamp < q.from || q.to != 0 && t.Timestamp >= q.to {
		return false
	}
	for n := range q.where {
		if !q.where[n].Match(t) {
			return false
		}
	}
	return true
}

// needsMetadata says whether a condition is about metadata.
func (q *tracesQuery) needsMetadata() bool { return filter.Addresses(q.where, traceColumn("metadata")) }

func traceColumn(name string) *filter.Column[domain.TraceSummary] {
	return mustColumn(filter.Traces(), name)
}

// traceOrder is an order of traces.
type traceOrder struct {
	column    string
	ascending bool
}

// traceOrders are what traces can be ordered by.
var traceOrders = []string{"id", "timestamp", "name", "userId", "release", "version", "public", "bookmarked", "sessionId"}

// readTraceOrder reads a column and a direction, with a dot between them. The column is checked later.
func readTraceOrder(q *decode.Query) traceOrder {
	text := textOf(q.String("orderBy"))
	if text == "" {
		return traceOrder{column: "timestamp"}
	}
	column, direction, _ := strings.Cut(text, ".")
	direction = strings.ToUpper(direction)
	if direction != "ASC" && direction != "DESC" {
		q.Add(decode.NotInEnum([]any{"orderBy", "order"}, []string{"ASC", "DESC"}))
	}
	return traceOrder{column: column, ascending: direction == "ASC"}
}
