package segment

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/disk"
	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// Environment variables for a process that is going to be killed.
const (
	crashDirectory = "ALMANAC_CRASH_CHILD" // its store
	crashPlanned   = "ALMANAC_CRASH_PLAN"  // a crashPlan as JSON
	// crashRounds sets how often TestCrash kills; the default reaches every point once.
	crashRounds = "ALMANAC_CRASH_ROUNDS"
)

// crashPoints are the points at which a process kills itself, and up to how many times it may pass there before.
var crashPoints = []struct {
	name  string
	often int
}{
	{"log-write", 100},
	{"log-part", 2},
	{"log-sync", 100},
	{"log-synced", 100},
	{"segment-write", 8},
	{"index-write", 8},
	{"manifest-write", 8},
	{"manifest-sync", 8},
	{"manifest-synced", 8},
	{"log-remove", 8},
	{"merge-write", 2},
	{"merge-install", 2},
}

const crashWorkers = 4

// crashPlan describes what a process does until it is killed.
type crashPlan struct {
	Seed  uint64
	Table string // the table whose points count
	Point string // where it kills itself; "" if it waits to be killed
	Count int64  // it dies the Count-th time it passes the point
	Next  [crashWorkers]int
}

// crashOptions makes every kind of background work happen within a fraction of a second.
func crashOptions() Options {
	return Options{FlushBytes: 128 << 10, CacheBytes: 1 << 20, MergeGroups: 4, MinFreeDisk: 1}
}

// crashOp is one write. It is determined by the seed, the worker and a number, so that the checking process knows what
// the killed process was doing.
type crashOp struct {
	table, project string
	observations   []domain.Observation
	scores         []domain.Score
	remove         *store.Selection
}

// crashOperation returns write number n of a worker. Workers have their own keys, so that the order of writes to a key
// is known, and few of them, so that most writes replace something.
func crashOperation(seed uint64, worker, n int) crashOp {
	r := rand.New(rand.NewPCG(seed, uint64(worker)<<40|uint64(n)))
	op := crashOp{table: "observations", project: fmt.Sprintf("shared-%d", worker%2)}
	own := r.IntN(4) == 0
	if own {
		op.project = fmt.Sprintf("own-%d", worker)
	}
	trace := func() string { return fmt.Sprintf("w%d-trace-%02d", worker, r.IntN(20)) }
	id := func() string { return fmt.Sprintf("w%d-row-%02d", worker, r.IntN(10)) }
	when := func() domain.Micros { // three days, so that a flush writes several segments
		return domain.Micros(1_700_000_000_000_000 + r.Int64N(3*24*60*60*1000)*1000)
	}
	if r.IntN(4) == 0 {
		op.table = "scores"
		id = func() string { return fmt.Sprintf("w%d-score-%02d", worker, r.IntN(60)) }
	}
	if r.IntN(8) == 0 {
		op.remove = new(store.Selection)
		switch kind := r.IntN(6); {
		case kind == 0 && own:
			op.remove.All = true
		case kind == 1 && own:
			op.remove.Before = when()
		case kind < 3:
			op.remove.IDs = []string{id(), id()}
		default:
			op.remove.TraceIDs = []string{trace(), trace()}
		}
		if r.IntN(2) == 0 { // a window of everything
			op.remove.Arrived = &store.Window{After: -1, UpTo: math.MaxInt64}
		}
		return op
	}
	for range 1 + r.IntN(6) {
		text := crashText(r)
		if op.table == "scores" {
			op.scores = append(op.scores, domain.Score{
				ID: id(), TraceID: trace(), Timestamp: when(), Name: "quality", Value: domain.FloatOf(float64(n)), Comment: text,
			})
			continue
		}
		op.observations = append(op.observations, domain.Observation{
			TraceID: trace(), ID: id(), StartTime: when(), Name: []string{"chat", "search", "plan"}[r.IntN(3)], Version: strconv.Itoa(n),
			SessionID: fmt.Sprintf("session-%d", r.IntN(5)), Tags: []string{"crash", strconv.Itoa(worker)}[:1+r.IntN(2)],
			InputTokens: int64(n), TotalCost: domain.FloatOf(1 / float64(n+1)), Input: text, Metadata: fmt.Sprintf(`{"n":"%d"}`, n),
		})
	}
	return op
}

