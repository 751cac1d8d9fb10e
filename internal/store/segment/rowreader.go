package segment

import (
	"almanac/internal/domain"
	"almanac/internal/store"
)

// rowReader fills rows from a row group. It keeps the pages it has used, so rows near each other cost little. It is
// used by one goroutine.
type rowReader[R any] struct {
	group  *rowGroup[R]
	short  []int // the columns to fill that have pages of equal length
	long   []int
	paged  map[int][]*decodedPage // by page number: the pages of the short columns
	pages  [][]*decodedPage       // by page number of each long column
	latest struct {
		number int
		pages  []*decodedPage
	}
}

// newRowReader returns a reader of the narrow columns and of the long ones that are wanted.
func newRowReader[R any](g *rowGroup[R], want store.Want) *rowReader[R] {
	var columns []int
	for n := range g.columns {
		if c := &g.schema.columns[n]; c.class != classLong || c.want&want != 0 {
			columns = append(columns, n)
		}
	}
	return newColumnsReader(g, columns)
}

// newColumnsReader returns a reader of some columns.
func newColumnsReader[R any](g *rowGroup[R], columns []int) *rowReader[R] {
	r := &rowReader[R]{group: g, paged: make(map[int][]*decodedPage)}
	r.latest.number = -1
	for _, n := range columns {
		switch {
		case !g.has(n):
		case g.schema.columns[n].class == classLong:
			r.long = append(r.long, n)
		default:
			r.short = append(r.short, n)
		}
	}
	r.pages = make([][]*decodedPage, len(r.long))
	return r
}

// fill sets the fields of the reader's columns. Texts share the memory of decoded pages, which is never written again.
func (r *rowReader[R]) fill(row int, out *R) error {
	pages, err := r.shortPages(row / pageRows)
	if err != nil {
		return err
	}
	for n, p := range pages {
		c := &r.group.schema.columns[r.short[n]]
		at := row - p.first
		switch c.class {
		case classShort:
			*c.text(out) = p.dictionary.texts[p.code(at)]
		case classList:
			*c.list(out), _ = readList(p.dictionary.texts[p.code(at)]) // written by us, and checksummed
		case classID:
			*c.text(out) = p.text(row)
		case classTime:
			*c.time(out) = domain.Micros(p.ints[at])
		case classInt:
			*c.int(out) = p.ints[at]
		case classOptInt:
			*c.optI(out) = domain.OptInt{Value: p.ints[at], Set: !p.null(at)}
		case classFloat:
			*c.float(out) = p.floats[at]
		case classOptFloat:
			*c.optF(out) = domain.OptFloat{Value: p.floats[at], Set: !p.null(at)}
		case classBool:
			*c.bool(out) = p.bits[at>>3]&(1<<(at&7)) != 0
		}
	}
	for n, column := range r.long {
		text, err := r.longText(n, column, row)
		if err != nil {
			return err
		}
		*r.group.schema.columns[column].text(out) = text
	}
	return nil
}

func (p *decodedPage) code(at int) int32 {
	if len(p.codes) == 0 {
		return 0
	}
	return p.codes[at]
}

func (r *rowReader[R]) shortPages(number int) ([]*decodedPage, error) {
	if r.latest.number == number {
		return r.latest.pages, nil
	}
	pages, ok := r.paged[number]
	if !ok {
		pages = make([]*decodedPage, len(r.short))
		for n, column := range r.short {
			p, err := r.group.page(column, number)
			if err != nil {
				return nil, err
			}
			pages[n] = p
		}
		r.paged[number] = pages
	}
	r.latest.number, r.latest.pages = number, pages
	return pages, nil
}

func (r *rowReader[R]) longText(n, column, row int) (string, error) {
	k := &r.group.chunks[column]
	if k.codes == 1 {
		return "", nil // all of them are
	}
	number := k.pageOf(row)
	if r.pages[n] == nil {
		r.pages[n] = make([]*decodedPage, len(k.pages))
	}
	p := r.pages[n][number]
	if p == nil {
		var err error
		if p, err = r.group.page(column, number); err != nil {
			return "", err
		}
		r.pages[n][number] = p
	}
	return p.text(row), nil
}
