package segment

import (
	"fmt"
	"slices"

	"almanac/internal/store"
)

// keyLookup selects the rows that have one of the given strings in a column that is indexed.
type keyLookup struct {
	column int
	texts  []string
}

// keysOf returns the rows that a lookup asks for.
func (s *schema[R]) keysOf(l store.Lookup) (keyLookup, error) {
	var found []keyLookup
	for _, n := range []keyLookup{{s.trace, l.TraceIDs}, {s.id, l.IDs}, {s.session, l.SessionIDs}} {
		if len(n.texts) > 0 {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		return keyLookup{}, fmt.Errorf("%w: a lookup names rows in %d ways instead of one", store.ErrInvalid, len(found))
	}
	return found[0], nil
}

// nameHash is the hash of a string of a indexed column in the index.
func nameHash(project, text string) uint32 { return uint32(hashKey(project, text) >> 32) }

// eachMatch calls each for the rows of a project that have a string in a indexed column. The empty string matches no row.
func (g *rowGroup[R]) eachMatch(column int, project, text string, each func(row int)) error {
	if column == g.schema.keyColumn() && !bloomHas(g.bloom, hashKey(project, text)) {
		return nil
	}
	p, ok := g.rangeOf(project)
	if !ok || !g.has(column) {
		return nil
	}
	firsts, err := g.firstRows(column, project, text)
	if err != nil {
		return err
	}
	for n := range firsts.len() {
		first := firsts.at(n)
		if first < p.start || first >= p.end {
			continue // another project's string with the same hash
		}
		if err := g.eachOfRun(column, first, p.end, text, each); err != nil {
			return err
		}
	}
	return nil
}

// eachOfRun calls each for the rows from first on, up to the first one with a different string.
func (g *rowGroup[R]) eachOfRun(column, first, end int, text string, each func(row int)) error {
	for row := first; row < end; {
		p, err := g.page(column, row/pageRows)
		if err != nil {
			return err
		}
		for last := min(end, p.first+pageRows); row < last; row++ {
			if p.shortText(row) != text {
				return nil
			}
			each(row)
		}
	}
	return nil
}

// firstRows returns the start of each run of rows that may have the string in a indexed column.
func (g *rowGroup[R]) firstRows(column int, project, text string) (numbers, error) {
	section, err := g.namedSection(g.schema.sectionOf(column))
	if err != nil {
		return numbers{}, err
	}
	known, rest, err := readHashes(section)
	if err != nil {
		return numbers{}, err
	}
	rows, _, err := readNumbers(section, rest, len(known.low), g.rows)
	if err != nil {
		return numbers{}, err
	}
	_, first, end := known.find(nameHash(project, text))
	return rows.part(first, end), nil
}

// matchingRows returns the live rows of a row group that n selects.
func matchingRows[R any](g liveGroup[R], project string, n keyLookup) ([]int, error) {
	var rows []int
	for _, text := range n.texts {
		if err := g.eachMatch(n.column, project, text, func(row int) {
			if !g.dead.has(row) {
				rows = append(rows, row)
			}
		}); err != nil {
			return nil, err
		}
	}
	if len(rows) > 0 {
		if err := g.current(); err != nil {
			return nil, err
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows), nil
}
