package segment

import (
	"bytes"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/filter"
)

// rowMask marks the selected rows of a project in a row group, with one byte for each row from first on.
type rowMask struct {
	first int
	mask  []uint8
	count int
	// looked is the number of rows examined.
	looked int
}

// allRows selects every row of a project in a row group.
func allRows(r projectRange) *rowMask {
	return &rowMask{first: r.start, mask: bytes.Repeat([]uint8{1}, r.end-r.start), count: r.end - r.start}
}

func (s *rowMask) keep(ok func(row int) bool) {
	s.count = 0
	for n, m := range s.mask {
		if m == 0 {
			continue
		}
		if ok(n + s.first) {
			s.count++
		} else {
			s.mask[n] = 0
		}
	}
}

// selectRows evaluates the predicate on a row group. It returns nil if no row is selected.
func (p *predicate[R]) selectRows(g liveGroup[R]) (*rowMask, error) {
	if len(p.either) > 0 {
		return p.selectEither(g)
	}
	r, ok := g.rangeOf(p.project)
	if !ok || p.misses(r.oldest, r.youngest) {
		return nil, nil
	}
	if err := g.current(); err != nil {
		return nil, err
	}
	if late, err := p.tooLate(g.rowGroup); err != nil || late {
		return nil, err
	}
	if outside, err := p.outside(g.rowGroup); err != nil || outside {
		return nil, err
	}
	// Evaluate first what needs no columns.
	var named []int
	if p.usesIndex() {
		var err error
		if named, err = matchingRows(g, p.project, p.indexed); err != nil || len(named) == 0 {
			return nil, err
		}
	}
	codes := make([][]bool, len(p.columns))
	for n := range p.columns {
		ok, err := p.dictionaryMatches(g.rowGroup, &p.columns[n], &codes[n])
		if err != nil || !ok {
			return nil, err
		}
	}
	fields, rest, err := p.onFields(g.rowGroup)
	if err != nil || fields == nil && rest == nil && len(p.rows) > 0 {
		return nil, err
	}
	if ok, err := p.namesOfTraces(g.rowGroup, rest); err != nil || !ok {
		return nil, err
	}
	candidates, err := p.rowBlocks(g.rowGroup, rest)
	if err != nil || candidates != nil && candidates.len() == 0 {
		return nil, err
	}
	s := allRows(r)
	if named != nil {
		clear(s.mask)
		for _, row := range named {
			s.mask[row-s.first] = 1
		}
		s.count = len(named)
	}
	s.looked = s.count
	if candidates != nil {
		s.keep(func(row int) bool { return candidates.has(row / rowBlockRows) })
	}
	if g.dead.len() > 0 {
		s.keep(func(row int) bool { return !g.dead.has(row) })
	}
	if !p.covers(r.oldest, r.youngest) {
		if err := p.keepTimes(g.rowGroup, s); err != nil {
			return nil, err
		}
	}
	if err := p.keepArrived(g.rowGroup, s); err != nil {
		return nil, err
	}
	for _, m := range fields {
		if err := g.keepField(s, m); err != nil {
			return nil, err
		}
	}
	for n := range p.columns {
		if s.count == 0 {
			return nil, nil
		}
		if err := p.keepColumn(g.rowGroup, s, &p.columns[n], codes[n]); err != nil {
			return nil, err
		}
	}
	if err := p.keepRows(g.rowGroup, s, rest); err != nil || s.count == 0 {
		return nil, err
	}
	return s, nil
}

// selectEither selects the rows that match one of the alternatives. Most alternatives are ruled out by the index and
// the dictionaries.
func (p *predicate[R]) selectEither(g liveGroup[R]) (*rowMask, error) {
	var all *rowMask
	for _, alternative := range p.either {
		one := *alternative
		one.ctx = p.ctx
		found, err := one.selectRows(g)
		if err != nil {
			return nil, err
		}
		if found == nil {
			continue
		}
		if all == nil {
			all = found
			continue
		}
		all.looked += found.looked
		for n, m := range found.mask {
			if m > all.mask[n] {
				all.mask[n] = m
				all.count++
			}
		}
	}
	return all, nil
}

