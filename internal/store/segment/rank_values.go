package segment

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"

	"almanac/internal/filter"
	"almanac/internal/limits/memory"
	"almanac/internal/store"
)

// rankTally is a tally of a query.
type rankTally[R any] struct {
	query *store.RankTally[R]
	where *predicate[R]
	part  rankPart
	// values has the numbers of the values that lists have, and counts how many groups have each.
	values  map[string]uint32
	counts  []int
	tooMany bool
}

// rankValues are the values of a column that each key of a list has.
type rankValues struct {
	texts []string // the values by number
	// The numbers of the values of a key are those from starts[n] up to starts[n+1]. Without starts, each key has one, or none
	// if that is the number of values.
	starts []uint32
	narrow []uint16 // used where it suffices
	wide   []uint32
}

func (v *rankValues) size() int64 {
	bytes := int64(4*len(v.starts) + 2*len(v.narrow) + 4*len(v.wide))
	for _, text := range v.texts {
		bytes += 16 + int64(len(text))
	}
	return bytes
}

// bounds returns where the numbers of a key begin and end.
func (v *rankValues) bounds(key int) (first, end int) {
	if v.starts != nil {
		return int(v.starts[key]), int(v.starts[key+1])
	}
	if v.at(key) == uint32(len(v.texts)) {
		return key, key
	}
	return key, key + 1
}

func (v *rankValues) at(n int) uint32 {
	if v.narrow != nil {
		return uint32(v.narrow[n])
	}
	return v.wide[n]
}

// valueCollector collects which keys have which values, both by number.
type valueCollector struct {
	keys, codes []uint32
	texts       []string
	numbers     map[string]uint32
}

// add adds a value of a key.
func (c *valueCollector) add(key, code uint32) {
	// Neighbouring rows often say the same.
	if n := len(c.keys); n > 0 && c.keys[n-1] == key && c.codes[n-1] == code {
		return
	}
	c.keys, c.codes = append(c.keys, key), append(c.codes, code)
}

// number returns the number of a value.
func (c *valueCollector) number(value string) uint32 {
	code, known := c.numbers[value]
	if !known {
		if c.numbers == nil {
			c.numbers = make(map[string]uint32)
		}
		value = strings.Clone(value)
		code = uint32(len(c.texts))
		c.numbers[value], c.texts = code, append(c.texts, value)
	}
	return code
}

// values returns what was collected for a number of keys; nil if there is nothing.
func (c *valueCollector) values(keys int) *rankValues {
	if len(c.keys) == 0 {
		return nil
	}
	starts := make([]uint32, keys+1)
	for _, key := range c.keys {
		starts[key+1]++
	}
	for n := range keys {
		starts[n+1] += starts[n]
	}
	codes, next := make([]uint32, len(c.codes)), slices.Clone(starts)
	for n, key := range c.keys {
		codes[next[key]] = c.codes[n]
		next[key]++
	}
	// Each value of a key is kept once.
	kept, single := uint32(0), true
	for n := range keys {
		some := codes[starts[n]:starts[n+1]]
		if len(some) > 1 {
			slices.Sort(some)
			some = slices.Compact(some)
		}
		single = single && len(some) < 2
		starts[n] = kept
		kept += uint32(copy(codes[kept:], some))
	}
	starts[keys] = kept
	if codes = codes[:kept]; single {
		each := make([]uint32, keys)
		for n := range each {
			if each[n] = uint32(len(c.texts)); starts[n+1] > starts[n] {
				each[n] = codes[starts[n]]
			}
		}
		starts, codes = nil, each
	}
	v := &rankValues{texts: slices.Clip(c.texts), starts: starts}
	if len(c.texts) >= math.MaxUint16 {
		v.wide = slices.Clone(codes)
		return v
	}
	v.narrow = make([]uint16, len(codes))
	for n, code := range codes {
		v.narrow[n] = uint16(code)
	}
	return v
}

