package storetest

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"almanac/internal/filter"
	"almanac/internal/store"
)

// rank compares rankings. Each query is repeated, since stores may keep parts of the answer.
func (h *half[R]) rank(rt *rapid.T) {
	project := drawProject(rt)
	q := h.drawRank(rt, project)
	subject, model := h.tables()
	want, err := model.Rank(rt.Context(), projectScope(project), q)
	if err != nil {
		rt.Fatalf("BUG: the model fails: %v", err)
	}
	slices.Sort(want.Unclear)
	for range 3 {
		got, err := subject.Rank(rt.Context(), projectScope(project), q)
		if err != nil {
			rt.Fatalf("Rank(%s by %s): %v", project, q.Key.ID(), err)
		}
		slices.Sort(got.Unclear)
		sortTallies(got.Tallies)
		if d := gocmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" {
			rt.Fatalf("Rank(%s by %s of %s, %d flags, %d measures, %d tallies) (-want +got)\n%s",
				project, q.Key.ID(), describeConditions(q.Where), len(q.Flags), len(q.Measures), len(q.Tallies), d)
		}
	}
}

func describeConditions[R any](where []filter.Condition[R]) string {
	return describeQuery(store.Query[R]{Where: where})
}

func (h *half[R]) drawRank(rt *rapid.T, project string) store.RankQuery[R] {
	existing := h.existing(project)
	q := store.RankQuery[R]{
		Key:       h.catalogue.MustColumn(rapid.SampledFrom([]string{"traceId", "sessionId", "name", "id"}).Draw(rt, "key")),
		Ascending: rapid.Bool().Draw(rt, "ascending"), KeysAscending: rapid.Bool().Draw(rt, "keys ascending"),
		Skip: rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(rt, "skip"), Limit: rapid.IntRange(0, 4).Draw(rt, "limit"),
	}
	unsure := make(map[uint64]bool)
	for _, key := range drawTexts(rt, "unsure", traceIDs) {
		unsure[store.TextHash(key)] = true
	}
	q.From, q.To = h.drawBound(rt, "from", existing), h.drawBound(rt, "to", existing)
	q.Where = h.drawConditions(rt, existing)
	for range rapid.IntRange(0, 3).Draw(rt, "flags") {
		flag := store.RankFlag[R]{Where: h.drawConditions(rt, existing), Not: h.drawConditions(rt, existing)}
		if rapid.Bool().Draw(rt, "a flag with times") {
			flag.From, flag.To = h.drawBound(rt, "flag from", existing), h.drawBound(rt, "flag to", existing)
		}
		q.Flags = append(q.Flags, flag)
	}
	q.Required = len(q.Flags) > 0 && rapid.Bool().Draw(rt, "required")
	for _, c := range h.catalogue.Columns() {
		if !slices.Contains([]string{"totalCost", "totalTokens", "value", "inputTokens", "startTime", "endTime", "timestamp"}, c.ID()) ||
			rapid.Bool().Draw(rt, "not "+c.ID()) {
			continue
		}
		m := store.RankMeasure[R]{Function: store.Sum, Column: c, If: h.drawConditions(rt, existing)}
		if c.Kind() == filter.Time {
			m.Function = rapid.SampledFrom([]store.Function{store.Min, store.Max}).Draw(rt, "function")
		}
		q.Measures = append(q.Measures, m)
	}
	q.Measures = append(q.Measures, store.RankMeasure[R]{Function: store.Count, If: h.drawConditions(rt, existing)})
	for _, c := range h.catalogue.Columns() {
		if c.Kind() == filter.Time || rapid.IntRange(0, 9).Draw(rt, "no tally of "+c.ID()) > 0 {
			continue
		}
		tally := store.RankTally[R]{Column: c, If: h.drawConditions(rt, existing)}
		if rapid.Bool().Draw(rt, "a tally with times") {
			tally.From, tally.To = h.drawBound(rt, "tally from", existing), h.drawBound(rt, "tally to", existing)
		}
		q.Tallies = append(q.Tallies, tally)
	}
	judged := rapid.IntRange(0, len(q.Measures)-1).Draw(rt, "ordered by")
	unclear := uint64(rapid.IntRange(0, 8).Draw(rt, "unclear")) //nolint:gosec // small
	q.Judge = func(t *store.RankTotals) (order store.RankOrder, verdict store.Verdict) {
		order = store.RankOrder{Value: rounded(t.Values[judged]), Then: int64(t.Values[len(t.Values)-1])}
		switch {
		case unsure[t.Hash] || len(q.Flags) > 0 && t.Flags == unclear:
			return order, store.Unclear
		case t.Has(0) && t.Has(1):
			return order, store.Unwanted
		}
		return order, store.Wanted
	}
	if rapid.Bool().Draw(rt, "after") {
		q.After = &store.RankPlace{Key: rapid.SampledFrom(traceIDs).Draw(rt, "after key")}
		q.After.Then = int64(rapid.IntRange(0, 2).Draw(rt, "after then"))
		q.After.Value = float64(rapid.IntRange(0, 2).Draw(rt, "after value"))
	}
	return q
}

// rounded returns a value without the last digits, in which sums may differ by the order of their parts.
func rounded(value float64) float64 {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return 0
	}
	short, err := strconv.ParseFloat(strconv.FormatFloat(value, 'g', 9, 64), 64)
	if err != nil {
		panic(fmt.Sprintf("BUG: %v: %v", value, err))
	}
	return short
}
