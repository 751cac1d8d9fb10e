package experiments

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"almanac/internal/catalog"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// MaxMeasured is the maximum number of runs of items whose figures are read at once.
const MaxMeasured = 500_000

// ErrTooManyMeasured means that there are more than MaxMeasured runs of items in the experiments.
var ErrTooManyMeasured = fmt.Errorf("there are more than %d runs of items", MaxMeasured)

// Measure is a kind of score. Scores of one name that come from different sources, or have different types, differ.
type Measure struct{ Name, Source, DataType string }

// ItemScore is a score of a run of an item.
type ItemScore struct {
	Measure int     // index in Measured.Measures
	Value   float64 // of numbers and booleans
	Label   string  // of categories
}

// Attempt is one run of an item: an item has several if the experiment repeats it.
type Attempt struct {
	ItemID, TraceID, ID string
	Start               domain.Micros
	Latency             float64 // milliseconds; NaN if it has not ended
	Cost                float64 // NaN if no cost is known
	Failed              bool
	Scores              []ItemScore
}

// MeasuredRun is an experiment with all runs of its items, newest first.
type MeasuredRun struct {
	ID, Name, DatasetID string
	Start               domain.Micros
	Cost                float64 // of all observations; NaN if none is known
	Attempts            []Attempt
}

// Measured are experiments with what is known of their items.
type Measured struct {
	Runs     []*MeasuredRun // as requested; one that does not exist has no attempts and no start
	Measures []Measure      // by name, source and type

	known map[Measure]int
	byID  map[string]*MeasuredRun
	held  *memory.Tally
	count int
}

// Measurer reads experiments with their figures.
type Measurer struct {
	Catalog *catalog.Catalog
	Rows    store.Table[domain.Observation]
	Scores  store.Table[domain.Score]
	Scope   domain.ProjectScope
	Show    func(*domain.Score) bool
}

// costKey is what the cost of an attempt is collected under.
type costKey struct{ run, trace, root string }

// attemptBytes is the memory of an attempt, its strings, and its entries in maps.
const attemptBytes = 500

// Read reads the figures of experiments. With links, it also reads the items that older clients linked with traces
// without naming the experiment in spans.
func (m *Measurer) Read(ctx context.Context, ids []string, links bool) (*Measured, error) {
	found := &Measured{known: make(map[Measure]int), byID: make(map[string]*MeasuredRun, len(ids)), held: memory.NewTally(ctx)}
	for _, id := range ids {
		run := &MeasuredRun{ID: id, Cost: math.NaN()}
		found.Runs = append(found.Runs, run)
		found.byID[id] = run
	}
	if len(ids) == 0 {
		return found, nil
	}
	if err := m.readSpans(ctx, found, ids); err != nil {
		return nil, err
	}
	if links {
		for _, run := range found.Runs {
			if err := m.readLinks(ctx, found, run); err != nil {
				return nil, err
			}
		}
	}
	return found, m.readScores(ctx, found)
}

// readSpans reads the rows that name the experiments.
func (m *Measurer) readSpans(ctx context.Context, found *Measured, ids []string) error {
	these, err := filter.NewTexts(filter.ObservationColumn("experimentId"), filter.AnyOf, ids)
	if err != nil {
		return err
	}
	costs := make(map[costKey]float64)
	for row, err := range m.Rows.Scan(ctx, m.Scope, store.Query[domain.Observation]{Where: []filter.Condition[domain.Observation]{these}}) {
		if err != nil {
			return err
		}
		run := found.byID[row.ExperimentID]
		take(&run.Name, row.ExperimentName)
		take(&run.DatasetID, row.ExperimentDatasetID)
		if run.Start == 0 || row.StartTime < run.Start {
			run.Start = row.StartTime
		}
		if cost := costOf(row); !math.IsNaN(cost) {
			run.Cost = plus(run.Cost, cost)
			key := costKey{run: run.ID, trace: row.TraceID, root: row.ExperimentItemRootSpanID}
			before, known := costs[key]
			if !known {
				if err := found.held.Add(attemptBytes / 2); err != nil {
					return err
				}
				key.trace, key.root = strings.Clone(key.trace), strings.Clone(key.root)
			}
			costs[key] = before + cost
		}
		if row.IsExperimentItem() {
			if err := found.add(run, row, row.ExperimentItemID); err != nil {
				return err
			}
		}
	}
	for _, run := range found.Runs {
		for n := range run.Attempts {
			a := &run.Attempts[n]
			if cost, known := costs[costKey{run: run.ID, trace: a.TraceID, root: a.ID}]; known {
				a.Cost = cost
			}
		}
	}
	return nil
}

// add adds the row in which an item ran.
func (found *Measured) add(run *MeasuredRun, row *domain.Observation, itemID string) error {
	if found.count++; found.count > MaxMeasured {
		return ErrTooManyMeasured
	}
	if err := found.held.Add(int64(attemptBytes + len(itemID) + len(row.TraceID) + len(row.ID))); err != nil {
		return err
	}
	latency := math.NaN()
	if row.EndTime != 0 {
		latency = float64(max(row.EndTime-row.StartTime, 0)) / 1000
	}
	run.Attempts = append(run.Attempts, Attempt{
		ItemID: strings.Clone(itemID), TraceID: strings.Clone(row.TraceID), ID: strings.Clone(row.ID), Start: row.StartTime,
		Latency: latency, Cost: math.NaN(), Failed: row.Level == "ERROR",
	})
	return nil
}

