package scores

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/store"
)

// The values of a score's source and data type, in the order in which errors list them.
var (
	scoreSources   = []string{"API", "EVAL", "ANNOTATION"}
	scoreDataTypes = []string{
		domain.ScoreNumeric, domain.ScoreCategorical, domain.ScoreBoolean, domain.ScoreCorrection, domain.ScoreText,
	}
)

// Query is a query for scores.
type Query struct {
	// The traces or the sessions to which it is restricted; at most one of these lists has ids.
	traceIDs, sessionIDs []string

	fields respond.ScoreFields
	limit  int
	query  store.Query[domain.Score]
}

// readScoresQuery reads the parameters, in the order in which their issues are reported. It rejects unknown ones.
func readScoresQuery(q *decode.Query) (*Query, error) {
	out := &Query{limit: q.Int("limit", decode.IntRule{Default: defaultScores, Min: 1, Max: maxScores})}
	cursor := q.String("cursor")
	out.fields = readScoreFields(q)
	p := readScoreParameters(q)
	out.traceIDs, out.sessionIDs = p.lists["traceId"], p.lists["sessionId"]
	q.Strict()
	// Parameters can be checked against each other only if all of them are well-formed.
	if !q.Has("invalid_type", "invalid_value", "unrecognized_keys") {
		for _, message := range p.violations() {
			q.Add(decode.Violation(nil, message))
		}
	}
	if err := q.Err(); err != nil {
		return nil, err
	}
	if cursor != nil {
		position, refused := respond.DecodeTimestampCursor(*cursor)
		if refused != nil {
			return nil, refused
		}
		out.query.After = (*store.Position)(&position)
	}
	return out, p.apply(&out.query)
}

// readScoreFields reads a comma-separated list of groups. If the parameter is repeated, each value is one group.
func readScoreFields(q *decode.Query) respond.ScoreFields {
	names := q.Values("fields")
	if len(names) == 1 {
		names = q.CommaList("fields")
	}
	fields, refused := respond.ParseScoreFields(names)
	endpoint.AddIssues(q, refused)
	return fields
}

// scoreParameters holds the parameters that select scores.
type scoreParameters struct {
	lists              map[string][]string // by column: any of these values
	values             []string
	valueMin, valueMax *float64
	from, to           *time.Time
	userID, traceTags  bool // whether they are given
}

// scoreLists names the list parameters in two parts: value, valueMin and valueMax are read between them.
var scoreLists = [2][]string{
	{"environment", "configId", "queueId", "authorUserId"},
	{"traceId", "sessionId", "observationId", "experimentId"},
}

func readScoreParameters(q *decode.Query) *scoreParameters {
	p := &scoreParameters{lists: make(map[string][]string)}
	for _, name := range []string{"id", "name"} {
		p.lists[name] = q.CommaList(name)
	}
	p.lists["source"] = readChoices(q, "source", scoreSources)
	p.lists["dataType"] = readChoices(q, "dataType", scoreDataTypes)
	for _, name := range scoreLists[0] {
		p.lists[name] = q.CommaList(name)
	}
	p.values = q.CommaList("value")
	p.valueMin, p.valueMax = q.Number("valueMin"), q.Number("valueMax")
	for _, name := range scoreLists[1] {
		p.lists[name] = q.CommaList(name)
	}
	p.from, p.to = q.Date("fromTimestamp"), q.Date("toTimestamp")
	p.userID, p.traceTags = endpoint.ValueOr(q.String("userId"), "") != "", endpoint.ValueOr(q.String("traceTags"), "") != ""
	return p
}

// readChoices reads a list of values that must be among the allowed ones, ignoring case. Invalid values are returned as
// well, because they show what the client meant.
func readChoices(q *decode.Query, name string, allowed []string) []string {
	var list []string
	for _, text := range q.CommaList(name) {
		text = strings.ToUpper(text)
		if slices.Contains(list, text) {
			continue
		}
		list = append(list, text)
		if !slices.Contains(allowed, text) {
			q.Add(decode.Violation([]any{name},
				fmt.Sprintf(`Invalid %s value: "%s". Allowed: %s`, name, text, strings.Join(allowed, ", "))))
		}
	}
	return list
}

