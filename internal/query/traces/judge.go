package traces

import (
	"math"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// The store can decide for most traces whether they meet a condition without assembling them. A trace has, in each
// field, a value that one of its rows has, or none. If all values in its rows meet the condition, so does the trace,
// whichever of them it has; if none does, the trace does not. Only if its rows disagree must it be assembled. Sums,
// counts and times are those of all rows.

// judging collects what a store must find out about each trace, and decides by it.
type judging struct {
	query  store.RankQuery[domain.Observation]
	checks []check
	fields []*field // of the conditions that are decided by assembling some traces
	// values has the index of the value of each figure that is measured, plus 1.
	values [figures]int
}

// check decides about a trace.
type check func(*store.RankTotals) store.Verdict

// field is a condition on a field about which the rows of a trace may disagree, or which users may set.
type field struct {
	*filter.Condition[domain.TraceSummary]
	known map[uint64]bool // whether traces meet it that are decided already, by the hashes of their ids
}

// note records whether a trace meets the condition.
func (f *field) note(id string, meets bool) {
	if f.known == nil {
		f.known = make(map[uint64]bool)
	}
	f.known[store.TextHash(id)] = meets
}

// field returns a check that takes what is known about a trace, or else the verdict of its rows.
func (j *judging) field(c *filter.Condition[domain.TraceSummary], ofRows check) check {
	f := &field{Condition: c}
	j.fields = append(j.fields, f)
	return func(t *store.RankTotals) store.Verdict {
		if meets, known := f.known[t.Hash]; known {
			return wantedIf(meets)
		}
		return ofRows(t)
	}
}

// measured is a figure of a trace that the store computes.
type measured uint8

const (
	firstStart measured = iota
	firstObserved
	lastStart
	lastEnd
	inputTokens
	outputTokens
	totalTokens
	inputCost
	outputCost
	totalCost
	errorCount
	warningCount
	debugCount
	observationCount
	figures // their number
)

// newJudging returns how a store decides whether traces meet the conditions of a query. It returns false if it cannot.
func newJudging(q *Query) (*judging, bool) {
	j := new(judging)
	j.query.Key = filter.ObservationColumn("traceId")
	start := j.measure(firstStart)
	if q.From != 0 || q.To != 0 {
		j.checks = append(j.checks, func(t *store.RankTotals) store.Verdict {
			at := domain.Micros(t.Values[start])
			return wantedIf((q.From == 0 || at >= q.From) && (q.To == 0 || at < q.To))
		})
	}
	for n := range q.Where {
		one, ok := j.add(&q.Where[n])
		if !ok {
			return nil, false
		}
		j.checks = append(j.checks, one)
	}
	return j, len(j.query.Flags) <= store.MaxRankFlags
}

// judge decides about a trace.
func (j *judging) judge(t *store.RankTotals) store.Verdict {
	verdict := store.Wanted
	if math.IsNaN(j.figure(t, firstStart)) {
		verdict = store.Unclear // it began at the instant that stands for no time
	}
	for _, check := range j.checks {
		switch check(t) {
		case store.Unwanted:
			return store.Unwanted
		case store.Unclear:
			verdict = store.Unclear
		}
	}
	return verdict
}

func wantedIf(ok bool) store.Verdict {
	if ok {
		return store.Wanted
	}
	return store.Unwanted
}

// add returns how a condition is decided. It returns false if the store cannot decide about it.
func (j *judging) add(c *filter.Condition[domain.TraceSummary]) (_ check, ok bool) {
	switch id := c.Column().ID(); id {
	case "id": // all rows of a trace have the same
		values, ok := j.textValues(c, filter.ObservationColumn("traceId"))
		return values.decide, ok
	case "userId", "sessionId", "version", "release", "environment":
		values, ok := j.textValues(c, filter.ObservationColumn(id))
		return j.field(c, values.decide), ok
	case "name":
		given, ok := j.textValues(c, filter.GivenTraceName())
		isRoot := filter.Must(filter.NewBool(filter.IsTraceRoot(), filter.Equal, true))
		ofRoots, okRoots := j.textValues(c, filter.ObservationColumn("name"), isRoot)
		return j.field(c, func(t *store.RankTotals) store.Verdict {
			if t.Has(given.some) || t.Has(given.others) {
				return given.decide(t)
			}
			return ofRoots.decide(t)
		}), ok && okRoots
	case "tags":
		ofRows, ok := j.tagsOfRows(c)
		return j.field(c, ofRows), ok
	case "bookmarked", "public":
		return j.field(c, j.sentFlag(c)), true
	case "timestamp":
		at := j.measure(firstStart)
		return func(t *store.RankTotals) store.Verdict {
			if math.IsNaN(t.Values[at]) {
				return wantedIf(c.MatchTime(0))
			}
			return wantedIf(c.MatchTime(domain.Micros(t.Values[at])))
		}, true
	}
	return j.figureOf(c)
}

// flag adds a flag and returns its number.
func (j *judging) flag(f store.RankFlag[domain.Observation]) int {
	j.query.Flags = append(j.query.Flags, f)
	return len(j.query.Flags) - 1
}

// textValues adds the flags by which a condition on a text is decided: whether some of the values in a column meet it, and
// whether others do not. Of are conditions for the rows that count.
func (j *judging) textValues(
	c *filter.Condition[domain.TraceSummary], column *filter.Column[domain.Observation], of ...filter.Condition[domain.Observation],
) (v textValues, ok bool) {
	meets, ok := onRows(column, c)
	if !ok {
		return v, false
	}
	set := append(slices.Clone(of), filter.Must(filter.NewNull(column, false)))
	v.some = j.flag(store.RankFlag[domain.Observation]{Where: append(slices.Clone(set), meets)})
	v.others = j.flag(store.RankFlag[domain.Observation]{Where: set, Not: []filter.Condition[domain.Observation]{meets}})
	v.unset = wantedIf(c.Match(new(domain.TraceSummary)))
	return v, true
}

// textValues are the flags of a condition on a text, and the decision about a trace without a value.
type textValues struct {
	some, others int
	unset        store.Verdict
}

func (v textValues) decide(t *store.RankTotals) store.Verdict {
	switch {
	case t.Has(v.some) && t.Has(v.others):
		return store.Unclear
	case t.Has(v.some):
		return store.Wanted
	case t.Has(v.others):
		return store.Unwanted
	}
	return v.unset
}

// tagsOfRows returns how a condition on the tags is decided, which are those of all rows unless users set them.
func (j *judging) tagsOfRows(c *filter.Condition[domain.TraceSummary]) (check, bool) {
	column := filter.ObservationColumn("tags")
	has := func(condition filter.Condition[domain.Observation], err error) int {
		return j.flag(store.RankFlag[domain.Observation]{Where: []filter.Condition[domain.Observation]{filter.Must(condition, err)}})
	}
	var flags []int
	wanted := true // all of the flags must be set, else none of them
	// All traces meet a condition without tags, or none.
	if c.Operator() != filter.IsNull && c.Operator() != filter.IsNotNull && len(c.Texts()) == 0 {
		always := wantedIf(c.MatchList(nil))
		return func(*store.RankTotals) store.Verdict { return always }, true
	}
	switch c.Operator() {
	case filter.IsNull, filter.IsNotNull:
		flags, wanted = []int{has(filter.NewNull(column, false))}, c.Operator() == filter.IsNotNull
	case filter.AnyOf, filter.NoneOf:
		flags, wanted = []int{has(filter.NewTexts(column, filter.AnyOf, c.Texts()))}, c.Operator() == filter.AnyOf
	case filter.AllOf:
		for n := range c.Texts() {
			flags = append(flags, has(filter.NewTexts(column, filter.AnyOf, c.Texts()[n:n+1])))
		}
	default:
		return nil, false
	}
	return func(t *store.RankTotals) store.Verdict {
		return wantedIf(!slices.ContainsFunc(flags, func(flag int) bool { return t.Has(flag) != wanted }))
	}, true
}

// sentFlag returns how a condition on bookmarked or public is decided by what was sent. A trace is public if one of its rows
// is, and bookmarked as the newest of its roots.
func (j *judging) sentFlag(c *filter.Condition[domain.TraceSummary]) check {
	is := func(column *filter.Column[domain.Observation], value bool) filter.Condition[domain.Observation] {
		return filter.Must(filter.NewBool(column, filter.Equal, value))
	}
	has := func(where ...filter.Condition[domain.Observation]) int {
		return j.flag(store.RankFlag[domain.Observation]{Where: where})
	}
	unset := wantedIf(c.Match(new(domain.TraceSummary)))
	if c.Column() == filter.Published() {
		public, set := has(is(filter.SentPublic(), true)), wantedIf(c.Match(&domain.TraceSummary{Public: true}))
		return func(t *store.RankTotals) store.Verdict {
			if t.Has(public) {
				return set
			}
			return unset
		}
	}
	isRoot, set := is(filter.IsTraceRoot(), true), wantedIf(c.Match(&domain.TraceSummary{Bookmarked: true}))
	some, others := has(isRoot, is(filter.SentBookmarked(), true)), has(isRoot, is(filter.SentBookmarked(), false))
	return func(t *store.RankTotals) store.Verdict {
		switch {
		case t.Has(some) && t.Has(others):
			return store.Unclear
		case t.Has(some):
			return set
		}
		return unset
	}
}

// figureOf returns how a condition on a figure is decided. That is done for every trace of a project.
func (j *judging) figureOf(c *filter.Condition[domain.TraceSummary]) (check, bool) {
	if c.Column().ID() == "level" {
		return j.levelOf(c), true
	}
	figure := j.number(c.Column().ID())
	if figure == nil {
		return nil, false
	}
	return func(t *store.RankTotals) store.Verdict { return wantedIf(c.MatchNumber(figure(t), false)) }, true
}

// levelOf returns how a condition on the level is decided, of which there are few.
func (j *judging) levelOf(c *filter.Condition[domain.TraceSummary]) check {
	verdict := func(t domain.TraceSummary) store.Verdict { return wantedIf(c.Match(&t)) }
	none := verdict(domain.TraceSummary{})
	failed, warned := verdict(domain.TraceSummary{ErrorCount: 1}), verdict(domain.TraceSummary{WarningCount: 1})
	plain, debugged := verdict(domain.TraceSummary{DefaultCount: 1}), verdict(domain.TraceSummary{DebugCount: 1})
	errs := j.number("errorCount")
	if warned == none && plain == none && debugged == none { // most often it is errors that are looked for
		return func(t *store.RankTotals) store.Verdict {
			if errs(t) > 0 {
				return failed
			}
			return none
		}
	}
	warnings, debugs, defaults := j.number("warningCount"), j.number("debugCount"), j.number("defaultCount")
	return func(t *store.RankTotals) store.Verdict {
		switch {
		case errs(t) > 0:
			return failed
		case warnings(t) > 0:
			return warned
		case defaults(t) > 0:
			return plain
		case debugs(t) > 0:
			return debugged
		}
		return none
	}
}

// number has the figures measured that the number in a column is computed from, and returns how. It returns nil if it
// cannot be computed from figures.
func (j *judging) number(column string) func(*store.RankTotals) float64 {
	one := func(m measured) func(*store.RankTotals) float64 {
		at := j.measure(m)
		return func(t *store.RankTotals) float64 { return orZero(t.Values[at]) }
	}
	switch column {
	case "latency":
		first, start, end := j.measure(firstObserved), j.measure(lastStart), j.measure(lastEnd)
		return func(t *store.RankTotals) float64 {
			began := millis(t.Values[first])
			return float64(max(millis(t.Values[start]), millis(t.Values[end]), began)-began) / 1000
		}
	case "inputTokens":
		return one(inputTokens)
	case "outputTokens":
		return one(outputTokens)
	case "totalTokens":
		return one(totalTokens)
	case "inputCost":
		return one(inputCost)
	case "outputCost":
		return one(outputCost)
	case "totalCost":
		return one(totalCost)
	case "errorCount":
		return one(errorCount)
	case "warningCount":
		return one(warningCount)
	case "debugCount":
		return one(debugCount)
	case "observationCount":
		return one(observationCount)
	case "defaultCount":
		errs, warnings, debugs, all := one(errorCount), one(warningCount), one(debugCount), one(observationCount)
		return func(t *store.RankTotals) float64 { return all(t) - errs(t) - warnings(t) - debugs(t) }
	}
	return nil
}

// orZero returns a figure, or 0 for one of no rows.
func orZero(figure float64) float64 {
	if math.IsNaN(figure) {
		return 0
	}
	return figure
}

// millis returns a time in milliseconds.
func millis(figure float64) int64 { return domain.Micros(orZero(figure)).Millis() }

// measure adds a figure unless it is known already, and returns the index of its value.
func (j *judging) measure(m measured) int {
	if j.values[m] == 0 {
		j.query.Measures = append(j.query.Measures, measureOf(m))
		j.values[m] = len(j.query.Measures)
	}
	return j.values[m] - 1
}

// measureOf returns how a figure is computed. Rows that stand for the trace are no observations.
func measureOf(m measured) store.RankMeasure[domain.Observation] {
	source := filter.ObservationColumn("ingestionSource")
	observed := filter.Must(filter.NewTexts(source, filter.NoneOf, []string{domain.SourceIngestionTrace}))
	of := func(f store.Function, column string, more ...filter.Condition[domain.Observation]) store.RankMeasure[domain.Observation] {
		one := store.RankMeasure[domain.Observation]{Function: f, If: append(more, observed)}
		if column != "" {
			one.Column = filter.ObservationColumn(column)
		}
		return one
	}
	level := func(name string) filter.Condition[domain.Observation] {
		return filter.Must(filter.NewText(filter.ObservationColumn("level"), filter.Equal, name))
	}
	switch m {
	case firstStart:
		return store.RankMeasure[domain.Observation]{Function: store.Min, Column: filter.ObservationColumn("startTime")}
	case firstObserved:
		return of(store.Min, "startTime")
	case lastStart:
		return of(store.Max, "startTime")
	case lastEnd:
		return of(store.Max, "endTime")
	case inputTokens:
		return of(store.Sum, "inputTokens")
	case outputTokens:
		return of(store.Sum, "outputTokens")
	case totalTokens:
		return of(store.Sum, "totalTokens")
	case inputCost:
		return of(store.Sum, "inputCost")
	case outputCost:
		return of(store.Sum, "outputCost")
	case totalCost:
		return of(store.Sum, "totalCost")
	case errorCount:
		return of(store.Count, "", level("ERROR"))
	case warningCount:
		return of(store.Count, "", level("WARNING"))
	case debugCount:
		return of(store.Count, "", level("DEBUG"))
	}
	return of(store.Count, "")
}

// figure returns a figure, or 0 if it was not measured.
func (j *judging) figure(t *store.RankTotals, m measured) float64 {
	if at := j.values[m]; at > 0 {
		return t.Values[at-1]
	}
	return 0
}

// onRows returns a condition on traces for a column of rows.
func onRows(
	column *filter.Column[domain.Observation], c *filter.Condition[domain.TraceSummary],
) (made filter.Condition[domain.Observation], ok bool) {
	var err error
	switch operator := c.Operator(); operator {
	case filter.IsNull, filter.IsNotNull:
		made, err = filter.NewNull(column, operator == filter.IsNull)
	case filter.AnyOf, filter.NoneOf:
		made, err = filter.NewTexts(column, operator, c.Texts())
	case filter.Equal, filter.Contains, filter.DoesNotContain, filter.StartsWith, filter.EndsWith:
		made, err = filter.NewText(column, operator, c.Text())
	default:
		return made, false
	}
	return made, err == nil
}
