package datasets

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/limits/memory"
	"almanac/internal/query/experiments"
	"almanac/internal/query/experiments/compare"
	"almanac/internal/store"
)

// The limits of comparisons.
const (
	maxCandidates       = 9
	maxComparedRows     = 100
	defaultComparedRows = 50
	maxMeasureKey       = 1_000
	maxLower            = 100
	// maxCellText is how many bytes of a text a row has. Whole texts are in the trace.
	maxCellText = 4_000
)

// compared is what both operations of comparisons read from requests.
type compared struct {
	ids   []string
	all   bool
	lower map[experiments.Measure]bool
}

func readCompared(b *decode.Object) compared {
	readID := func(v decode.Value) string { return v.TextLen(1, maxID) }
	c := compared{lower: make(map[experiments.Measure]bool)}
	c.ids = append(c.ids, readID(b.Field("baseline")))
	if v := b.Field("candidates"); v.Kind() != "undefined" && v.Kind() != "null" {
		for _, candidate := range v.ArrayLen(0, maxCandidates) {
			id := readID(candidate)
			if slices.Contains(c.ids, id) {
				candidate.Reject(decode.Violation(candidate.Path(), "The experiment is named twice"))
			}
			c.ids = append(c.ids, id)
		}
	}
	c.all = decode.NullishOr(b.Field("items"), func(v decode.Value) string { return v.Enum("baseline", "all") }, "baseline") == "all"
	if v := b.Field("lowerIsBetter"); v.Kind() != "undefined" && v.Kind() != "null" {
		for _, key := range v.ArrayLen(0, maxLower) {
			c.lower[readMeasure(key)] = true
		}
	}
	return c
}

// readMeasure reads the key of a measure.
func readMeasure(v decode.Value) experiments.Measure {
	key := v.TextLen(1, maxMeasureKey)
	switch key {
	case "cost":
		return experiments.Cost
	case "latency":
		return experiments.Latency
	}
	parts := strings.SplitN(key, ":", 3)
	if len(parts) != 3 {
		v.Reject(decode.Violation(v.Path(), "Not the key of a measure"))
		return experiments.Measure{}
	}
	return experiments.Measure{DataType: parts[0], Source: parts[1], Name: parts[2]}
}

// align reads the experiments and puts them side by side.
func (h *Handlers) align(c *endpoint.Call, scope domain.ProjectScope, q compared) (*experiments.Aligned, error) {
	found, err := h.measurer(scope).Read(c.Context(), q.ids, true)
	if err != nil {
		return nil, measuredError(err)
	}
	for _, run := range found.Runs {
		if run.Start == 0 {
			return nil, endpoint.NotFoundAs(domain.ErrNotFound, "Experiment "+run.ID+" not found")
		}
	}
	return found.Align(q.all, q.lower)
}

func measuredError(err error) error {
	if errors.Is(err, experiments.ErrTooManyMeasured) {
		return endpoint.TooMany("runs of items", experiments.MaxMeasured, "Compare fewer experiments at once.")
	}
	return err
}

type comparedRun struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	DatasetID *string  `json:"datasetId"`
	Start     string   `json:"startTime"`
	Items     int      `json:"items"`
	Runs      int      `json:"runs"`
	Errors    int      `json:"errors"`
	Cost      *float64 `json:"cost"`
}

type transitionBody struct {
	From  string `json:"from"`
	To    string `json:"to"`
	Items int    `json:"items"`
}

type differenceBody struct {
	Paired        int      `json:"paired"`
	OnlyBaseline  int      `json:"onlyBaseline"`
	OnlyCandidate int      `json:"onlyCandidate"`
	LeftOut       int      `json:"leftOut"`
	Improved      int      `json:"improved"`
	Regressed     int      `json:"regressed"`
	Unchanged     int      `json:"unchanged"`
	Baseline      *float64 `json:"baseline"`
	Candidate     *float64 `json:"candidate"`
	Estimate      *float64 `json:"estimate"`
	Low           *float64 `json:"low"`
	High          *float64 `json:"high"`
	SignP         *float64 `json:"signP"`
	Verdict       string   `json:"verdict"`
}

