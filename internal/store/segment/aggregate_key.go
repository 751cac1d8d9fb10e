package segment

import (
	"math"

	"almanac/internal/filter"
	"almanac/internal/store"
)

// localKey is a column that rows are grouped by, within a row group. Its values are numbered from 0 up to but not
// including radix.
type localKey[R any] struct {
	column *filter.Column[R]
	radix  int64
	// texts and nulls are the keys by number; nulls is nil if none is null.
	texts []string
	nulls []bool
	// source is the column whose dictionary has the values; mapped maps its codes to numbers, nil if they are the same.
	source int
	mapped []int32
	// byRow means that values are computed row by row; codes are then the numbers for the rows of a page.
	byRow   bool
	codes   []int32
	numbers map[string]int32
	floats  map[uint64]int32
	null    int32 // the number of null, plus 1; 0 if not seen
}

func (l *localGroups[R]) newKey(c *filter.Column[R]) (localKey[R], error) {
	k := localKey[R]{column: c}
	source, d, ok, err := l.dictionarySource(c)
	if err != nil {
		return k, err
	}
	k.source = source
	switch {
	case ok && c.Kind() == filter.Text && !c.Derived():
		k.texts, k.radix = make([]string, d.len()), int64(d.len())
		for code := range k.texts {
			k.texts[code] = d.text(code)
		}
	case ok:
		k.mapped = make([]int32, d.len())
		var row R
		for code := range d.len() {
			l.group.schema.setCode(&row, source, d, code)
			k.mapped[code] = k.codeOf(&row)
		}
		k.radix = int64(len(k.texts))
	default:
		k.byRow, k.radix = true, int64(l.group.rows)+1
		if c.Kind() == filter.Bool {
			k.radix = 2
		}
	}
	return k, nil
}

// codeOf returns the number of a row's value.
func (k *localKey[R]) codeOf(r *R) int32 {
	switch k.column.Kind() {
	case filter.Bool:
		if k.texts == nil {
			k.texts, k.nulls = []string{"false", "true"}, []bool{false, false}
		}
		if k.column.Bool(r) {
			return 1
		}
		return 0
	case filter.Number:
		value, null := k.column.Number(r)
		if null || math.IsNaN(value) {
			return k.number("", true)
		}
		// There are many numbers and formatting them is slow, so they are looked up by their bits.
		bits := math.Float64bits(value + 0)
		code, ok := k.floats[bits]
		if !ok {
			if k.floats == nil {
				k.floats = make(map[uint64]int32)
			}
			code = k.number(store.NumberKey(value), false)
			k.floats[bits] = code
		}
		return code
	}
	return k.number(store.KeyOf(k.column, r))
}

// number returns the number of a key.
func (k *localKey[R]) number(text string, null bool) int32 {
	code, ok := k.numbers[text]
	if null {
		code, ok = k.null-1, k.null > 0
	}
	if ok {
		return code
	}
	code = int32(len(k.texts))
	k.texts, k.nulls = append(k.texts, text), append(k.nulls, null)
	if null {
		k.null = code + 1
		return code
	}
	if k.numbers == nil {
		k.numbers = make(map[string]int32)
	}
	k.numbers[text] = code
	return code
}

// combine adds the numbers of this key to the combined keys of a page's rows.
func (k *localKey[R]) combine(l *localGroups[R], number int) error {
	if k.byRow {
		for i, code := range k.codes {
			l.combined[i] = l.combined[i]*k.radix + int64(code)
		}
		return nil
	}
	if k.radix == 1 {
		return nil
	}
	memory := getPage()
	defer putPage(memory)
	page, err := l.group.scanPage(k.source, number, memory)
	if err != nil {
		return err
	}
	if k.mapped != nil {
		for i, at := range l.picked {
			l.combined[i] = l.combined[i]*k.radix + int64(k.mapped[page.code(int(at))])
		}
		return nil
	}
	for i, at := range l.picked {
		l.combined[i] = l.combined[i]*k.radix + int64(page.codes[at])
	}
	return nil
}