// findTallied returns the values that a tally counts for the keys of the current row group; nil if there are none.
func (b *rankBuilder[R]) findTallied(keys *rankKeys, t *rankTally[R]) (*rankValues, error) {
	mask, none, err := b.maskOf(t.where)
	if err != nil || none {
		return nil, err
	}
	if err := b.assign(keys); err != nil || b.entries == nil {
		return nil, err
	}
	column := t.query.Column
	sources := b.table.schema.sourcesOf(column)
	c := new(valueCollector)
	// counted calls visit with the rows that count, and their keys.
	counted := func(from, to int, visit func(row int, key uint32) error) error {
		for row := from; row < to; row++ {
			entry := b.entries[row-b.rows.start]
			if entry < 0 || mask != nil && mask[row-b.rows.start] == 0 {
				continue
			}
			if err := visit(row, uint32(entry)); err != nil {
				return err
			}
		}
		return nil
	}
	stored := len(sources) == 1 && b.group.has(sources[0])
	switch isText := column.Kind() == filter.Text && !column.Derived(); {
	case stored && b.group.chunks[sources[0]].hasDictionary(b.table.schema.columns[sources[0]].class):
		// Below: each text or list is looked at once.
	case stored && isText:
		err := b.eachPage(sources[0], func(page *decodedPage, from, to int) error {
			return counted(from, to, func(n int, key uint32) error {
				if value := page.text(n); value != "" {
					c.add(key, c.number(value))
				}
				return nil
			})
		})
		return c.values(len(keys.hashes)), err
	case isText && len(sources) == 1:
		return nil, nil // all texts are empty
	default:
		reader := newScanReader(b.group.rowGroup, slices.Sorted(slices.Values(sources))).countIn(b.ctx)
		defer reader.close()
		var row R
		err := counted(b.rows.start, b.rows.end, func(n int, key uint32) error {
			if err := reader.fill(n, &row); err != nil {
				return err
			}
			store.EachValue(column, &row, func(value string) { c.add(key, c.number(value)) })
			return nil
		})
		return c.values(len(keys.hashes)), err
	}
	d, err := b.group.dictionaryOf(sources[0])
	if err != nil {
		return nil, err
	}
	numbered, numbers := make([]bool, d.len()), make([][]uint32, d.len())
	var row R
	err = b.eachPage(sources[0], func(page *decodedPage, from, to int) error {
		before, key := int32(-1), int32(-1) // of the row before: neighbouring rows often say the same
		for n := from; n < to; n++ {
			entry, code := b.entries[n-b.rows.start], page.code(n-page.first)
			if entry < 0 || code == before && entry == key || mask != nil && mask[n-b.rows.start] == 0 {
				continue
			}
			before, key = code, entry
			if !numbered[code] {
				numbered[code] = true
				b.table.schema.setCode(&row, sources[0], d, int(code))
				store.EachValue(column, &row, func(value string) { numbers[code] = append(numbers[code], c.number(value)) })
			}
			for _, number := range numbers[code] {
				c.add(uint32(entry), number)
			}
		}
		return nil
	})
	return c.values(len(keys.hashes)), err
}

// tallied returns the values of the current row group for each tally.
func (b *rankBuilder[R]) tallied(keys *rankKeys) ([]*rankValues, error) {
	var all []*rankValues
	for n := range b.tallies {
		t := &b.tallies[n]
		part := t.part
		if !t.where.covers(b.rows.oldest, b.rows.youngest) {
			part.signature = "" // time ranges move
		}
		found, err := cachedRank(b, &part, func() (*rankValues, int64, error) {
			found, err := b.findTallied(keys, t)
			if found == nil || err != nil {
				return nil, 0, err
			}
			return found, found.size(), nil
		})
		if err != nil {
			return nil, err
		}
		all = append(all, found)
	}
	return all, nil
}