type changesBody struct {
	Paired        int              `json:"paired"`
	OnlyBaseline  int              `json:"onlyBaseline"`
	OnlyCandidate int              `json:"onlyCandidate"`
	Mixed         int              `json:"mixed"`
	Changed       int              `json:"changed"`
	Transitions   []transitionBody `json:"transitions"`
}

type candidateBody struct {
	Score      listedScore     `json:"score"`
	Difference *differenceBody `json:"difference"`
	Changes    *changesBody    `json:"changes"`
}

type comparedMeasure struct {
	measureBody
	IsRatio       bool            `json:"isRatio"`
	LowerIsBetter bool            `json:"lowerIsBetter"`
	Baseline      listedScore     `json:"baseline"`
	Candidates    []candidateBody `json:"candidates"`
}

type comparisonSummary struct {
	Runs     []comparedRun     `json:"runs"`
	Items    int               `json:"items"`
	Shared   int               `json:"shared"`
	Measures []comparedMeasure `json:"measures"`
}

// CompareExperiments tells how experiments differ from a baseline, measure by measure.
func (h *Handlers) CompareExperiments(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	q := readCompared(b)
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	aligned, err := h.align(c, scope, q)
	if err != nil {
		return nil, err
	}
	answer := comparisonSummary{Runs: comparedRuns(aligned), Items: len(aligned.Items), Measures: []comparedMeasure{}}
	for n := range aligned.Items {
		if !slices.ContainsFunc(aligned.Items[n].Cells, func(attempts []*experiments.Attempt) bool { return attempts == nil }) {
			answer.Shared++
		}
	}
	for _, m := range append(slices.Clone(aligned.Measures), experiments.Latency, experiments.Cost) {
		if err := c.Context().Err(); err != nil {
			return nil, err
		}
		answer.Measures = append(answer.Measures, compareMeasure(aligned, m))
	}
	return answer, nil
}

func comparedRuns(aligned *experiments.Aligned) []comparedRun {
	list := make([]comparedRun, len(aligned.Runs))
	for n, run := range aligned.Runs {
		one := comparedRun{ID: run.ID, Name: run.Name, Start: timeText(run.Start), Runs: len(run.Attempts), Cost: numberOf(run.Cost)}
		if run.DatasetID != "" {
			one.DatasetID = &run.DatasetID
		}
		items := make(map[string]bool, len(run.Attempts))
		for m := range run.Attempts {
			items[run.Attempts[m].ItemID] = true
			if run.Attempts[m].Failed {
				one.Errors++
			}
		}
		one.Items = len(items)
		list[n] = one
	}
	return list
}

func compareMeasure(aligned *experiments.Aligned, m experiments.Measure) comparedMeasure {
	options := aligned.Options(m)
	body := comparedMeasure{
		measureBody: measureBodies([]experiments.Measure{m})[0], IsRatio: options.Ratio, LowerIsBetter: options.Direction == compare.Lower,
		Baseline: scoreOf(aligned, 0, m), Candidates: []candidateBody{},
	}
	for run := 1; run < len(aligned.Runs); run++ {
		candidate := candidateBody{Score: scoreOf(aligned, run, m)}
		if m.IsLabel() {
			candidate.Changes = changesOf(aligned.Changes(run, m))
		} else {
			candidate.Difference = differenceOf(aligned.Differences(run, m))
		}
		body.Candidates = append(body.Candidates, candidate)
	}
	return body
}

func differenceOf(d compare.Difference) *differenceBody {
	body := &differenceBody{
		Paired: d.Paired, OnlyBaseline: d.OnlyBaseline, OnlyCandidate: d.OnlyCandidate, LeftOut: d.LeftOut, Improved: d.Improved,
		Regressed: d.Regressed, Unchanged: d.Unchanged, Verdict: string(d.Verdict),
	}
	if d.Paired > 0 {
		body.Baseline, body.Candidate, body.Estimate = numberOf(d.Baseline), numberOf(d.Candidate), numberOf(d.Estimate)
		body.SignP = numberOf(d.SignP)
	}
	if d.Method != compare.NoInterval {
		body.Low, body.High = numberOf(d.Low), numberOf(d.High)
	}
	return body
}