// dictionaryMatches evaluates a condition on each string of a dictionary. It reports whether any row can match.
func (p *predicate[R]) dictionaryMatches(g *rowGroup[R], c *filter.Condition[R], codes *[]bool) (bool, error) {
	column := p.schema.physical[c.Column().ID()][0]
	class := p.schema.columns[column].class
	if class != classShort && class != classList {
		return true, nil
	}
	if !g.has(column) {
		var unset R
		return c.Match(&unset), nil
	}
	if !g.chunks[column].hasDictionary(class) {
		return true, nil
	}
	d, err := g.dictionaryOf(column)
	if err != nil {
		return false, err
	}
	*codes = make([]bool, d.len())
	some := false
	for n := range d.len() {
		ok := class == classList && c.MatchList(d.list(n)) || class == classShort && c.MatchText(d.text(n), false)
		(*codes)[n] = ok
		some = some || ok
	}
	return some, nil
}

// onFields evaluates conditions on metadata fields and returns the remaining ones. Both results are nil if no row can
// match.
func (p *predicate[R]) onFields(g *rowGroup[R]) (fields []fieldMatch, rest []*filter.Condition[R], err error) {
	for n := range p.rows {
		c := &p.rows[n]
		if !c.ComparesEntry() {
			rest = append(rest, c)
			continue
		}
		m, evaluated, some, err := g.matchField(c)
		switch {
		case err != nil || !some:
			return nil, nil, err
		case evaluated:
			fields = append(fields, m)
		default:
			rest = append(rest, c)
		}
	}
	return fields, rest, nil
}

// namesOfTraces reports whether any row can match the conditions on its trace name, which comes from one of two
// dictionaries.
func (p *predicate[R]) namesOfTraces(g *rowGroup[R], conditions []*filter.Condition[R]) (bool, error) {
	for _, c := range conditions {
		sources := p.schema.physical[c.Column().ID()]
		if c.Column().ID() != "traceName" || c.Column().Derived() || c.Operator() == filter.IsNull || c.MatchText("", true) {
			continue
		}
		some := false
		for _, column := range sources[:2] { // the trace name and the name of the row
			if !g.has(column) || !g.chunks[column].hasDictionary(p.schema.columns[column].class) {
				some = some || g.has(column) || c.MatchText("", false)
				continue
			}
			d, err := g.dictionaryOf(column)
			if err != nil {
				return false, err
			}
			for n := 0; n < d.len() && !some; n++ {
				some = c.MatchText(d.text(n), false)
			}
		}
		if !some {
			return false, nil
		}
	}
	return true, nil
}

// rowBlocks returns the row blocks that can match the conditions on long strings and metadata; nil means all.
func (p *predicate[R]) rowBlocks(g *rowGroup[R], conditions []*filter.Condition[R]) (*bitset, error) {
	var keep *bitset
	all := func() *bitset {
		if keep == nil {
			keep = newBitset(rowBlocks(g.rows))
			for n := range rowBlocks(g.rows) {
				keep.add(n)
			}
		}
		return keep
	}
	for _, c := range conditions {
		switch {
		case c.Operator() == filter.Matches && c.Column().Kind() != filter.Text:
			words, err := g.words()
			if err != nil {
				return nil, err
			}
			var folded []byte
			for _, word := range c.Words() {
				folded = filter.EachFolded(word, folded, func(w []byte) { words.find(wordHash(w), all()) })
			}
		case c.Column().Kind() == filter.Metadata && c.Operator() == filter.Equal && c.ValueKind() == filter.Text:
			members, err := g.members()
			if err != nil {
				return nil, err
			}
			members.find(memberHash(c.Key(), c.Text()), all())
		}
	}
	return keep, nil
}

func (p *predicate[R]) keepTimes(g *rowGroup[R], s *rowMask) error {
	return eachInt(g, p.schema.time, s, func(v int64) bool {
		t := domain.Micros(v)
		return (p.from == 0 || t >= p.from) && (p.to == 0 || t < p.to)
	})
}

