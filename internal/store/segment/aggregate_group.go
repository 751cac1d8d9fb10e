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

// localGroups finds groups by the codes of one row group. A row group spans little time and few values, so a table of all
// that can occur is small; where it is not, a map takes its place.
type localGroups[R any] struct {
	aggregator *aggregator[R]
	keys       []*keyColumn
	space      int
	first      int64   // bucket number of table[0]
	table      []*sums // by bucket number and codes
	sparse     map[int64]*sums
	texts      []string
	// The bucket that was found last, and the times that it holds: neighbours mostly share it.
	bucket   int64
	from, to domain.Micros
	// seen remembers, for each distinct measure, which codes a group has met in this row group.
	seen map[*sums][]*bitset
	// groups is the group of each row of the page at hand.
	groups [pageRows]*sums
	codes  [pageRows]int32
}

const maxLocalTable = 1 << 16

func newLocalGroups[R any](a *aggregator[R], keys []*keyColumn, space int, r projectRange) *localGroups[R] {
	l := &localGroups[R]{aggregator: a, keys: keys, space: space}
	buckets := int64(1)
	if size := a.query.Bucket; size != 0 {
		l.first = a.bucketOf(r.oldest) / size
		buckets = a.bucketOf(r.youngest)/size - l.first + 1
	}
	if buckets <= maxLocalTable && buckets*int64(space) <= maxLocalTable {
		l.table = make([]*sums, buckets*int64(space))
	} else {
		l.sparse = make(map[int64]*sums)
	}
	return l
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

func (l *localGroups[R]) find(bucket int64, code int) (*sums, error) {
	key := bucket*int64(l.space) + int64(code)
	if l.table != nil {
		if g := l.table[key-l.first*int64(l.space)]; g != nil {
			return g, nil
		}
	} else if g, ok := l.sparse[key]; ok {
		return g, nil
	}
	l.texts = l.texts[:0]
	rest := code
	for n := len(l.keys) - 1; n >= 0; n-- {
		l.texts = append(l.texts, l.keys[n].texts[rest%len(l.keys[n].texts)])
		rest /= len(l.keys[n].texts)
	}
	slices.Reverse(l.texts)
	g, err := l.aggregator.group(bucket*l.aggregator.query.Bucket, l.texts)
	if err != nil {
		return nil, err
	}
	if l.table != nil {
		l.table[key-l.first*int64(l.space)] = g
	} else {
		l.sparse[key] = g
	}
	return g, nil
}

// addPage adds the selected rows of one page.
func (a *aggregator[R]) addPage(g *rowGroup[R], chosen *selection, first int, local *localGroups[R]) error {
	from := max(first, chosen.first)
	part := chosen.mask[from-chosen.first : min(first+pageRows-chosen.first, len(chosen.mask))]
	if !slices.Contains(part, 1) {
		return nil
	}
	number := first / pageRows
	groups := local.groups[:len(part)]
	if err := a.assign(g, part, from, number, local, groups); err != nil {
		return err
	}
	for n := range a.query.Measures {
		m := &a.query.Measures[n]
		switch m.Function {
		case store.Count:
		case store.Distinct:
			if err := a.addDistinct(g, part, from, number, n, local, groups); err != nil {
				return err
			}
		default:
			if err := a.addNumbers(g, part, from, number, n, groups); err != nil {
				return err
			}
		}
	}
	return nil
}

// assign finds the group of each selected row of a page.
func (a *aggregator[R]) assign(g *rowGroup[R], part []uint8, from, number int, local *localGroups[R], groups []*sums) error {
	var times *decodedPage
	var err error
	if a.query.Bucket != 0 {
		memory := getPage()
		defer putPage(memory)
		if times, err = g.scanPage(a.schema.time, number, memory); err != nil {
			return err
		}
	}
	codes := local.codes[:len(part)]
	clear(codes)
	for _, k := range local.keys {
		memory := getPage()
		page, err := g.scanPage(k.column, number, memory)
		if err != nil {
			return err
		}
		if size := int32(len(k.texts)); size > 1 { //nolint:gosec // no more than rows
			for n := range codes {
				codes[n] = codes[n]*size + page.codes[from+n-page.first]
			}
		}
		putPage(memory)
	}
	var group *sums
	lastBucket, lastCode := int64(0), int32(-1)
	for n, m := range part {
		if m == 0 {
			continue
		}
		bucket := int64(0)
		if times != nil {
			bucket = local.bucketOf(domain.Micros(times.ints[from+n-times.first]))
		}
		if code := codes[n]; code != lastCode || bucket != lastBucket {
			if group, err = local.find(bucket, int(code)); err != nil {
				return err
			}
			lastBucket, lastCode = bucket, code
		}
		group.rows++
		groups[n] = group
	}
	return nil
}

// addNumbers adds the values of a number column to the groups of their rows.
func (a *aggregator[R]) addNumbers(g *rowGroup[R], part []uint8, from, number, measure int, groups []*sums) error {
	m := &a.query.Measures[measure]
	sources := a.schema.physical[m.Column.ID()]
	memory, second := getPage(), (*decodedPage)(nil)
	defer putPage(memory)
	page, err := g.scanPage(sources[0], number, memory)
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
	add := func(n int, value float64) { groups[n].measures[measure].add(m.Function, value) }
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
func (a *aggregator[R]) addDistinct(g *rowGroup[R], part []uint8, from, number, measure int, local *localGroups[R], groups []*sums) error {
	column := a.schema.physical[a.query.Measures[measure].Column.ID()][0]
	memory := getPage()
	defer putPage(memory)
	page, err := g.scanPage(column, number, memory)
	if err != nil {
		return err
	}
	if local.seen == nil {
		local.seen = make(map[*sums][]*bitset)
	}
	texts := page.dictionary.texts
	var last *sums
	var seen *bitset
	for n, selected := range part {
		if selected == 0 {
			continue
		}
		group := groups[n]
		if group != last {
			sets := local.seen[group]
			if sets == nil {
				sets = make([]*bitset, len(a.query.Measures))
				local.seen[group] = sets
			}
			if sets[measure] == nil {
				sets[measure] = newBitset(len(texts))
			}
			last, seen = group, sets[measure]
		}
		code := int(page.code(from + n - page.first))
		if seen.add(code) && texts[code] != "" {
			group.measures[measure].distinct.add(xxhash.Sum64String(texts[code]))
		}
	}
	return nil
}
