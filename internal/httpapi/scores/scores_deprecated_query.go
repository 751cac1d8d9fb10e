package scores

import (
	"slices"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/store"
)

// scorePageQuery is a query for a numbered page of scores.
type scorePageQuery struct {
	page       decode.Page
	query      store.Query[domain.Score]
	traces     []filter.Condition[domain.TraceSummary] // on the traces of scores
	withTraces bool                                    // scores are returned with a summary of their traces
}

// scoreOperators are the comparisons on the value of a score, in the order in which errors list them.
var scoreOperators = []string{"<", ">", "<=", ">=", "!=", "="}

// scorePageParameters holds the parameters common to both versions.
type scorePageParameters struct {
	page      decode.Page
	userID    string
	traceTags []string
	texts     []endpoint.EqualParam
	lists     []endpoint.FixedList
	operator  string
	value     *float64
	from, to  domain.Micros
}

// readScoresV1Query reads the parameters of version 1.
func readScoresV1Query(q *decode.Query) (*scorePageQuery, error) {
	p := readScorePageParameters(q, false)
	if err := q.Err(); err != nil {
		return nil, err
	}
	var known scoreConditions
	known.add(filter.NewText(filter.ScoreColumn("sessionId"), filter.Equal, ""))
	known.add(filter.NewText(filter.ScoreColumn("experimentId"), filter.Equal, ""))
	known.add(filter.NewTexts(filter.ScoreColumn("dataType"), filter.NoneOf, []string{domain.ScoreCorrection}))
	out, err := p.query(nil)
	if err != nil {
		return nil, err
	}
	out.query.Where = append(out.query.Where, known.list...)
	out.withTraces = true
	return out, known.err
}

// readScoresV2Query reads the parameters of version 2.
func readScoresV2Query(q *decode.Query) (*scorePageQuery, error) {
	p := readScorePageParameters(q, true)
	fields := q.CommaList("fields")
	text := endpoint.ValueOr(q.String("filter"), "")
	if err := q.Err(); err != nil {
		return nil, err
	}
	withTraces := len(fields) == 0 || slices.Contains(fields, "trace")
	switch {
	case len(fields) > 0 && !slices.Contains(fields, "score"):
		return nil, respond.InvalidRequest("Scores needs to be selected always.")
	case !withTraces && (p.userID != "" || len(p.traceTags) > 0):
		return nil, respond.InvalidRequest("Cannot filter by trace properties (userId, traceTags) when 'trace' field is not included. " +
			"Please add 'trace' to the fields parameter or remove trace filters.")
	}
	where, err := endpoint.ParseFilter(filter.Scores(), text)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(where, func(c filter.Condition[domain.Score]) bool { return c.Operator() == filter.Matches }) {
		return nil, respond.InvalidRequest("`matches` is not supported here.")
	}
	out, err := p.query(where)
	if err != nil {
		return nil, err
	}
	out.withTraces = withTraces
	return out, nil
}

// readScorePageParameters reads the parameters in the order in which their issues are reported. An empty value counts
// as absent.
func readScorePageParameters(q *decode.Query, second bool) *scorePageParameters {
	p := &scorePageParameters{page: q.Page(endpoint.DefaultPage)}
	addText := func(name, column string) {
		if text := endpoint.ValueOr(q.String(name), ""); text != "" {
			p.texts = append(p.texts, endpoint.EqualParam{Column: column, Text: text})
		}
	}
	addList := func(column string, texts []string) {
		if len(texts) > 0 {
			p.lists = append(p.lists, endpoint.FixedList{Column: column, Texts: texts})
		}
	}
	addEnum := func(name string, allowed []string) {
		if text := q.Enum(name, allowed...); text != "" {
			p.texts = append(p.texts, endpoint.EqualParam{Column: name, Text: text})
		}
	}
	p.userID = endpoint.ValueOr(q.String("userId"), "")
	addText("name", "name")
	p.from, p.to = timeBound(q.Time("fromTimestamp")), timeBound(q.Time("toTimestamp"))
	addList("environment", q.List("environment"))
	addEnum("source", scoreSources)
	p.operator = q.Enum("operator", scoreOperators...)
	p.value = q.Number("value")
	addList("id", q.CommaList("scoreIds"))
	addText("configId", "configId")
	if second {
		addText("sessionId", "sessionId")
		addText("datasetRunId", "experimentId")
		addText("traceId", "traceId")
		addList("observationId", q.CommaList("observationId"))
	}
	addText("queueId", "queueId")
	addEnum("dataType", scoreDataTypes)
	p.traceTags = q.List("traceTags")
	return p
}

// timeBound is boundOf for a time that is absent if it is the zero time.
func timeBound(t time.Time) domain.Micros {
	if t.IsZero() {
		return 0
	}
	return boundOf(&t)
}

// query combines the conditions of a filter with the parameters, each of which is overridden by a filter on the same
// column.
func (p *scorePageParameters) query(given []filter.Condition[domain.Score]) (*scorePageQuery, error) {
	out := &scorePageQuery{page: p.page}
	where := scoreConditions{list: slices.Clone(given)}
	free := func(column string) bool { return !filter.Addresses(given, filter.ScoreColumn(column)) }
	for _, t := range p.texts {
		if free(t.Column) {
			where.add(filter.NewText(filter.ScoreColumn(t.Column), filter.Equal, t.Text))
		}
	}
	for _, l := range p.lists {
		if free(l.Column) {
			where.add(filter.NewTexts(filter.ScoreColumn(l.Column), filter.AnyOf, l.Texts))
		}
	}
	if p.operator != "" && p.value != nil && free("value") {
		where.add(p.compareValue())
	}
	out.query.Where = where.list
	if free("timestamp") {
		out.query.From, out.query.To = p.from, p.to
	}
	for n := range given {
		if given[n].Column() == filter.ScoreColumn("timestamp") {
			out.query.Narrow(&given[n])
		}
	}
	if where.err != nil {
		return nil, where.err
	}
	return out, p.addTraceConditions(out)
}

func (p *scorePageParameters) compareValue() (filter.Condition[domain.Score], error) {
	if p.operator == "!=" {
		return filter.NewNumbers(filter.ScoreColumn("value"), filter.NoneOf, []float64{*p.value})
	}
	return filter.NewNumber(filter.ScoreColumn("value"), filter.Operator(p.operator), *p.value)
}

func (p *scorePageParameters) addTraceConditions(out *scorePageQuery) error {
	if p.userID != "" {
		condition, err := filter.NewText(filter.TraceColumn("userId"), filter.Equal, p.userID)
		if err != nil {
			return err
		}
		out.traces = append(out.traces, condition)
	}
	if len(p.traceTags) > 0 {
		condition, err := filter.NewTexts(filter.TraceColumn("tags"), filter.AllOf, p.traceTags)
		if err != nil {
			return err
		}
		out.traces = append(out.traces, condition)
	}
	return nil
}
