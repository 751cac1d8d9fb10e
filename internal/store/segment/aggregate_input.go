package segment

import (
	"math"
	"math/bits"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// inputForm is how the values of an input are read from a row group.
type inputForm uint8

const (
	byRowForm    inputForm = iota // computed row by row
	numberForm                    // a column of integers or numbers
	timeForm                      // a column of times; 0 is unset
	durationForm                  // the time from a row's own time to another time column
	codeForm                      // dictionary codes of strings, which are only counted
	byCodeForm                    // a number for each code of a dictionary
)

// localInput accumulates an input within a row group.
type localInput[R any] struct {
	*store.Input[R]
	at     int // index of the input
	form   inputForm
	source int
	// By code: whether it counts, its string, its hash (0 until needed) and its number.
	counts []bool
	texts  []string
	hashes []uint64
	number []float64
	// seen is a bitmap of codes for each group, seenWords words each; not used if hashes are added immediately.
	seen      []uint64
	seenWords int
	// By group number.
	count    []int64
	sum      []domain.Sum
	min, max []float64
	// Values and the numbers of their groups, in the order in which they were read.
	values []float64
	owners []int32
	// For values computed row by row: which of the selected rows of the page have a value, and the values.
	places    []int32
	rowValues []float64
	rowHashes []uint64
}

// begin prepares for a row group, reusing the memory of the previous one.
func (in *localInput[R]) begin(l *localGroups[R], at int) error {
	of := &l.aggregator.Inputs[at]
	*in = localInput[R]{
		Input: of, at: at, counts: in.counts[:0], texts: in.texts[:0], hashes: in.hashes[:0], number: in.number[:0], seen: in.seen[:0],
		count: in.count[:0], sum: in.sum[:0],
		min: in.min[:0], max: in.max[:0], values: in.values[:0], owners: in.owners[:0], places: in.places, rowValues: in.rowValues,
		rowHashes: in.rowHashes,
	}
	s := l.group.schema
	sources := s.sourcesOf(of.Column)
	if !of.Column.Derived() && l.group.has(sources[len(sources)-1]) {
		id := of.Column.ID()
		switch class := s.columns[sources[0]].class; {
		case id == "latency" || id == "timeToFirstToken":
			in.form, in.source = durationForm, sources[1]
			return nil
		case class == classTime && of.Column.Kind() == filter.Time:
			in.form, in.source = timeForm, sources[0]
			return nil
		case len(sources) == 1 && (class == classInt || class == classOptInt || class == classFloat || class == classOptFloat):
			in.form, in.source = numberForm, sources[0]
			return nil
		}
	}
	source, d, ok, err := l.dictionarySource(of.Column)
	if err != nil || !ok {
		return err
	}
	in.source = source
	var row R
	for code := range d.len() {
		s.setCode(&row, source, d, code)
		if of.Column.Kind() == filter.Text {
			in.form = codeForm
			text, null := of.Column.Text(&row)
			in.counts, in.hashes = append(in.counts, !null && text != ""), append(in.hashes, 0)
			in.texts = append(in.texts, text)
			continue
		}
		in.form = byCodeForm
		value, null := of.Column.Number(&row)
		in.counts, in.number = append(in.counts, !null && !math.IsNaN(value)), append(in.number, value)
	}
	return nil
}

// maxSeenBits limits the size of the seen bitmaps of all groups.
const maxSeenBits = 1 << 24

// chooseSeen decides whether to keep a bitmap of codes for each group: only if groups times codes are few.
func (in *localInput[R]) chooseSeen(dense bool, groups int64) {
	if in.form == codeForm && in.Distinct && dense && groups*int64(len(in.counts)) <= maxSeenBits {
		in.seenWords = (len(in.counts) + 63) / 64
	}
}

// grow adds another group.
func (in *localInput[R]) grow() {
	in.count = append(in.count, 0)
	if in.Sums {
		in.sum = append(in.sum, domain.Sum{})
	}
	if in.Extremes {
		in.min, in.max = append(in.min, math.Inf(1)), append(in.max, math.Inf(-1))
	}
	for range in.seenWords {
		in.seen = append(in.seen, 0)
	}
}

// beginRows prepares for the rows of a page.
func (in *localInput[R]) beginRows() {
	in.places, in.rowValues, in.rowHashes = in.places[:0], in.rowValues[:0], in.rowHashes[:0]
}

// addRow records the value of the i-th selected row.
func (in *localInput[R]) addRow(i int32, r *R) {
	if in.Column.Kind() == filter.Text {
		if text, null := in.Column.Text(r); !null && text != "" {
			in.places = append(in.places, i)
			if in.Distinct {
				in.rowHashes = append(in.rowHashes, store.TextHash(text))
			}
		}
		return
	}
	if value, null := in.Column.Value(r); !null && !math.IsNaN(value) {
		in.places, in.rowValues = append(in.places, i), append(in.rowValues, value)
	}
}

// addPage adds the selected rows of a page to their groups.
func (in *localInput[R]) addPage(l *localGroups[R], number int) error {
	if in.form == codeForm {
		return in.addCodes(l, number)
	}
	if in.form == byRowForm {
		owners := l.memory.owners[:0]
		for _, i := range in.places {
			owners = append(owners, l.numbers[i])
		}
		if in.Column.Kind() == filter.Text {
			return in.addHashes(l, owners)
		}
		return in.addNumbers(l, in.rowValues, owners)
	}
	values, owners, err := in.read(l, number)
	if err != nil {
		return err
	}
	return in.addNumbers(l, values, owners)
}

// read returns the values of the selected rows of a page, and their groups.
func (in *localInput[R]) read(l *localGroups[R], number int) (values []float64, owners []int32, err error) {
	memory := getPage()
	defer putPage(memory)
	page, err := l.group.scanPage(in.source, number, memory)
	if err != nil {
		return nil, nil, err
	}
	// Every value is written, but counted only if it is set: a branch on that would be unpredictable. The modulo tells
	// the compiler that the index is below pageRows.
	count := uint(0)
	m := &l.memory
	switch {
	case in.form == durationForm:
		ends, starts := gather(l.picked, page.ints, m.ints[:]), gather(l.picked, l.times.ints, m.starts[:])
		starts, numbers := starts[:len(ends)], l.numbers[:len(ends)]
		for i, end := range ends {
			m.values[count%pageRows] = seconds(starts[i], end)
			m.owners[count%pageRows] = numbers[i]
			if end != 0 {
				count++
			}
		}
	case in.form == timeForm:
		times := gather(l.picked, page.ints, m.ints[:])
		numbers := l.numbers[:len(times)]
		for i, at := range times {
			m.values[count%pageRows], m.owners[count%pageRows] = float64(at), numbers[i]
			if at != 0 {
				count++
			}
		}
	case in.form == byCodeForm:
		for i, at := range l.picked {
			code := page.code(int(at))
			m.values[count%pageRows], m.owners[count%pageRows] = in.number[code], l.numbers[i]
			if in.counts[code] {
				count++
			}
		}
	case len(page.ints) > 0:
		ints, levels := gather(l.picked, page.ints, m.ints[:]), l.levels(page)
		levels, numbers := levels[:len(ints)], l.numbers[:len(ints)]
		for i, value := range ints {
			m.values[count%pageRows], m.owners[count%pageRows] = float64(value), numbers[i]
			count += uint(levels[i])
		}
	default:
		floats, levels := gather(l.picked, page.floats, m.floats[:]), l.levels(page)
		levels, numbers := levels[:len(floats)], l.numbers[:len(floats)]
		for i, value := range floats {
			m.values[count%pageRows], m.owners[count%pageRows] = value, numbers[i]
			if value == value {
				count += uint(levels[i])
			}
		}
	}
	return m.values[:count], m.owners[:count], nil
}

// seconds returns the time from start to end, computed from whole milliseconds, as clients see both.
func seconds(start, end int64) float64 {
	if start|end >= 0 { // times before 1970 round the other way, which is slower
		return float64(int64(uint64(end)/1000)-int64(uint64(start)/1000)) / 1000
	}
	return float64(domain.Micros(end).Millis()-domain.Micros(start).Millis()) / 1000
}

// levels returns 1 for each selected row of a page that has a value, else 0.
func (l *localGroups[R]) levels(page *decodedPage) []uint8 {
	if page.levels == nil {
		return ones[:len(l.picked)]
	}
	return gather(l.picked, page.levels, l.memory.levels[:])
}

// gather returns the picked elements of a page: a subslice of it if they are adjacent, otherwise a copy in memory.
func gather[T any](picked []int32, page, memory []T) []T {
	if len(picked) == 0 {
		return nil
	}
	first, last := int(picked[0]), int(picked[len(picked)-1])
	if last-first == len(picked)-1 { // picked is ascending
		return page[first : last+1]
	}
	memory = memory[:len(picked)]
	for i, at := range picked {
		memory[i] = page[at]
	}
	return memory
}

// addNumbers adds values to their groups.
func (in *localInput[R]) addNumbers(l *localGroups[R], values []float64, owners []int32) error {
	for _, g := range owners {
		in.count[g]++
	}
	if in.Sums {
		for i, g := range owners {
			in.sum[g].Add(values[i])
		}
	}
	if in.Extremes {
		for i, g := range owners {
			in.min[g], in.max[g] = min(in.min[g], values[i]), max(in.max[g], values[i])
		}
	}
	if in.Values {
		in.values, in.owners = append(in.values, values...), append(in.owners, owners...)
	}
	if in.Distinct {
		in.rowHashes = in.rowHashes[:0]
		for _, value := range values {
			in.rowHashes = append(in.rowHashes, store.NumberHash(value))
		}
		return in.addDistinct(l, owners)
	}
	return nil
}

// addCodes adds the codes of a page to their groups.
func (in *localInput[R]) addCodes(l *localGroups[R], number int) error {
	memory := getPage()
	defer putPage(memory)
	page, err := l.group.scanPage(in.source, number, memory)
	if err != nil {
		return err
	}
	if in.Distinct && in.seenWords == 0 {
		owners := l.memory.owners[:0]
		in.rowHashes = in.rowHashes[:0]
		for i, at := range l.picked {
			if code := page.code(int(at)); in.counts[code] {
				owners, in.rowHashes = append(owners, l.numbers[i]), append(in.rowHashes, in.hashOf(int(code)))
			}
		}
		return in.addHashes(l, owners)
	}
	for i, at := range l.picked {
		code, group := page.code(int(at)), l.numbers[i]
		if !in.counts[code] {
			continue
		}
		in.count[group]++
		if in.seenWords > 0 {
			in.seen[int(group)*in.seenWords+int(code>>6)] |= 1 << (code & 63)
		}
	}
	return nil
}

// hashOf returns the hash of the string that a code stands for.
func (in *localInput[R]) hashOf(code int) uint64 {
	if in.hashes[code] == 0 {
		in.hashes[code] = store.TextHash(in.texts[code])
	}
	return in.hashes[code]
}

// addHashes counts strings, and adds their hashes if distinct values are wanted.
func (in *localInput[R]) addHashes(l *localGroups[R], owners []int32) error {
	for _, group := range owners {
		in.count[group]++
	}
	if !in.Distinct {
		return nil
	}
	return in.addDistinct(l, owners)
}

// addDistinct adds the hashes of values to the sets of their groups.
func (in *localInput[R]) addDistinct(l *localGroups[R], owners []int32) error {
	taken := 0
	for i, group := range owners {
		taken += l.groups[group].Inputs[in.at].AddHash(in.rowHashes[i])
	}
	return l.aggregator.Take(taken)
}

// finish transfers everything to the groups.
func (in *localInput[R]) finish(l *localGroups[R]) error {
	for number, g := range l.groups {
		c := &g.Inputs[in.at]
		if in.count[number] == 0 {
			continue
		}
		var sum domain.Sum
		if in.Sums {
			sum = in.sum[number]
		}
		smallest, largest := 0.0, 0.0
		if in.Extremes {
			smallest, largest = in.min[number], in.max[number]
		}
		c.AddPart(in.count[number], sum, smallest, largest)
		taken := 0
		for word, set := range in.seen[number*in.seenWords : (number+1)*in.seenWords] {
			for ; set != 0; set &= set - 1 {
				taken += c.AddHash(in.hashOf(word*64 + bits.TrailingZeros64(set)))
			}
		}
		if err := l.aggregator.Take(taken); err != nil {
			return err
		}
	}
	return in.finishValues(l)
}

// finishValues sorts values by group and gives each group its part.
func (in *localInput[R]) finishValues(l *localGroups[R]) error {
	if len(in.values) == 0 {
		return nil
	}
	sorted := l.aggregator.blocks.take(len(in.values))
	next := make([]int, len(l.groups))
	for number := range next[1:] {
		next[number+1] = next[number] + int(in.count[number])
	}
	for i, group := range in.owners {
		sorted[next[group]] = in.values[i]
		next[group]++
	}
	for number, g := range l.groups {
		if count := int(in.count[number]); count > 0 {
			g.Inputs[in.at].AddValues(sorted[next[number]-count : next[number]])
		}
	}
	return l.aggregator.Take(8*len(in.values) + 24*len(l.groups))
}