// maxTransitions is the maximum number of pairs of labels in an answer, the most frequent.
const maxTransitions = 100

func changesOf(c compare.Changes) *changesBody {
	body := &changesBody{
		Paired: c.Paired, OnlyBaseline: c.OnlyBaseline, OnlyCandidate: c.OnlyCandidate, Mixed: c.Mixed, Changed: c.Changed,
		Transitions: []transitionBody{},
	}
	for _, t := range c.Transitions[:min(len(c.Transitions), maxTransitions)] {
		body.Transitions = append(body.Transitions, transitionBody(t))
	}
	return body
}

type cellScore struct {
	Key    string   `json:"key"`
	Mean   *float64 `json:"mean"`
	Label  *string  `json:"label"`
	Change *int     `json:"change"` // 1 better, -1 worse, 0 the same; null without a baseline
}

type cellText struct {
	Text  string `json:"text"`
	IsCut bool   `json:"isCut"`
}

type attemptBody struct {
	TraceID       string    `json:"traceId"`
	ObservationID string    `json:"observationId"`
	Output        *cellText `json:"output"`
	IsError       bool      `json:"isError"`
	Latency       *float64  `json:"latency"`
	Cost          *float64  `json:"cost"`
}

type cellBody struct {
	Attempts []attemptBody `json:"attempts"`
	Scores   []cellScore   `json:"scores"`
}

type comparedRow struct {
	ItemID   string      `json:"itemId"`
	Input    *cellText   `json:"input"`
	Expected *cellText   `json:"expected"`
	Cells    []*cellBody `json:"cells"`
}

type comparedRows struct {
	Rows   []comparedRow `json:"rows"`
	Total  int           `json:"total"`
	Cursor *string       `json:"cursor"`
}

// CompareExperimentItems returns the items of experiments side by side.
func (h *Handlers) CompareExperimentItems(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	q := readCompared(b)
	only := experiments.Only(decode.NullishOr(b.Field("only"), func(v decode.Value) string {
		return v.Enum("regressions", "improvements", "disagreements", "missing", "errors")
	}, ""))
	measure := decode.Nullish(b.Field("measure"), readMeasure)
	var order *experiments.Order
	if v := b.Field("order"); v.Kind() != "undefined" && v.Kind() != "null" {
		order = readOrder(v.Object())
	}
	from := decode.NullishOr(b.Field("cursor"), readOffset, 0)
	limit := decode.NullishOr(b.Field("limit"), func(v decode.Value) int { return v.IntWithin(1, maxComparedRows) }, defaultComparedRows)
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	aligned, err := h.align(c, scope, q)
	if err != nil {
		return nil, err
	}
	items := aligned.Keep(only, measure)
	if order != nil {
		items = aligned.Sort(items, *order)
	}
	answer := comparedRows{Rows: []comparedRow{}, Total: len(items)}
	to := min(from+limit, len(items))
	if from >= to {
		return answer, nil
	}
	if to < len(items) {
		answer.Cursor = new(strconv.Itoa(to))
	}
	texts, err := h.textsOf(c.Context(), scope, items[from:to])
	if err != nil {
		return nil, err
	}
	for n := range items[from:to] {
		answer.Rows = append(answer.Rows, rowOf(aligned, &items[from+n], texts))
	}
	return answer, nil
}

func readOrder(b *decode.Object) *experiments.Order {
	o := &experiments.Order{Measure: readMeasure(b.Field("measure"))}
	o.Difference = b.Field("by").Enum("difference", "baseline") == "difference"
	o.Run = decode.NullishOr(b.Field("candidate"), func(v decode.Value) int { return v.IntWithin(1, maxCandidates) }, 0)
	o.Descending = b.Field("direction").Enum("asc", "desc") == "desc"
	b.Strict()
	return o
}