func crashText(r *rand.Rand) string {
	var b strings.Builder
	words := r.IntN(200)
	if r.IntN(300) == 0 { // a record of several parts
		words = longRecord / len("word")
	}
	for range words {
		fmt.Fprintf(&b, "word%d ", r.IntN(1000))
	}
	return b.String()
}

// run executes the write.
func (op *crashOp) run(ctx context.Context, s *Store) (err error) {
	scope := domain.OfProject(op.project)
	switch {
	case op.remove != nil && op.table == "scores":
		_, err = s.Scores().Delete(ctx, scope, *op.remove)
	case op.remove != nil:
		_, err = s.Observations().Delete(ctx, scope, *op.remove)
	case op.table == "scores":
		err = s.Scores().Append(ctx, scope, op.scores)
	default:
		err = s.Observations().Append(ctx, scope, op.observations)
	}
	return err
}

// crashKey identifies a row; trace is empty for scores.
type crashKey struct{ table, project, trace, id string }

// crashRow is a row in the form in which it is recorded and compared.
type crashRow struct {
	crashKey
	position store.Position
	time     domain.Micros
	content  string
}

func observationRow(project string, o *domain.Observation) crashRow {
	content, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	p := store.Position{Millis: o.StartTime.Millis(), TraceID: strings.Clone(o.TraceID), ID: strings.Clone(o.ID)}
	return crashRow{crashKey{"observations", project, p.TraceID, p.ID}, p, o.StartTime, string(content)}
}

func scoreRow(project string, s *domain.Score) crashRow {
	content, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	p := store.Position{Millis: s.Timestamp.Millis(), TraceID: strings.Clone(s.TraceID), ID: strings.Clone(s.ID)}
	return crashRow{crashKey{"scores", project, "", p.ID}, p, s.Timestamp, string(content)}
}

// worker returns the worker that owns the row.
func (r *crashRow) worker() int { return int(r.id[1] - '0') }

// crashState holds the rows that should be stored.
type crashState map[crashKey]crashRow

func (s crashState) apply(op crashOp) {
	for n := range op.observations {
		row := observationRow(op.project, &op.observations[n])
		s[row.crashKey] = row
	}
	for n := range op.scores {
		row := scoreRow(op.project, &op.scores[n])
		s[row.crashKey] = row
	}
	if op.remove == nil {
		return
	}
	maps.DeleteFunc(s, func(key crashKey, row crashRow) bool {
		return key.table == op.table && key.project == op.project && (op.remove.All || row.time < op.remove.Before ||
			slices.Contains(op.remove.TraceIDs, row.position.TraceID) || slices.Contains(op.remove.IDs, key.id))
	})
}

// crashChild writes until it dies. It reports on its standard output, which the kernel keeps when the process is
// killed, what it begins and what was acknowledged.
func crashChild(directory string) {
	say := func(format string, args ...any) {
		_, _ = fmt.Fprintf(os.Stdout, format+"\n", args...) // a single write, so that lines stay whole
	}
	var plan crashPlan
	if err := json.Unmarshal([]byte(os.Getenv(crashPlanned)), &plan); err != nil {
		say("failed: %v", err)
		os.Exit(1)
	}
	go func() { // the parent holds the other end, and may die as well
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(1)
	}()
	var passed atomic.Int64
	optionsOf := func(table string) Options {
		options := crashOptions()
		options.failpoint = func(name string) {
			if table == plan.Table && name == plan.Point && passed.Add(1) == plan.Count {
				say("dying")
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {} // nothing may happen after the point
			}
		}
		return options.withDefaults()
	}
	// The same as Open, except that points know their table.
	free := &freeSpace{directory: directory, least: 1}
	observations, err := openTable(observationSchema(), filepath.Join(directory, "observations"), optionsOf("observations"), free)
	if err != nil {
		say("failed: %v", err)
		os.Exit(1)
	}
	scores, err := openTable(scoreSchema(), filepath.Join(directory, "scores"), optionsOf("scores"), free)
	if err != nil {
		say("failed: %v", err)
		os.Exit(1)
	}
	s := &Store{observations: observations, scores: scores}
	say("open")
	for worker := range crashWorkers {
		go func() {
			for n := plan.Next[worker]; ; n++ {
				op := crashOperation(plan.Seed, worker, n)
				say("begin %d %d", worker, n)
				switch err := op.run(context.Background(), s); {
				case err == nil:
					say("done %d %d", worker, n)
				case errors.Is(err, store.ErrBusy):
					say("busy %d %d", worker, n)
				default:
					say("failed: worker %d, write %d: %v", worker, n, err)
					os.Exit(1)
				}
			}
		}()
	}
	select {}
}

