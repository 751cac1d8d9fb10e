package segment

import (
	"bytes"
	"math"
	"slices"
	"sort"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// addGroup adds the rows of a row group that match the predicate. Keys are handled as small integers and values as
// decoded columns, page by page; only rows that belong to several groups are added one by one.
func (a *aggregator[R]) addGroup(g liveGroup[R], p *predicate[R]) error {
	r, ok := g.rangeOf(p.project)
	if !ok || p.misses(r.oldest, r.youngest) {
		return nil
	}
	covered := p.covers(r.oldest, r.youngest)
	if covered && a.frozen != nil {
		if err := g.current(); err != nil {
			return err
		}
		if done, err := a.addFrozen(g, r); done || err != nil {
			return err
		}
	}
	var chosen *rowMask // nil for all
	if !p.all() || !covered || g.dead.len() > 0 {
		var err error
		if chosen, err = p.selectRows(g); err != nil || chosen == nil {
			return err
		}
	} else if err := g.current(); err != nil {
		return err
	}
	return a.addRows(g.rowGroup, r, chosen)
}

// addRows adds the selected rows of a row group; all if chosen is nil.
func (a *aggregator[R]) addRows(g *rowGroup[R], r projectRange, chosen *rowMask) error {
	if source, ok := a.countsCodes(g); ok {
		return a.addCodes(g, source, r, chosen)
	}
	if a.local == nil {
		a.local = &localGroups[R]{aggregator: a, met: memory.NewTally(a.ctx)}
	}
	ok, err := a.local.begin(g, r)
	if err != nil {
		return err
	}
	if !ok {
		return a.addGroupRows(g, r, chosen)
	}
	for first := r.start / pageRows * pageRows; first < r.end; first += pageRows {
		if err := a.local.addPage(first, max(first, r.start), min(first+pageRows, r.end), chosen); err != nil {
			return err
		}
	}
	return a.local.finish()
}

// addGroupRows adds the selected rows one by one.
func (a *aggregator[R]) addGroupRows(g *rowGroup[R], r projectRange, chosen *rowMask) error {
	columns := []int{a.schema.time}
	for _, c := range a.Query.GroupBy {
		columns = append(columns, a.schema.sourcesOf(c)...)
	}
	for n := range a.Inputs {
		columns = append(columns, a.schema.sourcesOf(a.Inputs[n].Column)...)
	}
	slices.Sort(columns)
	reader := newScanReader(g, slices.Compact(columns)).countIn(a.ctx)
	defer reader.close()
	var row R
	for n := r.start; n < r.end; n++ {
		if chosen != nil && chosen.mask[n-chosen.first] == 0 {
			continue
		}
		if err := reader.fill(n, &row); err != nil {
			return err
		}
		if err := a.Add(&row); err != nil {
			return err
		}
	}
	return nil
}

// localGroups accumulates the rows of one row group. Its groups are numbered, and sums are kept in plain arrays indexed
// by that number. A row group spans little time and few values, so a table of all possible groups is small; where it is
// not, a map is used instead.
type localGroups[R any] struct {
	aggregator *aggregator[R]
	group      *rowGroup[R]
	keys       []localKey[R]
	inputs     []localInput[R]
	space      int64 // number of possible combinations of keys
	table      []int32
	sparse     map[int64]int32
	groups     []*store.Sums // by number
	rows       []int64       // by number
	texts      []string
	nulls      []bool

	// Starts of buckets by number, ascending unless they are discovered one by one.
	starts   []int64
	known    map[int64]int32 // numbers by start, if discovered one by one
	bucket   int64           // the bucket found last, and the times it covers: neighbouring rows usually share it
	from, to domain.Micros

	// Used for values that have to be computed row by row.
	reader *rowReader[R]
	row    R
	met    *memory.Tally // strings of rows: they are copies, and a page of them can be large before the first becomes a group

	// The current page: its times, the selected rows, their combined keys and the numbers of their groups.
	memory   pageMemory
	times    *decodedPage
	picked   []int32 // indexes into the page
	combined []int64
	numbers  []int32
}

// pageMemory holds buffers that are reused from page to page.
type pageMemory struct {
	picked, numbers, owners [pageRows]int32
	combined, ints, starts  [pageRows]int64
	values, floats          [pageRows]float64
	levels                  [pageRows]uint8
}

// everyRow holds the indexes of a page whose rows are all selected.
var everyRow = func() (all [pageRows]int32) {
	for n := range all {
		all[n] = int32(n)
	}
	return all
}()

// ones are the levels of a page that has a value for every row.
var ones = [pageRows]uint8(bytes.Repeat([]byte{1}, pageRows))

const (
	// maxLocalTable limits the size of the table of groups, and maxLocalBuckets the number of buckets enumerated in
	// advance.
	maxLocalTable   = 1 << 16
	maxLocalBuckets = 1 << 12
	// maxLocalSpace keeps combined keys from overflowing.
	maxLocalSpace = 1 << 46
)

// begin prepares for a row group. It reports whether its rows can be added this way.
func (l *localGroups[R]) begin(g *rowGroup[R], r projectRange) (bool, error) {
	a := l.aggregator
	*l = localGroups[R]{
		aggregator: a, group: g, keys: l.keys[:0], inputs: l.inputs[:0], groups: l.groups[:0], rows: l.rows[:0], texts: l.texts,
		nulls: l.nulls,
		table: l.table[:0], starts: l.starts[:0], space: 1, met: l.met,
	}
	var byRow []int // columns needed for values computed row by row
	computed := false
	for _, c := range a.Query.GroupBy {
		if c.Kind() == filter.List {
			return false, nil
		}
		key, err := l.newKey(c)
		if err != nil {
			return false, err
		}
		if key.byRow {
			computed, byRow = true, append(byRow, a.schema.sourcesOf(c)...)
		}
		if l.space *= key.radix; l.space > maxLocalSpace {
			return false, nil
		}
		l.keys = append(l.keys, key)
	}
	for n := range a.Inputs {
		if n == cap(l.inputs) {
			l.inputs = append(l.inputs, localInput[R]{})
		}
		l.inputs = l.inputs[:n+1]
		if err := l.inputs[n].begin(l, n); err != nil {
			return false, err
		}
		if l.inputs[n].form == byRowForm {
			computed, byRow = true, append(byRow, a.schema.sourcesOf(a.Inputs[n].Column)...)
		}
	}
	if computed {
		slices.Sort(byRow)
		l.reader = newScanReader(g, slices.Compact(byRow)).countIn(a.ctx)
	}
	l.beginBuckets(r)
	if size := int64(max(1, len(l.starts))) * l.space; l.known == nil && size <= maxLocalTable {
		if int64(cap(l.table)) < size {
			l.table = make([]int32, size)
		}
		l.table = l.table[:size]
		clear(l.table)
	} else {
		l.table, l.sparse = nil, make(map[int64]int32)
	}
	for n := range l.inputs {
		l.inputs[n].chooseSeen(l.table != nil, int64(max(1, len(l.starts)))*l.space)
	}
	return true, nil
}

// beginBuckets finds the buckets between the oldest and the youngest row.
func (l *localGroups[R]) beginBuckets(r projectRange) {
	buckets := l.aggregator.Buckets
	if buckets == nil {
		return
	}
	for at := r.oldest; at <= r.youngest; {
		start, end := buckets(at)
		if l.starts = append(l.starts, start); len(l.starts) > maxLocalBuckets {
			l.starts, l.known = l.starts[:0], make(map[int64]int32)
			return
		}
		if end <= at {
			break // the end of the representable range
		}
		at = end
	}
}

// timed reports whether the bucket of each row has to be looked up.
func (l *localGroups[R]) timed() bool { return len(l.starts) > 1 || l.known != nil }

// findBucket returns the number of the bucket that contains a time.
func (l *localGroups[R]) findBucket(t domain.Micros) int64 {
	start, end := l.aggregator.Buckets(t.Millis())
	l.from, l.to = microsOf(start), microsOf(end)
	if l.known == nil {
		l.bucket = int64(sort.Search(len(l.starts), func(n int) bool { return l.starts[n] > start }) - 1)
		return l.bucket
	}
	number, ok := l.known[start]
	if !ok {
		number = int32(len(l.starts))
		l.known[start] = number
		l.starts = append(l.starts, start)
	}
	l.bucket = int64(number)
	return l.bucket
}

// microsOf converts the edge of a bucket, which may be beyond the range of Micros.
func microsOf(millis int64) domain.Micros {
	const limit = math.MaxInt64 / 1000
	return domain.Micros(min(max(millis, -limit), limit) * 1000)
}

// addPage adds the selected rows from row from up to row to, of the page that starts at row first.
func (l *localGroups[R]) addPage(first, from, to int, chosen *rowMask) error {
	l.picked = everyRow[from-first : to-first]
	if chosen != nil {
		l.picked = l.memory.picked[:0]
		for n, m := range chosen.mask[from-chosen.first : to-chosen.first] {
			if m != 0 {
				l.picked = append(l.picked, int32(from-first+n))
			}
		}
		if len(l.picked) == 0 {
			return nil
		}
	}
	memory := getPage()
	defer putPage(memory)
	l.times = nil
	if l.timed() || slices.ContainsFunc(l.inputs, func(i localInput[R]) bool { return i.form == durationForm }) {
		var err error
		if l.times, err = l.group.scanPage(l.group.schema.time, first/pageRows, memory); err != nil {
			return err
		}
	}
	if err := l.computeRows(first); err != nil {
		return err
	}
	if err := l.assign(first / pageRows); err != nil {
		return err
	}
	for n := range l.inputs {
		if err := l.inputs[n].addPage(l, first/pageRows); err != nil {
			return err
		}
	}
	return nil
}

// computeRows computes the values that have to be computed row by row.
func (l *localGroups[R]) computeRows(first int) error {
	if l.reader == nil {
		return nil
	}
	for n := range l.keys {
		l.keys[n].codes = l.keys[n].codes[:0]
	}
	for n := range l.inputs {
		l.inputs[n].beginRows()
	}
	for i, at := range l.picked {
		if err := l.reader.fill(first+int(at), &l.row); err != nil {
			return err
		}
		for n := range l.keys {
			if k := &l.keys[n]; k.byRow {
				known := len(k.texts)
				k.codes = append(k.codes, k.codeOf(&l.row))
				if len(k.texts) > known {
					if err := l.met.Add(int64(len(k.texts[known]))); err != nil {
						return l.aggregator.Refused(err)
					}
				}
			}
		}
		for n := range l.inputs {
			if in := &l.inputs[n]; in.form == byRowForm {
				in.addRow(int32(i), &l.row)
			}
		}
	}
	return nil
}

// assign finds the group of each selected row of a page.
func (l *localGroups[R]) assign(number int) error {
	l.combined = l.memory.combined[:len(l.picked)]
	clear(l.combined)
	for n := range l.keys {
		if err := l.keys[n].combine(l, number); err != nil {
			return err
		}
	}
	l.numbers = l.memory.numbers[:len(l.picked)]
	base := int64(0)
	timed := l.timed()
	for i, at := range l.picked {
		if timed {
			if t := domain.Micros(l.times.ints[at]); t < l.from || t >= l.to || i == 0 {
				base = l.findBucket(t) * l.space
			}
		}
		key := base + l.combined[i]
		var group int32
		if l.table != nil {
			group = l.table[key]
		} else {
			group = l.sparse[key]
		}
		if group == 0 { // not seen before
			var err error
			if group, err = l.newGroup(key); err != nil {
				return err
			}
		}
		l.rows[group-1]++
		l.numbers[i] = group - 1
	}
	return nil
}

// newGroup creates a group. It returns its number plus 1.
func (l *localGroups[R]) newGroup(key int64) (int32, error) {
	bucket, rest := int64(0), key%l.space
	if len(l.starts) > 0 {
		bucket = l.starts[key/l.space]
	}
	l.texts, l.nulls = slices.Grow(l.texts[:0], len(l.keys))[:len(l.keys)], slices.Grow(l.nulls[:0], len(l.keys))[:len(l.keys)]
	for n, k := range slices.Backward(l.keys) {
		l.texts[n], l.nulls[n] = k.texts[rest%k.radix], k.nulls != nil && k.nulls[rest%k.radix]
		rest /= k.radix
	}
	g, err := l.aggregator.Find(bucket, l.texts, l.nulls)
	if err != nil {
		return 0, err
	}
	l.groups, l.rows = append(l.groups, g), append(l.rows, 0)
	for n := range l.inputs {
		l.inputs[n].grow()
	}
	number := int32(len(l.groups))
	if l.table != nil {
		l.table[key] = number
	} else {
		l.sparse[key] = number
	}
	return number, nil
}

// finish transfers everything to the aggregator.
func (l *localGroups[R]) finish() error {
	if l.reader != nil {
		l.reader.close()
	}
	l.met.Release() // groups account for the strings that they keep
	for number, g := range l.groups {
		g.Rows += l.rows[number]
	}
	for n := range l.inputs {
		if err := l.inputs[n].finish(l); err != nil {
			return err
		}
	}
	return nil
}

// dictionarySource returns the dictionary from which the value of a column can be computed code by code; ok is false if
// there is none.
func (l *localGroups[R]) dictionarySource(c *filter.Column[R]) (column int, d *dictionary, ok bool, err error) {
	s := l.group.schema
	sources := s.sourcesOf(c)
	if len(sources) != 1 || !l.group.has(sources[0]) || !l.group.chunks[sources[0]].hasDictionary(s.columns[sources[0]].class) {
		return 0, nil, false, nil
	}
	d, err = l.group.dictionaryOf(sources[0])
	return sources[0], d, err == nil, err
}

// setCode sets a column of a row to the string or list of a dictionary code.
func (s *schema[R]) setCode(r *R, column int, d *dictionary, code int) {
	if c := &s.columns[column]; c.class == classList {
		*c.List(r) = d.list(code)
	} else {
		*c.Text(r) = d.text(code)
	}
}