// readOffset reads a cursor: how many items came before. Items are ordered anew for each page.
func readOffset(v decode.Value) int {
	n, err := strconv.Atoi(v.TextLen(1, 7))
	if err != nil || n < 0 {
		v.Reject(decode.Violation(v.Path(), "Not a cursor of this list"))
		return 0
	}
	return n
}

// itemTexts are the texts of an attempt.
type itemTexts struct{ input, output, expected *cellText }

// textsOf reads the texts of the attempts of items.
func (h *Handlers) textsOf(
	ctx context.Context, scope domain.ProjectScope, items []experiments.AlignedItem,
) (map[experiments.Item]itemTexts, error) {
	var ids []string
	wanted := make(map[experiments.Item]bool)
	for n := range items {
		for _, attempts := range items[n].Cells {
			for _, a := range attempts {
				wanted[experiments.Item{TraceID: a.TraceID, ID: a.ID}] = true
				ids = append(ids, a.ID)
			}
		}
	}
	texts := make(map[experiments.Item]itemTexts, len(wanted))
	held := memory.NewTally(ctx)
	look := store.Lookup{IDs: ids, Want: store.WantIO | store.WantDetails}
	for row, err := range h.Store.Observations().Lookup(ctx, scope, look) {
		if err != nil {
			return nil, err
		}
		if !wanted[itemOf(row)] {
			continue
		}
		one := itemTexts{input: cut(row.Input), output: cut(row.Output), expected: cut(row.ExperimentItemExpectedOutput)}
		bytes := 300
		for _, text := range []*cellText{one.input, one.output, one.expected} {
			if text != nil {
				bytes += len(text.Text)
			}
		}
		if err := held.Add(int64(2 * bytes)); err != nil { // they are copied once more into the answer
			return nil, err
		}
		texts[experiments.Item{TraceID: strings.Clone(row.TraceID), ID: strings.Clone(row.ID)}] = one
	}
	return texts, nil
}

// cut returns the beginning of a text, or nil for none.
func cut(text string) *cellText {
	if text == "" {
		return nil
	}
	if len(text) <= maxCellText {
		return &cellText{Text: strings.Clone(text)}
	}
	end := maxCellText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return &cellText{Text: strings.Clone(text[:end]), IsCut: true}
}

func rowOf(aligned *experiments.Aligned, item *experiments.AlignedItem, texts map[experiments.Item]itemTexts) comparedRow {
	row := comparedRow{ItemID: item.ID, Cells: make([]*cellBody, len(item.Cells))}
	for n, attempts := range item.Cells {
		if attempts == nil {
			continue
		}
		cell := &cellBody{Scores: []cellScore{}}
		for _, a := range attempts {
			text := texts[experiments.Item{TraceID: a.TraceID, ID: a.ID}]
			if row.Input == nil {
				row.Input = text.input
			}
			if row.Expected == nil {
				row.Expected = text.expected
			}
			cell.Attempts = append(cell.Attempts, attemptBody{
				TraceID: a.TraceID, ObservationID: a.ID, Output: text.output, IsError: a.Failed, Latency: numberOf(a.Latency),
				Cost: numberOf(a.Cost),
			})
		}
		for _, m := range append(slices.Clone(aligned.Measures), experiments.Latency, experiments.Cost) {
			if score, known := cellScoreOf(aligned, item, n, m); known {
				cell.Scores = append(cell.Scores, score)
			}
		}
		row.Cells[n] = cell
	}
	return row
}

func cellScoreOf(aligned *experiments.Aligned, item *experiments.AlignedItem, run int, m experiments.Measure) (cellScore, bool) {
	score := cellScore{Key: keyOf(m)}
	if m.IsLabel() {
		label := aligned.Label(item.Cells[run], m)
		if !label.Known {
			return score, false
		}
		if !label.Mixed {
			score.Label = &label.Text
		}
	} else {
		value := aligned.Value(item.Cells[run], m)
		if math.IsNaN(value) {
			return score, false
		}
		score.Mean = &value
	}
	if run > 0 {
		if change, known := aligned.Change(item, run, m); known {
			score.Change = &change
		}
	}
	return score, true
}