// crashTest is a store that is killed repeatedly, and what should be in it.
type crashTest struct {
	directory    string
	random       *rand.Rand
	plan         crashPlan
	kept         crashState
	inFlight     [crashWorkers]*crashOp // begun but neither acknowledged nor refused when the process died
	acknowledged int
	refused      int
	rows         int
	survived     int // in-flight writes that turned out to be kept
	losses       int
	reached      map[string]int
}

// TestCrash repeatedly kills a process that writes, and opens its store each time: all acknowledged writes must be
// there, and nothing else except writes in flight, each as a whole.
func TestCrash(t *testing.T) {
	rounds := len(crashPoints) + 3
	if text := os.Getenv(crashRounds); text != "" {
		var err error
		if rounds, err = strconv.Atoi(text); err != nil {
			t.Fatalf("%s: %v", crashRounds, err)
		}
	}
	seed := rand.Uint64()
	c := &crashTest{
		directory: t.TempDir(), random: rand.New(rand.NewPCG(seed, 0)), plan: crashPlan{Seed: seed}, kept: crashState{},
		reached: map[string]int{},
	}
	began := time.Now()
	for round := range rounds {
		c.kill(t, round)
		c.check(t, round)
		if t.Failed() {
			t.Logf("failed in round %d, seed %d, plan %+v", round, seed, c.plan)
			break
		}
	}
	t.Logf("%d rounds in %v: %d writes acknowledged with %d rows, %d refused, %d in flight and kept; %d losses; points reached: %v",
		rounds, time.Since(began).Round(time.Millisecond), c.acknowledged, c.rows, c.refused, c.survived, c.losses, c.reached)
	for _, p := range crashPoints {
		if c.reached[p.name] == 0 && rounds >= len(crashPoints) && !t.Failed() {
			t.Errorf("no process died at %s", p.name)
		}
	}
}

// kill starts a process, kills it or lets it kill itself, and reads its reports.
func (c *crashTest) kill(t *testing.T, round int) {
	t.Helper()
	c.plan.Point, c.plan.Table = "", "observations"
	if n := round % (len(crashPoints) + 3); n < len(crashPoints) {
		c.plan.Point, c.plan.Count = crashPoints[n].name, 1+c.random.Int64N(int64(crashPoints[n].often))
		if round >= len(crashPoints) && c.random.IntN(4) == 0 {
			c.plan.Table = "scores"
		}
	}
	plan, err := json.Marshal(c.plan)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), crashDirectory+"="+c.directory, crashPlanned+"="+string(plan))
	child.Stderr = os.Stderr
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	// Long enough to reach any point even on a busy machine; fewer points are reached for scores. Without a point, any
	// time, even before the store is open.
	life := 30 * time.Second
	switch {
	case c.plan.Point == "":
		life = time.Duration(c.random.Int64N(int64(300 * time.Millisecond)))
	case c.plan.Table == "scores":
		life = 3 * time.Second
	}
	timer := time.AfterFunc(life, func() { _ = child.Process.Kill() })
	dying := c.listen(t, stdout)
	timer.Stop()
	_ = child.Wait() // killed
	if dying {
		c.reached[c.plan.Point]++
		c.cutPower(t)
	}
}

// listen reads the reports of a process until it is dead. It returns whether the process reached its point.
func (c *crashTest) listen(t *testing.T, stdout io.Reader) (dying bool) {
	t.Helper()
	c.inFlight = [crashWorkers]*crashOp{}
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		var worker, n int
		line := lines.Text()
		word, rest, _ := strings.Cut(line, " ")
		if _, err := fmt.Sscan(rest, &worker, &n); err != nil && (word == "begin" || word == "done" || word == "busy") {
			t.Fatalf("a process said %q", line)
		}
		switch word {
		case "open":
		case "dying":
			dying = true
		case "begin":
			op := crashOperation(c.plan.Seed, worker, n)
			c.inFlight[worker] = &op
			c.plan.Next[worker] = n + c.random.IntN(2) // a client may resend what was not acknowledged
		case "done":
			op := c.inFlight[worker]
			c.kept.apply(*op)
			c.acknowledged++
			c.rows += len(op.observations) + len(op.scores)
			c.inFlight[worker] = nil
			c.plan.Next[worker] = n + 1
		case "busy":
			c.refused++
			c.inFlight[worker] = nil
		default:
			t.Errorf("a process said %q", line)
		}
	}
	return dying
}