// violations returns the conflicts between parameters.
func (p *scoreParameters) violations() []string {
	var list []string
	add := func(wrong bool, message string) {
		if wrong {
			list = append(list, message)
		}
	}
	add(p.userID, "userId filter requires a trace JOIN and is not supported in v3 — use v2 or omit this filter")
	add(p.traceTags, "traceTags filter requires a trace JOIN and is not supported in v3 — use v2 or omit this filter")
	if len(p.values) > 0 {
		_, wrong := p.numbers()
		list = append(list, wrong...)
	}
	add((p.valueMin != nil || p.valueMax != nil) && p.dataType() != domain.ScoreNumeric,
		"valueMin and valueMax require dataType=NUMERIC as a single value")
	add(len(p.lists["observationId"]) > 0 && len(p.lists["traceId"]) == 0,
		"observationId filter requires traceId — observation IDs are scoped to a trace")
	subjects := 0
	for _, name := range []string{"traceId", "sessionId", "experimentId"} {
		subjects += min(1, len(p.lists[name]))
	}
	add(subjects > 1, "At most one of traceId, sessionId, experimentId may be specified")
	return list
}

// dataType returns the data type if exactly one is given, or "".
func (p *scoreParameters) dataType() string {
	if list := p.lists["dataType"]; len(list) == 1 {
		return list[0]
	}
	return ""
}

// numbers returns the values as numbers, or none for categories, which are strings. It also returns what is wrong with
// them.
func (p *scoreParameters) numbers() (numbers []float64, wrong []string) {
	switch dataType := p.dataType(); dataType {
	case "":
		wrong = append(wrong, "value filter requires a single dataType from: NUMERIC, BOOLEAN, CATEGORICAL")
	case domain.ScoreCategorical:
	case domain.ScoreNumeric:
		for _, text := range p.values {
			number, ok := decode.ParseNumber(text)
			if !ok {
				wrong = append(wrong, fmt.Sprintf(`value filter with dataType=NUMERIC requires each value to be a finite number (got "%s")`,
					text))
			}
			numbers = append(numbers, number)
		}
	case domain.ScoreBoolean:
		known := map[string]float64{"true": 1, "false": 0}
		for _, text := range p.values {
			number, ok := known[text]
			if !ok {
				wrong = append(wrong,
					fmt.Sprintf(`value filter with dataType=BOOLEAN requires each value to be "true" or "false" (got "%s")`, text))
			}
			numbers = append(numbers, number)
		}
	default:
		wrong = append(wrong, fmt.Sprintf(`value filter requires dataType to be NUMERIC, BOOLEAN, or CATEGORICAL (got "%s")`, dataType))
	}
	return numbers, wrong
}

// apply adds the parameters to a query. They must have no violations.
func (p *scoreParameters) apply(query *store.Query[domain.Score]) error {
	var where scoreConditions
	for _, name := range slices.Sorted(maps.Keys(p.lists)) {
		if texts := p.lists[name]; len(texts) > 0 {
			where.add(filter.NewTexts(filter.ScoreColumn(name), filter.AnyOf, texts))
		}
	}
	if len(p.values) > 0 {
		if numbers, _ := p.numbers(); len(numbers) > 0 {
			where.add(filter.NewNumbers(filter.ScoreColumn("value"), filter.AnyOf, numbers))
		} else {
			where.add(filter.NewTexts(filter.ScoreColumn("stringValue"), filter.AnyOf, p.values))
		}
	}
	if p.valueMin != nil {
		where.add(filter.NewNumber(filter.ScoreColumn("value"), filter.GreaterEqual, *p.valueMin))
	}
	if p.valueMax != nil {
		where.add(filter.NewNumber(filter.ScoreColumn("value"), filter.LessEqual, *p.valueMax))
	}
	query.From, query.To, query.Where = boundOf(p.from), boundOf(p.to), where.list
	return where.err
}

// scoreConditions collects conditions on scores.
type scoreConditions struct {
	list []filter.Condition[domain.Score]
	err  error // from the first condition that is invalid
}

func (w *scoreConditions) add(condition filter.Condition[domain.Score], err error) {
	if err != nil {
		w.err = cmp.Or(w.err, err)
		return
	}
	w.list = append(w.list, condition)
}

// boundOf returns a time as a bound of a query; nil means none. The time 0 would mean no bound, so it becomes the next
// microsecond; no row has the time 0, so that bounds the same rows.
func boundOf(t *time.Time) domain.Micros {
	if t == nil {
		return 0
	}
	return cmp.Or(domain.Micros(t.UnixMicro()), 1)
}
