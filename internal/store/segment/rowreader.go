package segment

import (
	"context"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/store"
)

// rowReader fills rows from a row group. It keeps the pages it has used, so that rows near each other are cheap. It
// must be used by a single goroutine.
type rowReader[R any] struct {
	group *rowGroup[R]
	short []int // columns to fill whose pages have a fixed number of rows
	long  []int
	paged map[int]*readPages[R] // by page number
	pages [][]*decodedPage      // for each long column, by page number
	// remainingIn, if set, returns how many rows of a range will be filled, each exactly once. Pages are dropped after the
	// last of them. For pages of long columns, left counts the remaining rows.
	remainingIn func(first, end int) int
	left        [][]int
	latest      *readPages[R]
	filled      *R // the row filled last from latest: its constant fields are already set
	// narrow means that the reader reads all narrow columns. Their pages are cached together if they are used often.
	narrow bool
	// texts is a buffer for strings copied from the mapped file. Rows point into it.
	texts []byte
	// scan, if set, holds one page of each short column: a reader that passes over all rows once keeps no others.
	scan []decodedPage
	// holding, if set, accounts for the pages; decoded is the part of it that this reader has in pages of long columns.
	holding *memoryAccount
	decoded int64
	alone   bool // the holding belongs to this reader alone, which drops pages itself
}

// shortPages holds the pages of the short columns for the same rows.
type shortPages[R any] struct {
	number   int
	constant []columnPage // pages with one value for all rows
	coded    []codedPage[R]
	varying  []columnPage // all others
	position []columnPage // pages of the columns that make up a position, if the reader reads all narrow columns
}

// readPages holds short pages that a reader keeps.
type readPages[R any] struct {
	*shortPages[R]
	borrowed []*decodedPage // pages returned to the pool when these are dropped
	counted  int64          // the bytes that the holding counts for it
	left     int            // number of rows still to be filled, if the reader knows
}

type columnPage struct {
	column int
	page   *decodedPage
}

// codedPage is a page of dictionary-encoded strings, as most columns have.
type codedPage[R any] struct {
	field      func(*R) *string
	dictionary *dictionary
	codes      []int32
}

// newRowReader returns a reader of the narrow columns and the wanted long ones.
func newRowReader[R any](g *rowGroup[R], want store.Want) *rowReader[R] {
	var columns []int
	for n := range g.columns {
		if c := &g.schema.columns[n]; c.class != classSequence && (c.class != classLong || c.Want&want != 0) {
			columns = append(columns, n)
		}
	}
	r := newColumnsReader(g, columns)
	r.narrow = true
	return r
}

// newColumnsReader returns a reader of the given columns.
func newColumnsReader[R any](g *rowGroup[R], columns []int) *rowReader[R] {
	r := &rowReader[R]{group: g, paged: make(map[int]*readPages[R])}
	for _, n := range columns {
		switch {
		case !g.has(n):
		case g.schema.columns[n].class == classLong:
			r.long = append(r.long, n)
		default:
			r.short = append(r.short, n)
		}
	}
	r.pages, r.left = make([][]*decodedPage, len(r.long)), make([][]int, len(r.long))
	return r
}

// newScanReader returns a reader of the given columns that passes over rows in ascending order.
func newScanReader[R any](g *rowGroup[R], columns []int) *rowReader[R] {
	r := newColumnsReader(g, columns)
	r.scan = make([]decodedPage, len(r.short))
	return r
}

// fill sets the fields of the reader's columns. Strings share the memory of decoded pages, which is never overwritten.
// If the caller passes the same row again, it must not have changed it.
func (r *rowReader[R]) fill(row int, out *R) error {
	if r.alone && r.holding.crowded() {
		r.dropLong(out)
	}
	if err := r.turnTo(row); err != nil {
		return err
	}
	if r.filled != out {
		for _, c := range r.latest.constant {
			r.set(c, row, out)
		}
		r.filled = out
	}
	for n, at := 0, row%pageRows; n < len(r.latest.coded); n++ {
		c := &r.latest.coded[n]
		*c.field(out) = c.dictionary.text(int(c.codes[at]))
	}
	for _, c := range r.latest.varying {
		r.set(c, row, out)
		if c.page.mapped {
			text := r.group.schema.columns[c.column].Text(out)
			*text = r.keep(*text)
		}
	}
	for n, column := range r.long {
		text, err := r.longText(n, column, row)
		if err != nil {
			return err
		}
		*r.group.schema.columns[column].Text(out) = text
	}
	if r.remainingIn != nil {
		if r.latest.left--; r.latest.left == 0 {
			r.drop(r.latest)
			r.latest = nil
		}
	}
	return nil
}

