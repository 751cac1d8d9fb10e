package storetest

import (
	"context"
	"slices"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// Opener opens a store on a directory, or reopens it. It fails the test if that is not possible. It must not arrange
// for the store to be closed: the suite closes what it opened, before it opens the same directory again.
//
// A store that keeps its rows elsewhere uses the directory as the name of their location.
type Opener func(t *testing.T, dir string) store.Store

// Merger is implemented by stores that rewrite their data in the background. Merge does all of that immediately, so
// that the suite sees the store afterwards.
type Merger interface {
	Merge(ctx context.Context) error
}

// ReadCounter is implemented by stores that count what they read. RowsRead is the number of rows, since the store was
// opened, for which a read had to look at more than an index. The suite uses it to check the promise of Scan to read in
// proportion to what it returns.
type ReadCounter interface {
	RowsRead() int64
}

// Remote is implemented by stores that hold no data themselves but query a server for everything, so that neither
// flushing nor reopening can change what reads see. The suite then checks what it wrote only once, since each check
// costs queries to the server.
type Remote interface {
	HoldsNothing()
}

// Run checks the named cases of the contract, except for those excluded. Each starts with an empty store.
func Run(t *testing.T, open Opener, without ...string) {
	runTable(t, open, observations(), slices.Concat(oneByOne[domain.Observation](), atOnce[domain.Observation]()), without)
	runTable(t, open, scores(), slices.Concat(oneByOne[domain.Score](), atOnce[domain.Score]()), without)
	runCases(t, open, []namedCase[*fixture]{
		{"every field of an observation", everyObservationField},
		{"every field of a score", everyScoreField},
		{"the tables are apart", tablesApart},
		{"sizes of days", sizesOfDays},
		{"groups of observations", groupsOfObservations},
		{"measures of observations", measuresOfObservations},
		{"measures of scores", measuresOfScores},
		{"buckets", buckets},
		{"weeks and months", weeksAndMonths},
		{"groups of numbers and derived columns", groupsOfNumbers},
		{"counts, different numbers, histograms", countsAndHistograms},
		{"numbers at the edges", numbersAtTheEdges},
		{"sums of money", sumsOfMoney},
		{"bounds of aggregates", boundsOfAggregates},
		{"aggregates of many rows", manyRowsAggregated},
		{"senseless aggregates", senselessAggregates},
		{"too many groups", tooManyGroups},
		{"too much memory", tooMuchMemory},
		{"closed", closed},
		{"stats", stats},
	}, without, "", itself)
	runCases(t, open, storeAtOnce, without, "", itself)
}

// RunConcurrent checks only the concurrent cases of Run, for the race detector.
func RunConcurrent(t *testing.T, open Opener) {
	runTable(t, open, observations(), atOnce[domain.Observation](), nil)
	runTable(t, open, scores(), atOnce[domain.Score](), nil)
	runCases(t, open, storeAtOnce, nil, "", itself)
}

// oneByOne returns the sequential cases that are the same for both tables.
func oneByOne[R any]() []namedCase[*tester[R]] {
	return []namedCase[*tester[R]]{
		{"visible at once", visibleAtOnce[R]},
		{"nothing there", nothingThere[R]},
		{"empty batch", emptyBatch[R]},
		{"invalid rows", invalidRows[R]},
		{"no references are kept", noReferences[R]},
		{"long texts", longTexts[R]},
		{"strange texts", strangeTexts[R]},
		{"keys do not run into each other", keysApart[R]},
		{"many rows in one batch", manyRows[R]},
		{"last write wins", lastWriteWins[R]},
		{"wanted parts", wantedParts[R]},

		{"order", order[R]},
		{"bounds of time", timeBounds[R]},
		{"conditions", conditions[R]},
		{"limit", limit[R]},
		{"paging", paging[R]},
		{"a page reads no more than it returns", pageReadsLittle[R]},
		{"conditions that name rows", namingConditions[R]},
		{"lookup", lookup[R]},
		{"senseless reads", senselessReads[R]},

		{"delete by trace", deleteByTrace[R]},
		{"delete by id", deleteByID[R]},
		{"delete before a time", deleteBefore[R]},
		{"delete all", deleteAll[R]},
		{"delete and append again", deleteAndAppend[R]},
		{"delete does not bring back what was replaced", deleteReplaced[R]},
		{"senseless deletes", senselessDeletes[R]},
		{"windows of arrival", arrivals[R]},
		{"delete by arrival", deleteArrivals[R]},
		{"traces that arrived", arrivedTraces[R]},
		{"amend", amend[R]},
		{"amend what is sent again", amendSentAgain[R]},
		{"amend what is deleted", amendDeleted[R]},

		{"projects are apart", projectsApart[R]},
		{"no project", noProject[R]},

		{"open again", openAgain[R]},
		{"crash", crash[R]},
	}
}

// atOnce returns the cases, the same for both tables, in which a store is changed while it is being read, or a read is
// abandoned.
func atOnce[R any]() []namedCase[*tester[R]] {
	return []namedCase[*tester[R]]{
		{"paging while rows are appended", pagingWhileAppending[R]},
		{"an iteration is one moment", oneMoment[R]},
		{"a read sees what was there when it began", readBegins[R]},
		{"cancelled", cancelled[R]},
		{"leaving an iteration early", leavingEarly[R]},
		{"many goroutines", manyGoroutines[R]},
		{"amending while rows are sent again", amendWhileAppending[R]},
	}
}

// storeAtOnce are the concurrent cases that are not specific to a table.
var storeAtOnce = []namedCase[*fixture]{{"closing while reading", closingWhileReading}}

func itself(f *fixture) *fixture { return f }

// runTable runs cases on one of the tables.
func runTable[R any](t *testing.T, open Opener, k *kind[R], cases []namedCase[*tester[R]], without []string) {
	t.Run(k.name, func(t *testing.T) {
		runCases(t, open, cases, without, k.name+"/", func(f *fixture) *tester[R] { return testerOf(f, k) })
	})
}

// namedCase is a case that needs an X to run on.
type namedCase[X any] struct {
	name string
	run  func(t *testing.T, x X)
}

// runCases runs each case on its own store, except for those excluded by their full name.
func runCases[X any](t *testing.T, open Opener, cases []namedCase[X], without []string, prefix string, on func(*fixture) X) {
	for _, c := range cases {
		if slices.Contains(without, prefix+c.name) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			c.run(t, on(newFixture(t, open)))
		})
	}
}
