package segment

import (
	"slices"

	"almanac/internal/filter"
	"almanac/internal/store"
)

// countsCodes reports whether the query only counts the rows for each value of one column, and the codes of that
// column's dictionary are enough for it. It returns the column. Lists are then counted per distinct list instead of row
// by row.
func (a *aggregator[R]) countsCodes(g *rowGroup[R]) (source int, ok bool) {
	if len(a.Query.GroupBy) != 1 || len(a.Inputs) > 0 || a.Buckets != nil {
		return 0, false
	}
	c := a.Query.GroupBy[0]
	sources := a.schema.sourcesOf(c)
	if c.Derived() || len(sources) != 1 || c.Kind() != filter.Text && c.Kind() != filter.List {
		return 0, false
	}
	return sources[0], g.has(sources[0]) && g.chunks[sources[0]].hasDictionary(a.schema.columns[sources[0]].class)
}

// addCodes adds the selected rows by their codes; all if chosen is nil.
func (a *aggregator[R]) addCodes(g *rowGroup[R], source int, r projectRange, chosen *rowMask) error {
	d, err := g.dictionaryOf(source)
	if err != nil {
		return err
	}
	counts := make([]int64, d.len())
	memory := getPage()
	defer putPage(memory)
	for first := r.start / pageRows * pageRows; first < r.end; first += pageRows {
		mask := ones[:min(first+pageRows, r.end)-max(first, r.start)]
		if chosen != nil {
			mask = chosen.mask[max(first, r.start)-chosen.first : min(first+pageRows, r.end)-chosen.first]
			if !slices.Contains(mask, 1) {
				continue
			}
		}
		page, err := g.scanPage(source, first/pageRows, memory)
		if err != nil {
			return err
		}
		if len(page.codes) == 0 { // a single value for all rows
			for _, m := range mask {
				counts[0] += int64(m)
			}
			continue
		}
		for n, code := range page.codes[max(first, r.start)-first:][:len(mask)] {
			counts[code] += int64(mask[n])
		}
	}
	return a.addCounts(source, d, counts)
}

// addCounts adds rows, given the number of rows for each code.
func (a *aggregator[R]) addCounts(source int, d *dictionary, counts []int64) error {
	c := a.Query.GroupBy[0]
	add := func(text string, null bool, count int64) error {
		group, err := a.Find(0, []string{text}, []bool{null})
		if err == nil {
			group.Rows += count
		}
		return err
	}
	var row R
	for code, count := range counts {
		if count == 0 {
			continue
		}
		if c.Kind() == filter.Text {
			a.schema.setCode(&row, source, d, code)
			text, null := store.KeyOf(c, &row)
			if err := add(text, null, count); err != nil {
				return err
			}
			continue
		}
		list := d.list(code)
		if len(list) == 0 {
			if err := add("", true, count); err != nil {
				return err
			}
		}
		for n, item := range list {
			if slices.Contains(list[:n], item) {
				continue // a row counts once per distinct item
			}
			if err := add(item, false, count); err != nil {
				return err
			}
		}
	}
	return nil
}
