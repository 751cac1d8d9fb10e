package segment

import (
	"slices"

	"github.com/cespare/xxhash/v2"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// addGroup adds the rows of a row group that the predicate selects. Keys are handled as dictionary codes and values as
// decoded columns; what has no such form is added row by row.
func (a *aggregator[R]) addGroup(g liveGroup[R], p *predicate[R]) error {
	chosen, err := p.selectRows(g)
	if err != nil || chosen == nil {
		return err
	}
	if !a.vectorised(g.rowGroup) {
		return a.addGroupRows(g.rowGroup, chosen)
	}
	keys := make([]*keyColumn, len(a.query.GroupBy))
	space := 1
	for n, c := range a.query.GroupBy {
		column := a.schema.physical[c.ID()][0]
		d, err := g.dictionaryOf(column)
		if err != nil {
			return err
		}
		keys[n] = &keyColumn{column: column, texts: d.texts}
		space *= len(d.texts)
	}
	r, _ := g.rangeOf(p.project)
	local := newLocalGroups(a, keys, space, r)
	for first := chosen.first / pageRows * pageRows; first < chosen.first+len(chosen.mask); first += pageRows {
		if err := a.addPage(g.rowGroup, chosen, first, local); err != nil {
			return err
		}
	}
	local.finish()
	return nil
}

// keyColumn is a column that rows are grouped by.
type keyColumn struct {
	column int
	texts  []string
}

// vectorised says whether the whole query can be computed on columns of this row group.
func (a *aggregator[R]) vectorised(g *rowGroup[R]) bool {
	space := 1
	for _, c := range a.query.GroupBy {
		sources := a.schema.physical[c.ID()]
		if c.Kind() != filter.Text || len(sources) != 1 || !g.has(sources[0]) || a.schema.columns[sources[0]].class != classShort {
			return false
		}
		if space *= max(1, g.chunks[sources[0]].codes); space > 1<<30 {
			return false
		}
	}
	for n := range a.query.Measures {
		m := &a.query.Measures[n]
		if m.Function == store.Count {
			continue
		}
		sources := a.schema.physical[m.Column.ID()]
		if !g.has(slices.Max(sources)) {
			return false
		}
		class := a.schema.columns[sources[0]].class
		if m.Function == store.Distinct {
			if len(sources) != 1 || class != classShort {
				return false
			}
			continue
		}
		id := m.Column.ID()
		if id != "latency" && id != "timeToFirstToken" && (len(sources) != 1 || class == classList || class == classShort) {
			return false
		}
	}
	return true
}

// needsTimes says whether the query looks at the times of rows.
func (a *aggregator[R]) needsTimes() bool {
	return a.query.Bucket != 0 || slices.ContainsFunc(a.query.Measures, func(m store.Measure[R]) bool {
		return m.Column != nil && a.schema.physical[m.Column.ID()][0] == a.schema.time
	})
}

func (a *aggregator[R]) addGroupRows(g *rowGroup[R], chosen *selection) error {
	columns := []int{a.schema.time}
	for _, c := range a.query.GroupBy {
		columns = append(columns, a.schema.physical[c.ID()]...)
	}
	for n := range a.query.Measures {
		if c := a.query.Measures[n].Column; c != nil {
			columns = append(columns, a.schema.physical[c.ID()]...)
		}
	}
	slices.Sort(columns)
	reader := newColumnsReader(g, slices.Compact(columns))
	var row R
	for n, m := range chosen.mask {
		if m == 0 {
			continue
		}
		if err := reader.fill(chosen.first+n, &row); err != nil {
			return err
		}
		if err := a.addRow(&row); err != nil {
			return err
		}
	}
	return nil
}

// localGroups adds up the rows of one row group. Groups have numbers in it, and sums lie in plain arrays by that number.
// A row group spans little time and few values, so a table of all groups that can occur is small; where it is not, a map
// takes its place.
type localGroups[R any] struct {
	aggregator *aggregator[R]
	keys       []*keyColumn
	space      int
	first      int64           // bucket number of table[0]
	table      []int32         // by bucket number and codes: the group's number + 1
	sparse     map[int64]int32 // the same
	texts      []string
	groups     []*sums // by number
	rows       []int64
	measures   []localMeasure
	// The bucket that was found last, and the times that it holds: neighbours mostly share it.
	bucket   int64
	from, to domain.Micros
	// Of the page at hand: its times, the number of each row's group, and its key.
	times   *decodedPage
	numbers [pageRows]int32
	codes   [pageRows]int32
}

// localMeasure is a measure of all groups.
type localMeasure struct {
	counts []int64
	sums   []float64 // of a sum or an average
	// Of a distinct count: which codes each group has met.
	seen []*bitset
}

const maxLocalTable = 1 << 16

func newLocalGroups[R any](a *aggregator[R], keys []*keyColumn, space int, r projectRange) *localGroups[R] {
	if a.measures == nil {
		a.measures = make([]localMeasure, len(a.query.Measures))
	}
	l := &localGroups[R]{aggregator: a, keys: keys, space: space, measures: a.measures}
	for n := range l.measures {
		m := &l.measures[n]
		*m = localMeasure{counts: m.counts[:0], sums: m.sums[:0], seen: m.seen[:0]}
	}
	buckets := int64(1)
	if size := a.query.Bucket; size != 0 {
		l.first = a.bucketOf(r.oldest) / size
		buckets = a.bucketOf(r.youngest)/size - l.first + 1
	}
	if buckets <= maxLocalTable && buckets*int64(space) <= maxLocalTable {
		l.table = make([]int32, buckets*int64(space))
	} else {
		l.sparse = make(map[int64]int32)
	}
	return l
}

// finish hands everything over to the aggregator.
func (l *localGroups[R]) finish() {
	for number, g := range l.groups {
		g.rows += l.rows[number]
	}
	for n := range l.measures {
		m, f := &l.measures[n], l.aggregator.query.Measures[n].Function
		if f != store.Sum && f != store.Average {
			continue // rows are counted above, everything else was added as it came
		}
		for number, g := range l.groups {
			g.measures[n].count += m.counts[number]
			g.measures[n].sum += m.sums[number]
		}
	}
}

// bucketOf returns the number of a time's bucket.
func (l *localGroups[R]) bucketOf(t domain.Micros) int64 {
	if t >= l.from && t < l.to {
		return l.bucket
	}
	size := l.aggregator.query.Bucket
	start := l.aggregator.bucketOf(t.Millis())
	l.bucket, l.from, l.to = start/size, domain.Micros(start*1000), domain.Micros((start+size)*1000)
	return l.bucket
}

// find returns the number of a group.
func (l *localGroups[R]) find(bucket int64, code int) (int32, error) {
	key := bucket*int64(l.space) + int64(code)
	if l.table != nil {
		if number := l.table[key-l.first*int64(l.space)]; number != 0 {
			return number - 1, nil
		}
	} else if number, ok := l.sparse[key]; ok {
		return number - 1, nil
	}
	l.texts = l.texts[:0]
	rest := code
	for _, k := range slices.Backward(l.keys) {
		l.texts = append(l.texts, k.texts[rest%len(k.texts)])
		rest /= len(k.texts)
	}
	slices.Reverse(l.texts)
	g, err := l.aggregator.group(bucket*l.aggregator.query.Bucket, l.texts)
	if err != nil {
		return 0, err
	}
	l.groups, l.rows = append(l.groups, g), append(l.rows, 0)
	for n := range l.measures {
		m := &l.measures[n]
		m.counts, m.sums, m.seen = append(m.counts, 0), append(m.sums, 0), append(m.seen, nil)
	}
	number := int32(len(l.groups))
	if l.table != nil {
		l.table[key-l.first*int64(l.space)] = number
	} else {
		l.sparse[key] = number
	}
	return number - 1, nil
}

// addPage adds the selected rows of one page.
func (a *aggregator[R]) addPage(g *rowGroup[R], chosen *selection, first int, local *localGroups[R]) error {
	from := max(first, chosen.first)
	part := chosen.mask[from-chosen.first : min(first+pageRows-chosen.first, len(chosen.mask))]
	if !slices.Contains(part, 1) {
		return nil
	}
	number := first / pageRows
	memory := getPage()
	defer putPage(memory)
	local.times = nil
	if a.needsTimes() {
		var err error
		if local.times, err = g.scanPage(a.schema.time, number, memory); err != nil {
			return err
		}
	}
	if err := a.assign(g, part, from, number, local); err != nil {
		return err
	}
	for n := range a.query.Measures {
		m := &a.query.Measures[n]
		switch m.Function {
		case store.Count:
		case store.Distinct:
			if err := a.addDistinct(g, part, from, number, n, local); err != nil {
				return err
			}
		default:
			if err := a.addNumbers(g, part, from, number, n, local); err != nil {
				return err
			}
		}
	}
	return nil
}

// assign finds the group of each selected row of a page.
func (a *aggregator[R]) assign(g *rowGroup[R], part []uint8, from, number int, local *localGroups[R]) error {
	times := local.times
	if a.query.Bucket == 0 {
		times = nil
	}
	var err error
	codes := local.codes[:len(part)]
	clear(codes)
	for _, k := range local.keys {
		memory := getPage()
		page, err := g.scanPage(k.column, number, memory)
		if err != nil {
			return err
		}
		if size := int32(len(k.texts)); size > 1 {
			for n := range codes {
				codes[n] = codes[n]*size + page.codes[from+n-page.first]
			}
		}
		putPage(memory)
	}
	for n, m := range part {
		if m == 0 {
			continue
		}
		bucket := int64(0)
		if times != nil {
			bucket = local.bucketOf(domain.Micros(times.ints[from+n-times.first]))
		}
		group := int32(0)
		if local.table != nil {
			group = local.table[(bucket-local.first)*int64(local.space)+int64(codes[n])]
		}
		if group--; group < 0 { // not met before, or there is no table
			if group, err = local.find(bucket, int(codes[n])); err != nil {
				return err
			}
		}
		local.rows[group]++
		local.numbers[n] = group
	}
	return nil
}

// addNumbers adds the values of a number column to the groups of their rows.
func (a *aggregator[R]) addNumbers(g *rowGroup[R], part []uint8, from, number, measure int, local *localGroups[R]) error {
	m, sums := &a.query.Measures[measure], &local.measures[measure]
	sources := a.schema.physical[m.Column.ID()]
	memory, second := getPage(), (*decodedPage)(nil)
	defer putPage(memory)
	page, err := local.times, error(nil)
	if sources[0] != a.schema.time {
		page, err = g.scanPage(sources[0], number, memory)
	}
	if err != nil {
		return err
	}
	if len(sources) == 2 {
		memory := getPage()
		defer putPage(memory)
		if second, err = g.scanPage(sources[1], number, memory); err != nil {
			return err
		}
	}
	add := func(n int, value float64) {
		group := local.numbers[n]
		sums.counts[group]++
		sums.sums[group] += value
	}
	if m.Function != store.Sum && m.Function != store.Average {
		add = func(n int, value float64) { a.addValue(local.groups[local.numbers[n]], measure, value) }
	}
	switch {
	case second != nil: // the time between two times
		for n, selected := range part {
			if at := from + n - page.first; selected != 0 && second.ints[at] != 0 {
				add(n, float64(domain.Micros(second.ints[at]).Millis()-domain.Micros(page.ints[at]).Millis())/1000)
			}
		}
	case len(page.ints) > 0:
		for n, selected := range part {
			if at := from + n - page.first; selected != 0 && !page.null(at) {
				add(n, float64(page.ints[at]))
			}
		}
	default:
		for n, selected := range part {
			if at := from + n - page.first; selected != 0 && !page.null(at) {
				add(n, page.floats[at])
			}
		}
	}
	return nil
}

// addDistinct adds the texts of a column to the groups of their rows. Within a row group each code is looked at once
// for each group.
func (a *aggregator[R]) addDistinct(g *rowGroup[R], part []uint8, from, number, measure int, local *localGroups[R]) error {
	column := a.schema.physical[a.query.Measures[measure].Column.ID()][0]
	memory := getPage()
	defer putPage(memory)
	page, err := g.scanPage(column, number, memory)
	if err != nil {
		return err
	}
	texts, sets := page.dictionary.texts, local.measures[measure].seen
	for n, selected := range part {
		if selected == 0 {
			continue
		}
		group := local.numbers[n]
		if sets[group] == nil {
			sets[group] = newBitset(len(texts))
		}
		if code := int(page.code(from + n - page.first)); sets[group].add(code) && texts[code] != "" {
			local.groups[group].measures[measure].distinct.add(xxhash.Sum64String(texts[code]))
		}
	}
	return nil
}