// drop releases short pages. Rows filled from them stay valid.
func (r *rowReader[R]) drop(pages *readPages[R]) {
	for _, p := range pages.borrowed {
		putPage(p)
	}
	r.holding.giveBack(0, pages.counted)
	delete(r.paged, pages.number)
}

// fillPosition sets only the fields that make up a position. They are valid until the reader is closed. It requires a
// reader of all narrow columns.
func (r *rowReader[R]) fillPosition(row int, out *R) error {
	if err := r.turnTo(row); err != nil {
		return err
	}
	for _, c := range r.latest.position {
		r.set(c, row, out)
	}
	return nil
}

// turnTo makes the pages of a row the latest.
func (r *rowReader[R]) turnTo(row int) error {
	if r.latest != nil && r.latest.number == row/pageRows {
		return nil
	}
	pages, err := r.shortPages(row / pageRows)
	if err != nil {
		return err
	}
	r.latest, r.filled = pages, nil
	return nil
}

// countIn makes the reader account for its own pages, on behalf of a call.
func (r *rowReader[R]) countIn(ctx context.Context) *rowReader[R] {
	r.holding, r.alone = newMemoryAccount(ctx), true
	return r
}

// dropLong releases the pages of long columns. It clears the long strings of the last filled row, so that they do not
// keep the pages alive. Pages with rows still to come are put into the cache.
func (r *rowReader[R]) dropLong(filled *R) {
	for n, column := range r.long {
		for number, p := range r.pages[n] {
			if p != nil && r.remainingIn != nil {
				r.group.cache.put(cacheKey{r.group.id, int32(column), int32(number)}, p, p.size())
			}
		}
		clear(r.pages[n])
		*r.group.schema.columns[column].Text(filled) = ""
	}
	r.holding.giveBack(r.decoded, 0)
	r.decoded = 0
}

// close releases memory. Rows that were filled stay valid.
func (r *rowReader[R]) close() {
	r.holding.giveBack(r.decoded, 0)
	r.decoded = 0
	for _, p := range r.paged {
		r.drop(p)
	}
	r.paged, r.latest = nil, nil
}

// set sets one field.
func (r *rowReader[R]) set(from columnPage, row int, out *R) {
	c, p := &r.group.schema.columns[from.column], from.page
	at := row - p.first
	switch c.class {
	case classShort, classID:
		*c.Text(out) = p.shortText(row)
	case classList:
		*c.List(out) = p.dictionary.list(int(p.code(at)))
	case classTime:
		*c.Time(out) = domain.Micros(p.ints[at])
	case classInt:
		*c.Int(out) = p.ints[at]
	case classOptInt:
		*c.OptInt(out) = domain.OptInt{Value: p.ints[at], Set: !p.null(at)}
	case classFloat:
		*c.Float(out) = p.floats[at]
	case classOptFloat:
		*c.OptFloat(out) = domain.OptFloat{Value: p.floats[at], Set: !p.null(at)}
	case classBool:
		*c.Bool(out) = p.bits[at>>3]&(1<<(at&7)) != 0
	}
}

// keep copies a string that points into the mapped file.
func (r *rowReader[R]) keep(text string) string {
	if len(text) > cap(r.texts)-len(r.texts) {
		const room = 4 << 10
		r.texts = make([]byte, 0, max(room, len(text)))
	}
	start := len(r.texts)
	r.texts = append(r.texts, text...)
	return viewString(r.texts[start:])
}

func (p *decodedPage) code(at int) int32 {
	if len(p.codes) == 0 {
		return 0
	}
	return p.codes[at]
}

