package datasets

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/query/experiments"
)

// The limits of the list of experiments in the web application.
const (
	maxListed           = 200
	maxMeasuredItems    = 100_000 // runs of items whose figures are read
	maxListedLabels     = 5       // of a category
	maxExperimentSearch = 200
	maxID               = 1_000
)

type measureBody struct {
	Key      string `json:"key"`
	Name     string `json:"name"`
	Source   string `json:"source"`
	DataType string `json:"dataType"`
}

// keyOf returns what names a measure in requests and answers. The name is last since it may contain anything.
func keyOf(m experiments.Measure) string {
	if m == experiments.Cost || m == experiments.Latency {
		return m.Name
	}
	return m.DataType + ":" + m.Source + ":" + m.Name
}

func measureBodies(measures []experiments.Measure) []measureBody {
	list := make([]measureBody, len(measures))
	for n, m := range measures {
		list[n] = measureBody{Key: keyOf(m), Name: m.Name, Source: m.Source, DataType: m.DataType}
	}
	return list
}

type labelCount struct {
	Label string `json:"label"`
	Items int    `json:"items"`
}

type listedScore struct {
	Key    string       `json:"key"`
	Items  int          `json:"items"`
	Mean   *float64     `json:"mean"`
	Labels []labelCount `json:"labels"`
}

type runScore struct {
	Name     string   `json:"name"`
	DataType string   `json:"dataType"`
	Value    *float64 `json:"value"`
	Label    *string  `json:"label"`
}

type listedFigures struct {
	Items   int           `json:"items"`
	Runs    int           `json:"runs"`
	Errors  int           `json:"errors"`
	Cost    *float64      `json:"cost"`
	Latency *float64      `json:"latency"` // median, in milliseconds
	Scores  []listedScore `json:"scores"`
}

type listedExperiment struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	DatasetID *string        `json:"datasetId"`
	Start     string         `json:"startTime"`
	Figures   *listedFigures `json:"figures"`
	RunScores []runScore     `json:"runScores"`
}

type listedExperiments struct {
	Experiments []listedExperiment `json:"experiments"`
	Measures    []measureBody      `json:"measures"`
	IsWhole     bool               `json:"isWhole"`
}

// QueryExperiments returns the newest experiments with their figures.
func (h *Handlers) QueryExperiments(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	where, err := readExperimentsQuery(c.Body())
	if err != nil {
		return nil, err
	}
	page, err := experiments.List(c.Context(), h.Store.Observations(), scope, experiments.Query{Where: where, Limit: maxListed})
	if err != nil {
		return nil, err
	}
	summaries := page.Summaries()
	var measured []string
	items := 0
	for n := range summaries {
		if items += summaries[n].Items; items > maxMeasuredItems {
			break
		}
		measured = append(measured, summaries[n].ID)
	}
	found, err := h.measurer(scope).Read(c.Context(), measured, false)
	if err != nil {
		return nil, measuredError(err)
	}
	query := experiments.ScoreQuery{Limit: maxScoresOfEach, Show: respond.CanAppendScore}
	scores, err := query.OfExperiments(c.Context(), h.Store.Scores(), scope, page.IDs)
	if err != nil {
		return nil, err
	}
	answer := listedExperiments{
		Experiments: make([]listedExperiment, len(summaries)), Measures: measureBodies(found.Measures), IsWhole: page.Next == nil,
	}
	for n := range summaries {
		e := &summaries[n]
		one := listedExperiment{ID: e.ID, Name: e.Name, Start: timeText(e.StartTime), RunScores: runScores(scores[e.ID])}
		if e.DatasetID != "" {
			one.DatasetID = &e.DatasetID
		}
		if n < len(found.Runs) {
			if one.Figures, err = figuresOf(found, n); err != nil {
				return nil, err
			}
		}
		answer.Experiments[n] = one
	}
	return answer, nil
}