// number gives each value of the lists a number, the same in all lists. For each tally and list it returns these numbers by
// the number of the value in the list.
func (r *ranking[R]) number(lists []*rankList, take func(bytes int64) error) ([][][]uint32, error) {
	keep := func(bytes int64) error {
		err := memory.Of(r.ctx).Grow(r.ctx, bytes)
		if err == nil {
			r.tallied.Add(bytes)
		}
		return err
	}
	all, errs := make([][][]uint32, len(r.tallies)), make([]error, len(r.tallies))
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for n := range r.tallies {
		wg.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			all[n], errs[n] = r.tallies[n].number(n, lists, take, keep)
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// number takes the memory of the numbers of lists, which is given back after a pass, and that of the values, which is kept.
func (t *rankTally[R]) number(place int, lists []*rankList, take, keep func(bytes int64) error) ([][]uint32, error) {
	const perValue = 64 // with its count, here and in the result
	numbers := make([][]uint32, len(lists))
	for n, l := range lists {
		v := l.tallied[place]
		if v == nil || t.tooMany {
			continue
		}
		numbers[n] = make([]uint32, len(v.texts))
		added := int64(0)
		for code, text := range v.texts {
			number, ok := t.values[text]
			if !ok {
				number = uint32(len(t.values))
				t.values[text] = number
				added += perValue + int64(len(text))
			}
			numbers[n][code] = number
		}
		t.tooMany = len(t.values) > store.MaxTallied
		if err := cmp.Or(take(int64(4*len(v.texts))), keep(added)); err != nil {
			return nil, err
		}
	}
	t.counts = append(t.counts, make([]int, len(t.values)-len(t.counts))...)
	return numbers, nil
}

// startTallies forgets what was counted, and gives back its memory.
func (r *ranking[R]) startTallies() {
	memory.Of(r.ctx).Shrink(r.tallied.Swap(0))
	for n := range r.tallies {
		t := &r.tallies[n]
		t.values, t.counts, t.tooMany = make(map[string]uint32), nil, false
	}
}

// results returns the counts.
func (r *ranking[R]) results() []store.Tallied {
	var all []store.Tallied
	for n := range r.tallies {
		t, found := &r.tallies[n], store.Tallied{}
		if t.tooMany {
			found.TooMany = true
		} else {
			for value, number := range t.values {
				if count := t.counts[number]; count > 0 {
					found.Values, found.Counts = append(found.Values, strings.Clone(value)), append(found.Counts, count)
				}
			}
		}
		all = append(all, found)
	}
	return all
}

// rankFurther is a further list that has a group.
type rankFurther struct {
	ref  uint64
	next int32 // the one before, plus 1
}

// tally counts the values of a wanted group.
func (m *rankMerger[R]) tally(group int) {
	for n := range m.tallies {
		if m.tallies[n].tooMany {
			continue
		}
		counts := m.counts[n]
		ref, further := m.refs[group], m.further[group]
		if further == 0 {
			list := uint32(ref >> 32)
			if v := m.lists[list].tallied[n]; v != nil {
				numbers := m.numbers[n][list]
				for at, end := v.bounds(int(uint32(ref))); at < end; at++ {
					counts[numbers[v.at(at)]]++
				}
			}
			continue
		}
		m.met = m.met[:0]
		for {
			list := uint32(ref >> 32)
			if v := m.lists[list].tallied[n]; v != nil {
				numbers := m.numbers[n][list]
				for at, end := v.bounds(int(uint32(ref))); at < end; at++ {
					m.met = append(m.met, numbers[v.at(at)])
				}
			}
			if further == 0 {
				break
			}
			ref, further = m.more[further-1].ref, m.more[further-1].next
		}
		slices.Sort(m.met)
		for _, number := range slices.Compact(m.met) {
			counts[number]++
		}
	}
}

// hotTallied returns the values that the rows in memory have.
func (r *ranking[R]) hotTallied(
	rows []*hotRow[R], keyOf func(n int) uint32, keys int, take func(bytes int64) error,
) ([]*rankValues, error) {
	var all []*rankValues
	for i := range r.tallies {
		c := new(valueCollector)
		for n, h := range rows {
			r.tallies[i].query.EachTallied(&h.row, r.table.schema.timeOf(&h.row), func(value string) { c.add(keyOf(n), c.number(value)) })
		}
		found := c.values(keys)
		if found != nil {
			if err := take(found.size()); err != nil {
				return nil, err
			}
		}
		all = append(all, found)
	}
	return all, nil
}
