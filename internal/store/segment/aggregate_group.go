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
		if c.Kind() != filter.Text || len(sources) != 1 || !g.has(sources[0]) || a.schema.columns[sources[0]].class != classShort || g.chunks[sources[0]].codes == 0 {
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
			if len(sources) != 1 || class != classShort || g.chunks[sources[0]].codes == 0 {
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
	// Of the page at hand: its times, which rows are selected, and the number of each one's group.
	times   *decodedPage
	picked  []int32 // places in the page
	numbers []int32
	memory  *pageMemory
}

// pageMemory is memory for what is known about the rows of a page; pages use it one after the other.
type pageMemory struct {
	codes, picked, numbers, owners [pageRows]int32
	values                         [pageRows]float64
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
	l := &localGroups[R]{aggregator: a, keys: keys, space: space, measures: a.measures, memory: a.memory}
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
	local.picked = local.memory.picked[:0]
	for n, m := range part {
		if m != 0 {
			local.picked = append(local.picked, int32(from-first+n))
		}
	}
	if len(local.picked) == 0 {
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
	if err := a.assign(g, number, local); err != nil {
		return err
	}
	for n := range a.query.Measures {
		m := &a.query.Measures[n]
		switch m.Function {
		case store.Count:
		case store.Distinct:
			if err := a.addDistinct(g, number, n, local); err != nil {
				return err
			}
		default:
			if err := a.addNumbers(g, number, n, local); err != nil {
				return err
			}
		}
	}
	return nil
}

// assign finds the group of each selected row of a page.
func (a *aggregator[R]) assign(g *rowGroup[R], number int, local *localGroups[R]) error {
	codes := local.memory.codes[:len(local.picked)]
	clear(codes)
	for _, k := range local.keys {
		memory := getPage()
		page, err := g.scanPage(k.column, number, memory)
		if err != nil {
			return err
		}
		if size := int32(len(k.texts)); size > 1 {
			for i, at := range local.picked {
				codes[i] = codes[i]*size + page.codes[at]
			}
		}
		putPage(memory)
	}
	local.numbers = local.memory.numbers[:len(local.picked)]
	bucket, base := int64(0), -local.first*int64(local.space)
	for i, at := range local.picked {
		if a.query.Bucket != 0 {
			if t := domain.Micros(local.times.ints[at]); t < local.from || t >= local.to || i == 0 {
				bucket = local.bucketOf(t)
				base = (bucket - local.first) * int64(local.space)
			}
		}
		group := int32(0)
		if local.table != nil {
			group = local.table[base+int64(codes[i])]
		}
		if group--; group < 0 { // not met before, or there is no table
			var err error
			if group, err = local.find(bucket, int(codes[i])); err != nil {
				return err
			}
		}
		local.rows[group]++
		local.numbers[i] = group
	}
	return nil
}

// addNumbers adds the values of a number column to the groups of their rows.
func (a *aggregator[R]) addNumbers(g *rowGroup[R], number, measure int, local *localGroups[R]) error {
	values, groups, err := a.numbersOf(g, number, measure, local)
	if err != nil {
		return err
	}
	switch a.query.Measures[measure].Function {
	case store.Sum, store.Average:
		to := &local.measures[measure]
		for i, group := range groups {
			to.counts[group]++
			to.sums[group] += values[i]
		}
	case store.Quantile:
		list := a.lists[measure]
		list.values = append(list.values, values...)
		for _, group := range groups {
			list.owners = append(list.owners, local.groups[group].number)
		}
	default:
		for i, group := range groups {
			a.addValue(local.groups[group], measure, values[i])
		}
	}
	return nil
}

// numbersOf returns those values of a measure that are set in the selected rows of a page, and their groups.
func (a *aggregator[R]) numbersOf(g *rowGroup[R], number, measure int, local *localGroups[R]) (values []float64, groups []int32, err error) {
	sources := a.schema.physical[a.query.Measures[measure].Column.ID()]
	memory := getPage()
	defer putPage(memory)
	page := local.times
	if sources[0] != a.schema.time {
		if page, err = g.scanPage(sources[0], number, memory); err != nil {
			return nil, nil, err
		}
	}
	values, groups = local.memory.values[:0], local.memory.owners[:0]
	switch {
	case len(sources) == 2: // the time between two times
		memory := getPage()
		defer putPage(memory)
		second, err := g.scanPage(sources[1], number, memory)
		if err != nil {
			return nil, nil, err
		}
		for i, at := range local.picked {
			if end := second.ints[at]; end != 0 {
				values = append(values, float64(domain.Micros(end).Millis()-domain.Micros(page.ints[at]).Millis())/1000)
				groups = append(groups, local.numbers[i])
			}
		}
	case len(page.ints) > 0:
		for i, at := range local.picked {
			if !page.null(int(at)) {
				values, groups = append(values, float64(page.ints[at])), append(groups, local.numbers[i])
			}
		}
	default:
		for i, at := range local.picked {
			if !page.null(int(at)) {
				values, groups = append(values, page.floats[at]), append(groups, local.numbers[i])
			}
		}
	}
	return values, groups, nil
}

// addDistinct adds the texts of a column to the groups of their rows. Within a row group each code is looked at once
// for each group.
func (a *aggregator[R]) addDistinct(g *rowGroup[R], number, measure int, local *localGroups[R]) error {
	column := a.schema.physical[a.query.Measures[measure].Column.ID()][0]
	memory := getPage()
	defer putPage(memory)
	page, err := g.scanPage(column, number, memory)
	if err != nil {
		return err
	}
	texts, sets := page.dictionary.texts, local.measures[measure].seen
	for i, at := range local.picked {
		group := local.numbers[i]
		if sets[group] == nil {
			sets[group] = newBitset(len(texts))
		}
		if code := int(page.code(int(at))); sets[group].add(code) && texts[code] != "" {
			local.groups[group].measures[measure].distinct.add(xxhash.Sum64String(texts[code]))
		}
	}
	return nil
}
