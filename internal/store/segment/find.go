package segment

import (
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// textIs says whether a text column has this value in a row.
func (g *rowGroup[R]) textIs(column, row int, value string) (bool, error) {
	number := row / pageRows
	p, err := g.page(column, number)
	if err != nil {
		return false, err
	}
	if g.schema.columns[column].class == classShort {
		return p.dictionary.texts[p.code(row-p.first)] == value, nil
	}
	return p.text(row) == value, nil
}

// eachOfTrace calls each with the rows of a trace.
func (g *rowGroup[R]) eachOfTrace(project, trace string, each func(row int)) error {
	hash := hashKey(project, trace)
	if g.schema.keyedByTrace && !bloomHas(g.bloom, hash) {
		return nil
	}
	section, err := g.namedSection(sectionTraces)
	if err != nil {
		return err
	}
	if len(section) < 8 {
		return errPage
	}
	count := int(binary.LittleEndian.Uint64(section))
	hashes, rest, err := arrayOf[uint64](section[8:], count)
	if err != nil {
		return err
	}
	firsts, rest, err := arrayOf[uint32](rest, count)
	if err != nil {
		return err
	}
	counts, _, err := arrayOf[uint32](rest, count)
	if err != nil {
		return err
	}
	p, ok := g.rangeOf(project)
	if !ok {
		return nil
	}
	n, _ := slices.BinarySearch(hashes, hash)
	for ; n < count && hashes[n] == hash; n++ {
		first := int(firsts[n])
		if first < p.start || first >= p.end {
			continue // of another project
		}
		if same, err := g.textIs(g.schema.trace, first, trace); err != nil {
			return err
		} else if !same {
			continue // another trace with the same hash
		}
		for row := first; row < first+int(counts[n]); row++ {
			each(row)
		}
	}
	return nil
}

// eachOfID calls each with the rows that have an id.
func (g *rowGroup[R]) eachOfID(project, id string, each func(row int)) error {
	if !g.schema.keyedByTrace && !bloomHas(g.bloom, hashKey(project, id)) {
		return nil
	}
	rows, err := g.pairs(sectionIDs, idHash(project, id))
	if err != nil {
		return err
	}
	p, ok := g.rangeOf(project)
	if !ok {
		return nil
	}
	for _, row := range rows {
		if int(row) < p.start || int(row) >= p.end {
			continue // of another project
		}
		if same, err := g.textIs(g.schema.id, int(row), id); err != nil {
			return err
		} else if same {
			each(int(row))
		}
	}
	return nil
}

// eachOfSession calls each with the rows of a session.
func (g *rowGroup[R]) eachOfSession(project, session string, each func(row int)) error {
	p, ok := g.rangeOf(project)
	if !ok || !g.has(g.schema.session) {
		return nil
	}
	codes, err := g.pairs(sectionSession, uint32(xxhash.Sum64String(session)>>32))
	if err != nil || len(codes) == 0 {
		return err
	}
	d, err := g.dictionaryOf(g.schema.session)
	if err != nil {
		return err
	}
	for _, code := range codes {
		if int(code) >= len(d.texts) || d.texts[code] != session {
			continue
		}
		for number := p.start / pageRows; number*pageRows < p.end; number++ {
			page, err := g.page(g.schema.session, number)
			if err != nil {
				return err
			}
			for row := max(p.start, page.first); row < min(p.end, page.first+pageRows); row++ {
				if page.code(row-page.first) == int32(code) {
					each(row)
				}
			}
		}
	}
	return nil
}

// pairs returns the numbers that a section of pairs has for a hash.
func (g *rowGroup[R]) pairs(section int, hash uint32) ([]uint32, error) {
	b, err := g.namedSection(section)
	if err != nil {
		return nil, err
	}
	if len(b) < 8 {
		return nil, errPage
	}
	count := int(binary.LittleEndian.Uint64(b))
	hashes, rest, err := arrayOf[uint32](b[8:], count)
	if err != nil {
		return nil, err
	}
	numbers, _, err := arrayOf[uint32](rest, count)
	if err != nil {
		return nil, err
	}
	first, _ := slices.BinarySearch(hashes, hash)
	end := first
	for end < count && hashes[end] == hash {
		end++
	}
	return numbers[first:end], nil
}