// readLinks adds the items of a run that are only linked. The cost of such an item is that of its trace.
func (m *Measurer) readLinks(ctx context.Context, found *Measured, run *MeasuredRun) error {
	linked, err := m.Catalog.DatasetRun(ctx, m.Scope, run.ID)
	if errors.Is(err, domain.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	run.Name, run.DatasetID = cmp.Or(run.Name, linked.Name), cmp.Or(run.DatasetID, linked.DatasetID)
	if run.Start == 0 {
		run.Start = domain.MicrosOf(linked.CreatedAt)
	}
	known := make(map[string]bool, len(run.Attempts))
	for n := range run.Attempts {
		known[run.Attempts[n].ItemID] = true
	}
	links := make(map[string][]domain.DatasetRunItem)
	var traces []string
	for item, err := range m.Catalog.DatasetRunItems(ctx, linked) {
		if err == nil {
			err = found.held.Add(attemptBytes)
		}
		if err != nil {
			return err
		}
		if known[item.DatasetItemID] {
			continue
		}
		if links[item.TraceID] == nil {
			traces = append(traces, item.TraceID)
		}
		links[item.TraceID] = append(links[item.TraceID], *item)
	}
	if len(traces) == 0 {
		return nil
	}
	from := len(run.Attempts)
	costs := make(map[string]float64)
	for row, err := range m.Rows.Lookup(ctx, m.Scope, store.Lookup{TraceIDs: traces}) {
		if err != nil {
			return err
		}
		if cost := costOf(row); !math.IsNaN(cost) {
			costs[strings.Clone(row.TraceID)] += cost
		}
		for _, link := range links[row.TraceID] {
			if link.ObservationID != nil && *link.ObservationID == row.ID || link.ObservationID == nil && row.IsTraceRoot() {
				if err := found.add(run, row, link.DatasetItemID); err != nil {
					return err
				}
			}
		}
	}
	for n := range run.Attempts[from:] {
		a := &run.Attempts[from+n]
		if cost, known := costs[a.TraceID]; known {
			a.Cost, run.Cost = cost, plus(run.Cost, cost)
		}
	}
	return nil
}

// readScores reads the scores of all attempts: those of the row in which the item ran, and those of its trace.
func (m *Measurer) readScores(ctx context.Context, found *Measured) error {
	var traces []string
	inTrace := make(map[string][]*Attempt, found.count)
	for _, run := range found.Runs {
		for n := range run.Attempts {
			a := &run.Attempts[n]
			if inTrace[a.TraceID] == nil {
				traces = append(traces, a.TraceID)
			}
			inTrace[a.TraceID] = append(inTrace[a.TraceID], a)
		}
	}
	if len(traces) == 0 {
		return nil
	}
	for s, err := range m.Scores.Lookup(ctx, m.Scope, store.Lookup{TraceIDs: traces}) {
		if err != nil {
			return err
		}
		if s.SessionID != "" || s.ExperimentID != "" || !isMeasure(s) || !m.Show(s) {
			continue
		}
		for _, a := range inTrace[s.TraceID] {
			if s.ObservationID != "" && s.ObservationID != a.ID {
				continue
			}
			if err := found.held.Add(int64(64 + len(s.StringValue))); err != nil {
				return err
			}
			one := ItemScore{Measure: found.measure(s), Value: s.Value.Value}
			if s.DataType == domain.ScoreCategorical {
				one.Label = strings.Clone(s.StringValue)
			}
			a.Scores = append(a.Scores, one)
		}
	}
	found.sortMeasures()
	return nil
}

// isMeasure reports whether scores of the type can be compared. Free texts cannot.
func isMeasure(s *domain.Score) bool {
	return s.DataType == domain.ScoreNumeric || s.DataType == domain.ScoreBoolean || s.DataType == domain.ScoreCategorical
}

func (found *Measured) measure(s *domain.Score) int {
	key := Measure{Name: s.Name, Source: s.Source, DataType: s.DataType}
	n, known := found.known[key]
	if !known {
		key = Measure{Name: strings.Clone(s.Name), Source: strings.Clone(s.Source), DataType: strings.Clone(s.DataType)}
		n = len(found.Measures)
		found.known[key] = n
		found.Measures = append(found.Measures, key)
	}
	return n
}

func (found *Measured) sortMeasures() {
	slices.SortFunc(found.Measures, func(a, b Measure) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Source, b.Source), cmp.Compare(a.DataType, b.DataType))
	})
	place := make([]int, len(found.Measures))
	for n, measure := range found.Measures {
		place[found.known[measure]] = n
		found.known[measure] = n
	}
	for _, run := range found.Runs {
		for n := range run.Attempts {
			for at := range run.Attempts[n].Scores {
				score := &run.Attempts[n].Scores[at]
				score.Measure = place[score.Measure]
			}
		}
	}
}

// costOf returns the cost of a row; NaN if it is unknown.
func costOf(row *domain.Observation) float64 {
	if row.TotalCost.Set && !math.IsInf(row.TotalCost.Value, 0) {
		return row.TotalCost.Value
	}
	return math.NaN()
}

// plus adds a number to a sum that is NaN while it has no numbers.
func plus(sum, number float64) float64 {
	if math.IsNaN(sum) {
		return number
	}
	return sum + number
}