func readExperimentsQuery(body decode.Value) ([]filter.Condition[domain.Observation], error) {
	b := body.Object()
	dataset := decode.Nullish(b.Field("datasetId"), func(v decode.Value) string { return v.TextLen(1, maxID) })
	search := decode.Nullish(b.Field("search"), func(v decode.Value) string { return v.TextLen(1, maxExperimentSearch) })
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	var where []filter.Condition[domain.Observation]
	if dataset != nil {
		condition, err := filter.NewText(filter.ObservationColumn("experimentDatasetId"), filter.Equal, *dataset)
		if err != nil {
			return nil, err
		}
		where = append(where, condition)
	}
	if search != nil {
		condition, err := filter.NewText(filter.ObservationColumn("experimentName"), filter.Contains, *search)
		if err != nil {
			return nil, err
		}
		where = append(where, condition)
	}
	return where, nil
}

func (h *Handlers) measurer(scope domain.ProjectScope) *experiments.Measurer {
	return &experiments.Measurer{
		Catalog: h.Catalog, Rows: h.Store.Observations(), Scores: h.Store.Scores(), Scope: scope, Show: respond.CanAppendScore,
	}
}

// figuresOf sums up one of the measured runs.
func figuresOf(found *experiments.Measured, n int) (*listedFigures, error) {
	alone := *found
	alone.Runs = found.Runs[n : n+1]
	aligned, err := alone.Align(true, nil)
	if err != nil {
		return nil, err
	}
	run := alone.Runs[0]
	f := &listedFigures{Items: len(aligned.Items), Runs: len(run.Attempts), Cost: numberOf(run.Cost), Scores: []listedScore{}}
	var latencies []float64
	for m := range run.Attempts {
		if run.Attempts[m].Failed {
			f.Errors++
		}
		if latency := run.Attempts[m].Latency; !math.IsNaN(latency) {
			latencies = append(latencies, latency)
		}
	}
	if len(latencies) > 0 {
		slices.Sort(latencies)
		f.Latency = numberOf((latencies[(len(latencies)-1)/2] + latencies[len(latencies)/2]) / 2)
	}
	for _, measure := range found.Measures {
		if score := scoreOf(aligned, 0, measure); score.Items > 0 {
			f.Scores = append(f.Scores, score)
		}
	}
	return f, nil
}

// scoreOf returns the mean of a measure over the items of a run, or its most frequent labels.
func scoreOf(aligned *experiments.Aligned, run int, measure experiments.Measure) listedScore {
	score := listedScore{Key: keyOf(measure), Labels: []labelCount{}}
	counts, sum := make(map[string]int), 0.0
	for n := range aligned.Items {
		attempts := aligned.Items[n].Cells[run]
		if measure.IsLabel() {
			if label := aligned.Label(attempts, measure); label.Known {
				score.Items++
				if !label.Mixed {
					counts[label.Text]++
				}
			}
		} else if value := aligned.Value(attempts, measure); !math.IsNaN(value) {
			score.Items++
			sum += value
		}
	}
	if !measure.IsLabel() && score.Items > 0 {
		score.Mean = numberOf(sum / float64(score.Items))
	}
	for label, items := range counts {
		score.Labels = append(score.Labels, labelCount{Label: label, Items: items})
	}
	slices.SortFunc(score.Labels, func(a, b labelCount) int {
		return cmp.Or(cmp.Compare(b.Items, a.Items), cmp.Compare(a.Label, b.Label))
	})
	score.Labels = score.Labels[:min(len(score.Labels), maxListedLabels)]
	return score
}

func runScores(scores []domain.Score) []runScore {
	list := make([]runScore, 0, len(scores))
	for n := range scores {
		s := &scores[n]
		one := runScore{Name: s.Name, DataType: s.DataType}
		if s.DataType == domain.ScoreNumeric || s.DataType == domain.ScoreBoolean {
			one.Value = numberOf(s.Value.Value)
		} else {
			one.Label = &s.StringValue
		}
		list = append(list, one)
	}
	return list
}

// numberOf returns a number for an answer: null if it is unknown.
func numberOf(value float64) *float64 {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return nil
	}
	return &value
}

func timeText(at domain.Micros) string {
	return at.Time().UTC().Format("2006-01-02T15:04:05.000Z07:00")
}
