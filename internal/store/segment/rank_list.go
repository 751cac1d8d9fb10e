package segment

import (
	"cmp"
	"math"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// rankBuilder makes the lists of row groups. It must be used by a single goroutine.
type rankBuilder[R any] struct {
	*ranking[R]
	take    func(bytes int64) error
	group   liveGroup[R]
	rows    projectRange
	covered bool
	// entries has the index of the key of each row, or -1; empty until it is needed.
	entries []int32
	memory  []int32 // for entries
}

// begin makes a row group the current one, and returns a list of its keys; nil if it has no rows of the query.
func (b *rankBuilder[R]) begin(g liveGroup[R]) (*rankList, error) {
	r, ok := g.rangeOf(b.project)
	if !ok || b.where.misses(r.oldest, r.youngest) {
		return nil, nil
	}
	if err := g.current(); err != nil {
		return nil, err
	}
	b.group, b.rows, b.covered, b.entries = g, r, b.where.covers(r.oldest, r.youngest), nil
	keys, err := cachedRank(b, &b.keys, func() (*rankKeys, int64, error) {
		keys, err := b.findKeys()
		return keys, int64(12 * len(keys.hashes)), err
	})
	if err != nil || len(keys.hashes) == 0 {
		return nil, err
	}
	return &rankList{rankKeys: keys, texts: b.texts()}, nil
}

// addFlag adds the next flag to the list of the current row group.
func (b *rankBuilder[R]) addFlag(l *rankList) error {
	f := &b.flags[len(l.flags)]
	found, err := cachedRank(b, &f.part, func() (rankBits, int64, error) {
		found, err := b.findFlag(l.rankKeys, f)
		return found, int64(8 * len(found)), err
	})
	l.flags = append(l.flags, found)
	return err
}

// required returns the keys of a row group with their first flag; nil if it has no rows of the query.
func (b *rankBuilder[R]) required(g liveGroup[R]) (*rankList, error) {
	l, err := b.begin(g)
	if err == nil && l != nil {
		err = b.addFlag(l)
	}
	return l, err
}

// list returns the list of a row group; nil if it has no rows of the query.
func (b *rankBuilder[R]) list(g liveGroup[R]) (*rankList, error) {
	l, err := b.begin(g)
	if err != nil || l == nil {
		return nil, err
	}
	for range b.flags {
		if err := b.addFlag(l); err != nil {
			return nil, err
		}
	}
	for n := range b.values {
		m := &b.values[n]
		values, err := cachedRank(b, &m.part, func() (rankColumn, int64, error) {
			values, err := b.findValues(l.rankKeys, m)
			return values, int64(16*len(values.sums) + 8*len(values.numbers)), err
		})
		if err != nil {
			return nil, err
		}
		l.values = append(l.values, values)
	}
	if l.tallied, err = b.tallied(l.rankKeys); err != nil {
		return nil, err
	}
	return l, nil
}

// cachedRank returns a part of a list from the cache, or computes it. In one of several passes a part has only the
// hashes of the pass, and nothing is cached.
func cachedRank[R, T any](b *rankBuilder[R], part *rankPart, compute func() (T, int64, error)) (made T, err error) {
	g := b.group
	key := sumsKey{g.id, part.hash, b.rows.start, g.dead.len()}
	usable := part.signature != "" && b.covered && b.passes == 1
	if usable {
		if kept, ok := g.cache.getSums(key); ok && kept.signature == part.signature {
			return kept.part.(T), nil //nolint:forcetypeassert // the signature says what it is
		}
	}
	made, size, err := compute()
	if err == nil {
		err = b.take(size)
	}
	// While rows keep dying, every query would need new ones.
	dying := key.dead > 0 && !g.cache.shouldCache(g.id, part.hash+uint64(key.dead))
	if err == nil && usable && part.keep && !dying {
		g.cache.putSums(key, &partialSums{signature: part.signature, size: size + int64(len(part.signature)), part: made})
	}
	return made, err
}

// chosen returns the rows of the query; nil for all of the project.
func (b *rankBuilder[R]) chosen() (chosen *rowMask, none bool, err error) {
	if b.where.all() && b.covered && b.group.dead.len() == 0 {
		return nil, false, nil
	}
	chosen, err = b.where.selectRows(b.group)
	return chosen, chosen == nil, err
}

// hasDictionary reports whether the key column is stored as codes.
func (b *rankBuilder[R]) hasDictionary() bool {
	return b.group.chunks[b.key].hasDictionary(b.table.schema.columns[b.key].class)
}

// eachPage calls visit with the pages of a column, and the rows of the project that are in each.
func (b *rankBuilder[R]) eachPage(column int, visit func(page *decodedPage, from, to int) error) error {
	memory := getPage()
	defer putPage(memory)
	for first := b.rows.start / pageRows * pageRows; first < b.rows.end; first += pageRows {
		page, err := b.group.scanPage(column, first/pageRows, memory)
		if err != nil {
			return err
		}
		if err := visit(page, max(first, b.rows.start), min(first+pageRows, b.rows.end)); err != nil {
			return err
		}
	}
	return nil
}

type rankKey struct {
	hash uint64
	at   uint32
}

// findKeys finds the keys of the selected rows.
func (b *rankBuilder[R]) findKeys() (*rankKeys, error) {
	keys := new(rankKeys)
	chosen, none, err := b.chosen()
	if err != nil || none || !b.group.has(b.key) {
		return keys, err
	}
	var found []rankKey
	inPass := func(hash uint64) bool { return hash >= b.low && hash <= b.high }
	if b.hasDictionary() {
		d, err := b.group.dictionaryOf(b.key)
		if err != nil {
			return keys, err
		}
		used := make([]bool, d.len())
		if err := b.eachPage(b.key, func(page *decodedPage, from, to int) error {
			for row := from; row < to; row++ {
				if chosen == nil || chosen.mask[row-chosen.first] != 0 {
					used[page.code(row-page.first)] = true
				}
			}
			return nil
		}); err != nil {
			return keys, err
		}
		for code, ok := range used {
			if text := d.text(code); ok && text != "" {
				if hash := store.TextHash(text); inPass(hash) {
					found = append(found, rankKey{hash, uint32(code)})
				}
			}
		}
	} else if err := b.eachPage(b.key, func(page *decodedPage, from, to int) error {
		for row := from; row < to; row++ {
			text := page.text(row)
			if text == "" || chosen != nil && chosen.mask[row-chosen.first] == 0 {
				continue
			}
			if hash := store.TextHash(text); inPass(hash) {
				found = append(found, rankKey{hash, uint32(row)})
			}
		}
		return nil
	}); err != nil {
		return keys, err
	}
	slices.SortFunc(found, func(a, b rankKey) int {
		switch {
		case a.hash < b.hash:
			return -1
		case a.hash > b.hash:
			return 1
		}
		return 0
	})
	found = slices.CompactFunc(found, func(a, b rankKey) bool { return a.hash == b.hash })
	keys.hashes, keys.at = make([]uint64, len(found)), make([]uint32, len(found))
	for n, k := range found {
		keys.hashes[n], keys.at[n] = k.hash, k.at
	}
	return keys, nil
}

// texts returns a function that reads keys of the current row group.
func (b *rankBuilder[R]) texts() func(places []uint32, visit func(n int, key string) error) error {
	ctx, g, column, dictionary := b.ctx, b.group, b.key, b.hasDictionary()
	return func(places []uint32, visit func(n int, key string) error) error {
		if dictionary {
			d, err := g.dictionaryOf(column)
			for n := 0; n < len(places) && err == nil; n++ {
				err = visit(n, d.text(int(places[n])))
			}
			return err
		}
		memory := getPage()
		defer putPage(memory)
		var page *decodedPage
		for n, last := 0, -1; n < len(places); n++ {
			row := int(places[n])
			if number := row / pageRows; number != last {
				if err := ctx.Err(); err != nil {
					return err
				}
				var err error
				if page, err = g.scanPage(column, number, memory); err != nil {
					return err
				}
				last = number
			}
			if err := visit(n, page.text(row)); err != nil {
				return err
			}
		}
		return nil
	}
}

// keyReader returns a reader of keys that a reference gives by their list and their index in it. It reads each page once.
func (r *ranking[R]) keyReader(lists []*rankList) store.KeyReader {
	return func(refs []uint64, visit func(n int, key string) error) error {
		type wanted struct{ list, place, n uint32 }
		all := make([]wanted, len(refs))
		for n, ref := range refs {
			list := uint32(ref >> 32)
			all[n] = wanted{list, lists[list].at[uint32(ref)], uint32(n)}
		}
		slices.SortFunc(all, func(a, b wanted) int { return cmp.Or(cmp.Compare(a.list, b.list), cmp.Compare(a.place, b.place)) })
		places := make([]uint32, len(all))
		for n := range all {
			places[n] = all[n].place
		}
		for first, end := 0, 0; first < len(all); first = end {
			for end = first; end < len(all) && all[end].list == all[first].list; end++ {
			}
			part := all[first:end]
			if err := lists[part[0].list].texts(places[first:end], func(n int, key string) error {
				return visit(int(part[n].n), key)
			}); err != nil {
				return err
			}
		}
		return nil
	}
}

// assign sets entries.
func (b *rankBuilder[R]) assign(keys *rankKeys) error {
	if b.entries != nil {
		return nil
	}
	chosen, none, err := b.chosen()
	if err != nil || none {
		return err
	}
	b.memory = resize(b.memory, b.rows.end-b.rows.start)
	var byCode []int32
	if b.hasDictionary() {
		d, err := b.group.dictionaryOf(b.key)
		if err != nil {
			return err
		}
		byCode = make([]int32, d.len())
		for n := range byCode {
			byCode[n] = -1
		}
		for n, code := range keys.at {
			byCode[code] = int32(n)
		}
	}
	err = b.eachPage(b.key, func(page *decodedPage, from, to int) error {
		for row := from; row < to; row++ {
			entry := int32(-1)
			switch {
			case chosen != nil && chosen.mask[row-chosen.first] == 0:
			case byCode != nil:
				entry = byCode[page.code(row-page.first)]
			default:
				if at, ok := slices.BinarySearch(keys.hashes, store.TextHash(page.text(row))); ok {
					entry = int32(at)
				}
			}
			b.memory[row-b.rows.start] = entry
		}
		return nil
	})
	b.entries = b.memory
	return err
}

// maskOf returns which rows of the project a predicate selects; nil for all.
func (b *rankBuilder[R]) maskOf(p *predicate[R]) (mask []uint8, none bool, err error) {
	if p.all() && p.covers(b.rows.oldest, b.rows.youngest) {
		return nil, false, nil
	}
	s, err := p.selectRows(b.group)
	if err != nil || s == nil {
		return nil, true, err
	}
	return s.mask, false, nil
}

// findFlag returns which keys have a flag.
func (b *rankBuilder[R]) findFlag(keys *rankKeys, f *rankFlag[R]) (rankBits, error) {
	mask, none, err := b.maskOf(f.where)
	if err != nil || none {
		return nil, err
	}
	var without []uint8 // nil for none
	if f.without != nil {
		var met bool
		if without, met, err = b.maskOf(f.without); err != nil {
			return nil, err
		}
		if without == nil && !met {
			return nil, nil // all of the rows meet what is ruled out
		}
	}
	found := make(rankBits, (len(keys.hashes)+63)/64)
	if mask == nil && without == nil { // every key is that of a row
		for n := range keys.hashes {
			found.set(n)
		}
		return found, nil
	}
	if err := b.assign(keys); err != nil {
		return nil, err
	}
	for row, entry := range b.entries {
		if entry >= 0 && (mask == nil || mask[row] != 0) && (without == nil || without[row] == 0) {
			found.set(int(entry))
		}
	}
	return found, nil
}

func (b *rankBuilder[R]) findValues(keys *rankKeys, m *rankMeasure[R]) (rankColumn, error) {
	c := newRankColumn(m.function, len(keys.hashes))
	var mask []uint8
	if m.where != nil {
		var none bool
		var err error
		if mask, none, err = b.maskOf(m.where); err != nil || none {
			return c, err
		}
	}
	if m.source >= 0 && !b.group.has(m.source) {
		return c, nil
	}
	if err := b.assign(keys); err != nil {
		return c, err
	}
	if m.source < 0 {
		for row, entry := range b.entries {
			if entry >= 0 && (mask == nil || mask[row] != 0) {
				c.numbers[entry]++
			}
		}
		return c, nil
	}
	if b.entries == nil {
		return c, nil
	}
	return c, b.eachPage(m.source, func(page *decodedPage, from, to int) error {
		for row := from; row < to; row++ {
			entry := b.entries[row-b.rows.start]
			if entry < 0 || mask != nil && mask[row-b.rows.start] == 0 {
				continue
			}
			at := row - page.first
			var value float64
			switch {
			case m.timed:
				if value = float64(page.ints[at]); value == 0 {
					continue
				}
			case page.null(at):
				continue
			case len(page.ints) > 0:
				value = float64(page.ints[at])
			default:
				if value = page.floats[at]; math.IsNaN(value) {
					continue
				}
			}
			c.put(m.function, int(entry), value)
		}
		return nil
	})
}

// newRankColumn returns the values of no rows.
func newRankColumn(f store.Function, keys int) (c rankColumn) {
	switch f {
	case store.Sum:
		c.sums = make([]domain.Sum, keys)
		return c
	case store.Count:
		c.numbers = make([]float64, keys)
		return c
	}
	c.numbers = make([]float64, keys)
	for n := range c.numbers {
		c.numbers[n] = math.Inf(1)
		if f == store.Max {
			c.numbers[n] = math.Inf(-1)
		}
	}
	return c
}

// put adds the value of a row.
func (c *rankColumn) put(f store.Function, entry int, value float64) {
	switch f {
	case store.Sum:
		c.sums[entry].Add(value)
	case store.Min:
		c.numbers[entry] = min(c.numbers[entry], value)
	case store.Max:
		c.numbers[entry] = max(c.numbers[entry], value)
	}
}

// hotList returns the list of the rows in memory.
func (r *ranking[R]) hotList(take func(bytes int64) error) (*rankList, error) {
	const perKey = 64 // bytes
	l := &rankList{rankKeys: new(rankKeys)}
	index := make(map[uint64]uint32)
	var texts []string
	var rows []*hotRow[R]
	var entries []uint32
	pending := int64(0)
	err := r.eachHot(func(h *hotRow[R]) error {
		text, _ := r.query.Key.Text(&h.row)
		hash := store.TextHash(text)
		if text == "" || hash < r.low || hash > r.high {
			return nil
		}
		entry, known := index[hash]
		if !known {
			entry = uint32(len(texts))
			index[hash] = entry
			texts, l.hashes, l.at = append(texts, text), append(l.hashes, hash), append(l.at, entry)
			pending += perKey + int64(16*len(r.values))
		}
		rows, entries = append(rows, h), append(entries, entry)
		if pending += 12; pending < 64<<10 {
			return nil
		}
		err := take(pending)
		pending = 0
		return err
	})
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	slices.SortFunc(l.at, func(a, b uint32) int {
		if l.hashes[a] < l.hashes[b] {
			return -1
		}
		return 1
	})
	place := make([]int, len(texts)) // of each entry in the order of hashes
	hashes := make([]uint64, len(texts))
	for n, entry := range l.at {
		place[entry], hashes[n] = n, l.hashes[entry]
	}
	l.hashes = hashes
	l.texts = func(places []uint32, visit func(n int, key string) error) error {
		for n, place := range places {
			if err := visit(n, texts[place]); err != nil {
				return err
			}
		}
		return nil
	}
	for range r.flags {
		l.flags = append(l.flags, make(rankBits, (len(texts)+63)/64))
	}
	for n, h := range rows {
		flags := r.query.FlagsOf(&h.row, r.table.schema.timeOf(&h.row))
		for f := range l.flags {
			if flags>>f&1 != 0 {
				l.flags[f].set(place[entries[n]])
			}
		}
	}
	for n := range r.values {
		m := &r.query.Measures[n]
		c := newRankColumn(m.Function, len(texts))
		for i, h := range rows {
			if !filter.MatchAll(m.If, &h.row) {
				continue
			}
			entry := place[entries[i]]
			if m.Column == nil {
				c.numbers[entry]++
			} else if value, null := m.Column.Value(&h.row); !null && !math.IsNaN(value) {
				c.put(m.Function, entry, value)
			}
		}
		l.values = append(l.values, c)
	}
	if l.tallied, err = r.hotTallied(rows, func(n int) uint32 { return uint32(place[entries[n]]) }, len(texts), take); err != nil {
		return nil, err
	}
	return l, nil
}

// eachHot calls each with the rows in memory that the query selects.
func (r *ranking[R]) eachHot(each func(*hotRow[R]) error) error {
	p, v := r.where, r.version
	if p.usesIndex() {
		for _, h := range r.table.hotMatches(v, p.project, p.indexed, p.matchesHot) {
			if err := each(h); err != nil {
				return err
			}
		}
		return nil
	}
	for _, hot := range v.hot {
		for _, run := range hot.snapshot(p.project) {
			for n, h := range inRange(run, p.from, p.to) {
				if n%1024 == 0 && r.ctx.Err() != nil {
					return r.ctx.Err()
				}
				if !h.visible(v.seq) || !p.matchesHot(h) {
					continue
				}
				if err := each(h); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