func (r *rowReader[R]) shortPages(number int) (*readPages[R], error) {
	if pages, ok := r.paged[number]; ok {
		return pages, nil
	}
	g := r.group
	read := new(readPages[R])
	if r.remainingIn != nil {
		read.left = r.remainingIn(number*pageRows, (number+1)*pageRows)
	}
	key := cacheKey{g.id, -1, int32(number)}
	if r.narrow {
		if pages, ok := g.cache.get(key); ok {
			read.shortPages = pages.(*shortPages[R]) //nolint:forcetypeassert // they have this key
			r.paged[number] = read
			return read, nil
		}
	}
	pages := &shortPages[R]{number: number}
	read.shortPages = pages
	texts := r.textsIn(number)
	if err := r.count(read, texts); err != nil {
		return nil, err
	}
	keep := g.cache.fits(texts)
	if r.narrow {
		keep = keep && r.remainingIn == nil && g.cache.shouldCache(g.id, uint64(number))
	}
	size := int64(0)
	var position []int
	if r.narrow {
		position = g.schema.positionColumns()
	}
	for n, column := range r.short {
		p, err := r.decode(n, column, keep, read)
		if err != nil {
			r.drop(read)
			return nil, err
		}
		c := &g.schema.columns[column]
		switch {
		case p.constant():
			pages.constant = append(pages.constant, columnPage{column, p})
		case p.dictionary != nil && c.class == classShort:
			pages.coded = append(pages.coded, codedPage[R]{c.Text, p.dictionary, p.codes})
		default:
			pages.varying = append(pages.varying, columnPage{column, p})
		}
		if slices.Contains(position, column) {
			pages.position = append(pages.position, columnPage{column, p})
		}
		size += p.size()
	}
	if err := r.count(read, max(0, size-texts)); err != nil {
		r.drop(read)
		return nil, err
	}
	if keep && r.narrow {
		g.cache.put(key, pages, size)
	}
	if r.scan == nil {
		r.paged[number] = read
	}
	return read, nil
}

// textsIn returns the bytes of all pages of strings with a number. Only these can be large: their strings have any
// length.
func (r *rowReader[R]) textsIn(number int) (bytes int64) {
	for _, column := range r.short {
		k, class := &r.group.chunks[column], r.group.schema.columns[column].class
		if class.isText() && !k.hasDictionary(class) {
			bytes += int64(k.pages[number].size)
		}
	}
	return bytes
}

// count takes memory for short pages. A reader that passes over all rows once keeps none.
func (r *rowReader[R]) count(pages *readPages[R], bytes int64) error {
	if r.scan != nil {
		return nil
	}
	counted, err := r.holding.takeShort(bytes)
	pages.counted += counted
	return err
}

// decode returns a page of a column, in newly allocated memory if it is to be cached, else reusing memory.
func (r *rowReader[R]) decode(n, column int, keep bool, into *readPages[R]) (*decodedPage, error) {
	number := into.number
	switch {
	case r.scan != nil:
		return r.group.scanPage(column, number, &r.scan[n])
	case keep && !r.narrow:
		return r.group.page(column, number)
	case keep:
		p := new(decodedPage)
		err := r.group.decodePage(column, number, p)
		p.own()
		return p, err
	}
	p := getPage()
	into.borrowed = append(into.borrowed, p)
	return p, r.group.decodePage(column, number, p)
}

func (r *rowReader[R]) longText(n, column, row int) (string, error) {
	k := &r.group.chunks[column]
	if k.codes == 1 {
		return "", nil // all of them are empty
	}
	number := k.pageOf(row)
	if r.pages[n] == nil {
		r.pages[n], r.left[n] = make([]*decodedPage, len(k.pages)), make([]int, len(k.pages))
	}
	size := k.pages[number].memory()
	p := r.pages[n][number]
	if p == nil {
		err := r.holding.takeLong(size)
		if err != nil {
			return "", err
		}
		r.decoded += size
		if p, err = r.longPage(n, column, number); err != nil {
			return "", err
		}
		r.pages[n][number] = p
	}
	if r.remainingIn != nil {
		if r.left[n][number]--; r.left[n][number] == 0 {
			r.pages[n][number] = nil
			r.holding.giveBack(size, 0)
			r.decoded -= size
		}
	}
	return p.text(row), nil
}

// longPage decodes a page of a long column. A page that is dropped after its last row is not cached.
func (r *rowReader[R]) longPage(n, column, number int) (*decodedPage, error) {
	if r.remainingIn == nil {
		return r.group.page(column, number)
	}
	p, err := r.group.scanPage(column, number, new(decodedPage))
	if err == nil && r.left[n][number] == 0 {
		r.left[n][number] = r.remainingIn(p.first, r.group.pageEnd(column, number))
	}
	return p, err
}