// keepColumn evaluates a condition on decoded columns.
func (p *predicate[R]) keepColumn(g *rowGroup[R], s *rowMask, c *filter.Condition[R], codes []bool) error {
	sources := p.schema.physical[c.Column().ID()]
	column := sources[0]
	if !g.has(sources[len(sources)-1]) {
		var unset R
		ok := c.Match(&unset)
		s.keep(func(int) bool { return ok })
		return nil
	}
	switch class := p.schema.columns[column].class; {
	case codes != nil:
		if !slices.Contains(codes, false) {
			return nil
		}
		return eachPage(g, column, s, func(page *decodedPage, row int) bool { return codes[page.code(row-page.first)] })
	case class == classID || class == classShort:
		return eachPage(g, column, s, func(page *decodedPage, row int) bool { return c.MatchText(page.text(row), false) })
	}
	if c.Column().Kind() == filter.Time {
		return eachInt(g, column, s, func(v int64) bool {
			return c.MatchTime(domain.Micros(v))
		})
	}
	if len(sources) == 2 { // the difference of two times
		return eachPair(g, sources[0], sources[1], s, func(from, to int64) bool {
			if to == 0 {
				return c.MatchNumber(0, true)
			}
			return c.MatchNumber(float64(domain.Micros(to).Millis()-domain.Micros(from).Millis())/1000, false)
		})
	}
	return eachPage(g, column, s, func(page *decodedPage, row int) bool {
		at := row - page.first
		if len(page.ints) > 0 {
			return c.MatchNumber(float64(page.ints[at]), page.null(at))
		}
		return c.MatchNumber(page.floats[at], page.null(at))
	})
}

// keepRows evaluates the remaining conditions row by row.
func (p *predicate[R]) keepRows(g *rowGroup[R], s *rowMask, conditions []*filter.Condition[R]) error {
	if len(conditions) == 0 || s.count == 0 {
		return nil
	}
	var columns []int
	for _, c := range conditions {
		columns = append(columns, p.schema.sourcesOf(c.Column())...)
	}
	slices.Sort(columns)
	reader := newColumnsReader(g, slices.Compact(columns)).countIn(p.ctx)
	defer reader.close()
	var failure error
	var r R // rows are large, so it is reused
	looked := 0
	s.keep(func(row int) bool {
		if looked++; looked%64 == 0 && failure == nil {
			failure = p.ctx.Err() // long strings take a while
		}
		if failure != nil {
			return false
		}
		if failure = reader.fill(row, &r); failure != nil {
			return false
		}
		for _, c := range conditions {
			if !c.Match(&r) {
				return false
			}
		}
		return true
	})
	return failure
}

// eachPage keeps the rows for which ok returns true, page by page. Pages without a selected row are not read.
func eachPage[R any](g *rowGroup[R], column int, s *rowMask, ok func(page *decodedPage, row int) bool) error {
	count := 0
	memory := getPage()
	defer putPage(memory)
	for first := s.first / pageRows * pageRows; first < s.first+len(s.mask); first += pageRows {
		part := s.mask[max(first-s.first, 0):min(first+pageRows-s.first, len(s.mask))]
		if !slices.Contains(part, 1) {
			continue
		}
		page, err := g.scanPage(column, first/pageRows, memory)
		if err != nil {
			return err
		}
		offset := max(first, s.first)
		for n, m := range part {
			if m != 0 {
				if ok(page, offset+n) {
					count++
				} else {
					part[n] = 0
				}
			}
		}
	}
	s.count = count
	return nil
}

func eachInt[R any](g *rowGroup[R], column int, s *rowMask, ok func(v int64) bool) error {
	return eachPage(g, column, s, func(page *decodedPage, row int) bool { return ok(page.ints[row-page.first]) })
}

func eachPair[R any](g *rowGroup[R], a, b int, s *rowMask, ok func(a, b int64) bool) error {
	var other *decodedPage
	var failure error
	memory := getPage()
	defer putPage(memory)
	err := eachPage(g, a, s, func(page *decodedPage, row int) bool {
		if other == nil || other.first != page.first {
			if other, failure = g.scanPage(b, row/pageRows, memory); failure != nil {
				return false
			}
		}
		return ok(page.ints[row-page.first], other.ints[row-other.first])
	})
	if failure != nil {
		return failure
	}
	return err
}