// cutPower simulates a power failure on a frame that was written but not synced: the frame, or its end, is missing or
// zeroed.
func (c *crashTest) cutPower(t *testing.T) {
	t.Helper()
	directory := filepath.Join(c.directory, c.plan.Table)
	path := filepath.Join(directory, manifestName)
	switch c.plan.Point {
	case "log-sync":
		numbers, err := logNumbers(directory)
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.Join(directory, logName(numbers[len(numbers)-1]))
	case "manifest-sync":
	default:
		return
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	frames := framesOf(t, content)
	last := frames[len(frames)-1]
	keep := last + c.random.IntN(len(content)-last+1)
	if c.random.IntN(2) == 0 {
		clear(content[keep:])
	} else {
		content = content[:keep]
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// framesOf returns the offsets of the frames of a log or manifest.
func framesOf(t *testing.T, content []byte) (offsets []int) {
	t.Helper()
	offset, m := len(manifestMagic), manifestMark
	if string(content[:len(logMagic)]) == logMagic {
		offset, m = logHead, mark(content[len(logMagic):logHead-4])
	}
	for offset < len(content) {
		if _, ok := frameAt(content, offset, m); !ok {
			t.Fatalf("there is no frame at offset %d of %d", offset, len(content))
		}
		offsets = append(offsets, offset)
		offset += frameHeader + int(binary.LittleEndian.Uint32(content[offset+4:]))
	}
	return offsets
}

// check opens the store after a crash and compares it with its expected contents.
func (c *crashTest) check(t *testing.T, round int) {
	t.Helper()
	s, err := Open(c.directory, crashOptions())
	if err != nil {
		c.losses++
		t.Errorf("cannot open the store after a crash: %v", err)
		return
	}
	c.settle(t, s)
	c.checkReads(t, s)
	if round%3 == 0 { // again after everything has moved
		if err := s.Flush(t.Context()); err != nil {
			t.Errorf("Flush: %v", err)
		}
		c.checkReads(t, s)
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
	for _, table := range []string{"observations", "scores"} {
		if stray := strayFiles(t, filepath.Join(c.directory, table)); len(stray) > 0 {
			t.Errorf("files of table %s that nothing refers to: %v", table, stray)
		}
	}
}

// settle determines which in-flight writes were kept, each as a whole.
func (c *crashTest) settle(t *testing.T, s *Store) {
	t.Helper()
	stored := make([]crashState, crashWorkers)
	for worker := range stored {
		stored[worker] = crashState{}
	}
	for _, row := range c.scanAll(t, s) {
		if _, twice := stored[row.worker()][row.crashKey]; twice {
			t.Errorf("row %+v is there twice", row.crashKey)
		}
		stored[row.worker()][row.crashKey] = row
	}
	for worker := range crashWorkers {
		want := maps.Clone(c.kept)
		maps.DeleteFunc(want, func(_ crashKey, row crashRow) bool { return row.worker() != worker })
		if maps.Equal(want, stored[worker]) {
			continue
		}
		if op := c.inFlight[worker]; op != nil {
			with := maps.Clone(want)
			with.apply(*op)
			if maps.Equal(with, stored[worker]) {
				c.survived++
				c.kept.apply(*op)
				continue
			}
		}
		c.complain(t, worker, want, stored[worker])
	}
}

// complain reports what is wrong with the rows of a worker.
func (c *crashTest) complain(t *testing.T, worker int, want, got crashState) {
	t.Helper()
	wrong := 0
	for key, row := range want {
		if got[key] == row {
			continue
		}
		if wrong++; wrong < 5 {
			t.Errorf("worker %d lost %+v\nwant %s\ngot  %s", worker, key, row.content, got[key].content)
		}
	}
	for key := range got {
		if _, ok := want[key]; ok {
			continue
		}
		if wrong++; wrong < 5 {
			t.Errorf("worker %d has %+v, which was deleted or never acknowledged", worker, key)
		}
	}
	c.losses += wrong
	t.Errorf("worker %d: %d of %d rows are wrong; in flight was %+v", worker, wrong, len(want), c.inFlight[worker])
}

func crashProjects() (projects []string) {
	projects = []string{"shared-0", "shared-1"}
	for worker := range crashWorkers {
		projects = append(projects, fmt.Sprintf("own-%d", worker))
	}
	return projects
}

// scanAll returns all rows of both tables.
func (c *crashTest) scanAll(t *testing.T, s *Store) (rows []crashRow) {
	t.Helper()
	for _, project := range crashProjects() {
		scope := domain.OfProject(project)
		rows = append(rows,
			collectRows(t, project, observationRow,
				s.Observations().Scan(t.Context(), scope, store.Query[domain.Observation]{Want: store.WantAll}))...)
		rows = append(rows,
			collectRows(t, project, scoreRow, s.Scores().Scan(t.Context(), scope, store.Query[domain.Score]{Want: store.WantAll}))...)
	}
	return rows
}

// collectRows returns the rows of an iteration, which must be in order.
func collectRows[R any](t *testing.T, project string, as func(string, *R) crashRow, all iter.Seq2[*R, error]) (rows []crashRow) {
	t.Helper()
	for r, err := range all {
		if err != nil {
			t.Errorf("cannot read: %v", err)
			return rows
		}
		rows = append(rows, as(project, r))
		if n := len(rows); n > 1 && comparePositions(rows[n-2].position, rows[n-1].position) >= 0 {
			t.Errorf("%+v comes before %+v", rows[n-2].position, rows[n-1].position)
		}
	}
	return rows
}

// checkReads compares the results of every kind of read with the expected contents.
func (c *crashTest) checkReads(t *testing.T, s *Store) {
	t.Helper()
	byKey := func(a, b crashRow) int {
		return strings.Compare(fmt.Sprint(a.crashKey), fmt.Sprint(b.crashKey))
	}
	all := slices.SortedFunc(maps.Values(c.kept), byKey)
	compare := func(what string, want, got []crashRow) {
		t.Helper()
		slices.SortFunc(got, byKey)
		if !slices.Equal(want, got) {
			c.losses++
			t.Errorf("%s: %s", what, cmp.Diff(want, got, cmp.AllowUnexported(crashRow{}, crashKey{})))
		}
	}
	compare("Scan", all, c.scanAll(t, s))
	traces, ids := keyTexts()
	rowsOf := func(table, project string, is func(crashRow) bool) (rows []crashRow) {
		for _, row := range all {
			if row.table == table && row.project == project && is(row) {
				rows = append(rows, row)
			}
		}
		return rows
	}
	for _, project := range crashProjects() {
		scope := domain.OfProject(project)
		// A lookup of all traces finds each row once; a lookup of one finds no others.
		each := []string{traces[c.random.IntN(len(traces))], traces[c.random.IntN(len(traces))]}
		for _, list := range [][]string{traces, each[:1], each[1:]} {
			is := func(row crashRow) bool { return slices.Contains(list, row.position.TraceID) }
			l := store.Lookup{TraceIDs: list, Want: store.WantAll}
			compare("Lookup of observations by trace", rowsOf("observations", project, is),
				collectRows(t, project, observationRow, s.Observations().Lookup(t.Context(), scope, l)))
			compare("Lookup of scores by trace", rowsOf("scores", project, is),
				collectRows(t, project, scoreRow, s.Scores().Lookup(t.Context(), scope, l)))
		}
		is := func(row crashRow) bool { return slices.Contains(ids, row.id) }
		l := store.Lookup{IDs: ids, Want: store.WantAll}
		compare("Lookup of observations by id", rowsOf("observations", project, is),
			collectRows(t, project, observationRow, s.Observations().Lookup(t.Context(), scope, l)))
		compare("Lookup of scores by id", rowsOf("scores", project, is),
			collectRows(t, project, scoreRow, s.Scores().Lookup(t.Context(), scope, l)))

		every := func(crashRow) bool { return true }
		compareCounts(t, project, s.Observations(), filter.Observations(), rowsOf("observations", project, every))
		compareCounts(t, project, s.Scores(), filter.Scores(), rowsOf("scores", project, every))
	}
	stats := s.Stats()
	if got := stats.Observations.Rows + stats.Scores.Rows; got != int64(len(all)) {
		t.Errorf("Stats counts %d rows instead of %d", got, len(all))
	}
}

// keyTexts returns all traces and ids that crashOperation uses.
func keyTexts() (traces, ids []string) {
	for worker := range crashWorkers {
		for n := range 20 {
			traces = append(traces, fmt.Sprintf("w%d-trace-%02d", worker, n))
		}
		for n := range 10 {
			ids = append(ids, fmt.Sprintf("w%d-row-%02d", worker, n))
		}
		for n := range 60 {
			ids = append(ids, fmt.Sprintf("w%d-score-%02d", worker, n))
		}
	}
	return traces, ids
}

// compareCounts compares the number of rows of each trace with the result of Aggregate.
func compareCounts[R any](t *testing.T, project string, table store.Table[R], columns *filter.Catalogue[R], rows []crashRow) {
	t.Helper()
	column, _ := columns.Column("traceId")
	groups, err := table.Aggregate(t.Context(), domain.OfProject(project), store.AggregateQuery[R]{
		GroupBy: []*filter.Column[R]{column}, Measures: []store.Measure[R]{{Function: store.Count}},
	})
	if err != nil {
		t.Errorf("cannot count: %v", err)
		return
	}
	want, got := map[string]float64{}, map[string]float64{}
	for _, row := range rows {
		want[row.position.TraceID]++
	}
	for _, g := range groups.Rows {
		got[g.Keys[0]] += g.Values[0].Value
	}
	if !maps.Equal(want, got) {
		t.Errorf("Aggregate: %s", cmp.Diff(want, got))
	}
}

// strayFiles returns the files of a closed table that it does not need, and those that it needs but does not have.
func strayFiles(t *testing.T, directory string) (stray []string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(directory, manifestName))
	if err != nil {
		t.Fatal(err)
	}
	state := newTableState()
	if _, err := readManifest(manifestName, content, state); err != nil {
		t.Fatal(err)
	}
	needed := map[string]bool{manifestName: true}
	for _, number := range state.segments {
		needed[segmentName(number)], needed[indexName(number)] = true, true
	}
	numbers, err := logNumbers(directory)
	if err != nil {
		t.Fatal(err)
	}
	for n, number := range numbers {
		needed[logName(number)] = n == len(numbers)-1 // the last one is being written to
		if err := replayLog(disk.Disk{}, filepath.Join(directory, logName(number)), false, func(record []byte) error {
			if binary.LittleEndian.Uint64(record[recordSeq:]) > state.horizon {
				needed[logName(number)] = true
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
	}
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !needed[e.Name()] {
			stray = append(stray, e.Name())
		}
		delete(needed, e.Name())
	}
	for name := range needed {
		if needed[name] {
			stray = append(stray, name+" (missing)")
		}
	}
	return stray
}

// TestTornTail truncates the last log at every kind of place. Everything in whole frames must be there, the rest must
// not, and the store must continue as if the rest had never been written.
func TestTornTail(t *testing.T) {
	directory := t.TempDir()
	s, err := Open(directory, damageOptions())
	if err != nil {
		t.Fatal(err)
	}
	// states[n] is the expected state when n frames are whole; the first frame only records where the log starts.
	states := []crashState{{}, {}}
	for n := 0; len(states) < 6; n++ {
		op := crashOperation(1, 0, n)
		if op.table != "observations" {
			continue
		}
		if err := op.run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		state := maps.Clone(states[len(states)-1])
		state.apply(op)
		states = append(states, state)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("observations", logName(1))
	content, err := os.ReadFile(filepath.Join(directory, name))
	if err != nil {
		t.Fatal(err)
	}
	frames := framesOf(t, content)
	if len(frames) != len(states)-1 {
		t.Fatalf("%d frames, want %d", len(frames), len(states)-1)
	}
	ends := append(slices.Clone(frames[1:]), len(content))
	for _, cut := range []int{0, 1, len(logMagic) - 1, len(logMagic), logHead - 1, logHead} { // durable before it was used
		trial := copyStore(t, directory)
		replaceFile(t, filepath.Join(trial, name), content[:cut])
		_, err := Open(trial, damageOptions())
		wantErr(t, err, logName(1)+" is empty, or its beginning is")
	}
	var cuts []int
	for n, start := range frames {
		for _, at := range []int{start + 1, start + 4, start + 8, (start + ends[n]) / 2, ends[n] - 1, ends[n]} {
			if at <= ends[n] {
				cuts = append(cuts, at)
			}
		}
	}
	for _, cut := range cuts {
		for _, rest := range []string{"gone", "zeroes", "garbage"} {
			if rest != "gone" && (cut < logHead || cut < frames[len(frames)-1]) {
				continue // only the last frame can have been in progress, and a log is not named before its head is written
			}
			damaged := slices.Clone(content[:cut])
			switch rest {
			case "zeroes":
				damaged = append(damaged, make([]byte, 4096)...)
			case "garbage":
				for n := range 100 {
					damaged = append(damaged, byte(n*37+11))
				}
			}
			whole := 0
			for _, end := range ends {
				if end <= len(damaged) && string(damaged[:end]) == string(content[:end]) { // the replacement may happen to be right
					whole++
				}
			}
			trial := copyStore(t, directory)
			replaceFile(t, filepath.Join(trial, name), damaged)
			checkTorn(t, fmt.Sprintf("cut at %d of %d, rest %s", cut, len(content), rest), trial, states[whole])
		}
	}
}

// checkTorn opens a store with a torn log, compares it, and checks that it accepts another write, twice.
func checkTorn(t *testing.T, what, directory string, want crashState) {
	t.Helper()
	want = maps.Clone(want)
	for n := range 2 {
		s, err := Open(directory, damageOptions())
		if err != nil {
			t.Errorf("%s: open %d: %v", what, n, err)
			return
		}
		got := crashState{}
		for _, row := range (&crashTest{}).scanAll(t, s) {
			got[row.crashKey] = row
		}
		if !maps.Equal(want, got) {
			t.Errorf("%s: open %d: %d rows, want %d", what, n, len(got), len(want))
		}
		op := crashOp{
			table: "observations", project: "shared-0", observations: []domain.Observation{
				{TraceID: "w0-more", ID: strconv.Itoa(n), StartTime: 1},
			},
		}
		if err := op.run(t.Context(), s); err != nil {
			t.Errorf("%s: write %d: %v", what, n, err)
		}
		want.apply(op)
		if err := s.Close(); err != nil {
			t.Errorf("%s: close %d: %v", what, n, err)
		}
	}
}

// TestDamagedMiddle damages a frame that others follow. Those were acknowledged after it, so it was acknowledged as
// well.
func TestDamagedMiddle(t *testing.T) {
	directory := t.TempDir()
	s, err := Open(directory, damageOptions())
	if err != nil {
		t.Fatal(err)
	}
	for n := range 5 {
		row := domain.Observation{TraceID: "t", ID: strconv.Itoa(n), StartTime: 1, Input: "some text"}
		if err := s.Observations().Append(t.Context(), domain.OfProject("p"), []domain.Observation{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("observations", logName(1))
	content, err := os.ReadFile(filepath.Join(directory, name))
	if err != nil {
		t.Fatal(err)
	}
	frames := framesOf(t, content)
	for n, start := range frames[:len(frames)-1] {
		// Change every byte of the frame: its length, its checksum, its content.
		for at := start; at < frames[n+1]; at++ {
			for _, bits := range []byte{1, 0x80, 0xff} {
				damaged := slices.Clone(content)
				damaged[at] ^= bits
				trial := filepath.Join(t.TempDir(), logName(1))
				if err := os.WriteFile(trial, damaged, 0o600); err != nil {
					t.Fatal(err)
				}
				err := replayLog(disk.Disk{}, trial, true, func([]byte) error { return nil })
				if want := fmt.Sprintf("log file %s is damaged at offset %d", trial, start); err == nil ||
					!strings.HasPrefix(err.Error(), want) {
					t.Fatalf("byte %d: error %v, want %s", at, err, want)
				}
				if after, err := os.ReadFile(trial); err != nil || string(after) != string(damaged) {
					t.Fatalf("byte %d: the file was changed, %v", at, err)
				}
			}
		}
	}
	// A log that is not the last one was complete when the next one was created.
	path := filepath.Join(t.TempDir(), logName(1))
	if err := os.WriteFile(path, content[:len(content)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	err = replayLog(disk.Disk{}, path, false, func([]byte) error { return nil })
	if want := fmt.Sprintf("log file %s is damaged at offset %d", path, frames[len(frames)-1]); err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}
