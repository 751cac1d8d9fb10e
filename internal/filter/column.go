package filter

import (
	"slices"

	"almanac/internal/domain"
)

// Kind is the type of values in a column. It decides which conditions fit the column and which getter reads it.
type Kind uint8

// The kinds.
const (
	Text     Kind = iota // a short text
	List                 // a list of short texts
	Number               // a number
	Time                 // a point in time
	Bool                 // true or false
	LongText             // a text of any length, which can only be compared as a whole and searched for words
	Metadata             // a JSON object, whose entries are compared
)

// String returns the name of the kind, for messages to developers.
func (k Kind) String() string {
	return [...]string{"text", "list", "number", "time", "boolean", "long text", "metadata"}[k]
}

// Column is a column of rows of type R. Columns come from a catalogue or are derived from such columns. They are
// immutable and may be compared as pointers.
type Column[R any] struct {
	id          string
	aliases     []string
	index       int
	kind        Kind
	nullable    bool
	emptyIsNull bool
	decimals    int
	from        []*Column[R] // of a derived column

	// Exactly one of these is set.
	text    func(*R) (value string, null bool)
	list    func(*R) []string
	number  func(*R) (value float64, null bool)
	boolean func(*R) bool
	time    func(*R) domain.Micros
}

// ID returns the name by which clients know the column.
func (c *Column[R]) ID() string { return c.id }

// Aliases returns other names of the column. The caller must not modify them.
func (c *Column[R]) Aliases() []string { return c.aliases }

// Index returns the column's position in its catalogue, or -1 if it is in none. Positions change between versions of
// the program, so they must not be stored.
func (c *Column[R]) Index() int { return c.index }

// Kind returns the kind of values in the column.
func (c *Column[R]) Kind() Kind { return c.kind }

// Nullable reports whether a row may have no value at all, as distinct from an empty text or zero.
func (c *Column[R]) Nullable() bool { return c.nullable }

// EmptyIsNull reports whether unset text is left out by conditions that exclude values, and is found only by conditions
// that ask for empty text.
func (c *Column[R]) EmptyIsNull() bool { return c.emptyIsNull }

// Decimals returns the number of decimals of a number that count in comparisons, or -1 if all do.
func (c *Column[R]) Decimals() int { return c.decimals }

// Text returns the text of a row, for columns of kind Text, LongText and Metadata, whose text is JSON. Null is true
// only for Nullable columns.
func (c *Column[R]) Text(row *R) (value string, null bool) {
	if c.text == nil {
		c.panicNot(Text)
	}
	return c.text(row)
}

// List returns the list of a row, for columns of kind List.
func (c *Column[R]) List(row *R) []string {
	if c.list == nil {
		c.panicNot(List)
	}
	return c.list(row)
}

// Number returns the number of a row, for columns of kind Number.
func (c *Column[R]) Number(row *R) (value float64, null bool) {
	if c.number == nil {
		c.panicNot(Number)
	}
	return c.number(row)
}

// Bool returns the boolean of a row, for columns of kind Bool.
func (c *Column[R]) Bool(row *R) bool {
	if c.boolean == nil {
		c.panicNot(Bool)
	}
	return c.boolean(row)
}

// TimeOf returns the time of a row, for columns of kind Time; 0 is null.
func (c *Column[R]) TimeOf(row *R) domain.Micros {
	if c.time == nil {
		c.panicNot(Time)
	}
	return c.time(row)
}

// Compared returns the number of a row as conditions compare it, with only the decimals that count, for columns of kind
// Number.
func (c *Column[R]) Compared(row *R) (value float64, null bool) {
	value, null = c.Number(row)
	return snap(value, c.decimals), null
}

// Snap rounds value to the decimals that count in comparisons.
func (c *Column[R]) Snap(value float64) float64 { return snap(value, c.decimals) }

// Value returns the value of a row that measures use: a number, or a time in microseconds since 1970. It is for columns
// of kind Number and Time.
func (c *Column[R]) Value(row *R) (value float64, null bool) {
	if c.kind == Time {
		at := c.TimeOf(row)
		return float64(at), at == 0
	}
	return c.Number(row)
}

func (c *Column[R]) panicNot(want Kind) {
	panic("BUG: column " + c.id + " is read as " + want.String() + " but holds " + c.kind.String())
}

// Catalogue holds all columns of rows of type R.
type Catalogue[R any] struct {
	columns []*Column[R]
	byName  map[string]*Column[R] // ids and aliases
	chosen  []string              // the names of a choice, in the order in which clients are told them
	// unlisted columns are known only to programs.
	unlisted []*Column[R]
}

// Unlisted returns the columns that stores have and clients cannot filter by. The caller must not modify the slice.
func (c *Catalogue[R]) Unlisted() []*Column[R] { return c.unlisted }

// Choose returns a catalogue of some of the columns under other names: each pair is a name and the id of the column
// that it stands for. A filter on the choice that names any other column is malformed. Conditions are on the original
// columns.
func (c *Catalogue[R]) Choose(pairs ...[2]string) *Catalogue[R] {
	choice := &Catalogue[R]{columns: c.columns, byName: make(map[string]*Column[R], len(pairs))}
	for _, pair := range pairs {
		column := c.byName[pair[1]]
		if column == nil || choice.byName[pair[0]] != nil {
			panic("BUG: " + pair[0] + " stands for no column, or for two: " + pair[1])
		}
		choice.byName[pair[0]] = column
		choice.chosen = append(choice.chosen, pair[0])
	}
	return choice
}

// Column returns the column with this id or alias. Names are case-sensitive.
func (c *Catalogue[R]) Column(name string) (*Column[R], bool) {
	column, ok := c.byName[name]
	return column, ok
}

// Columns returns all columns, each at its Index. The caller must not modify the slice.
func (c *Catalogue[R]) Columns() []*Column[R] { return c.columns }

// add adds a column to the catalogue and returns it so that the caller can refine it.
func (c *Catalogue[R]) add(column *Column[R], aliases []string) *Column[R] {
	column.aliases = slices.Clip(aliases)
	column.index = len(c.columns)
	c.columns = append(c.columns, column)
	if c.byName == nil {
		c.byName = make(map[string]*Column[R])
	}
	for _, name := range append([]string{column.id}, aliases...) {
		if c.byName[name] != nil {
			panic("BUG: two columns are called " + name)
		}
		c.byName[name] = column
	}
	return column
}

func (c *Catalogue[R]) addText(id string, get func(*R) string, aliases ...string) *Column[R] {
	return c.add(&Column[R]{id: id, kind: Text, decimals: -1, text: neverNull(get)}, aliases)
}

// addEmptyIsNull adds a text column whose unset values are left out by conditions that exclude.
func (c *Catalogue[R]) addEmptyIsNull(id string, get func(*R) string) {
	c.addText(id, get).emptyIsNull = true
}

func (c *Catalogue[R]) addNullableText(id string, get func(*R) (value string, null bool)) {
	c.add(&Column[R]{id: id, kind: Text, decimals: -1, nullable: true, text: get}, nil)
}

func (c *Catalogue[R]) addLongText(id string, get func(*R) string) {
	c.add(&Column[R]{id: id, kind: LongText, decimals: -1, text: neverNull(get)}, nil)
}

func (c *Catalogue[R]) addMetadata(id string, get func(*R) string) {
	c.add(&Column[R]{id: id, kind: Metadata, decimals: -1, text: neverNull(get)}, nil)
}

func (c *Catalogue[R]) addList(id string, get func(*R) []string, aliases ...string) {
	c.add(&Column[R]{id: id, kind: List, decimals: -1, list: get}, aliases)
}

func (c *Catalogue[R]) addTime(id string, get func(*R) domain.Micros) *Column[R] {
	return c.add(&Column[R]{id: id, kind: Time, decimals: -1, time: get}, nil)
}

// addUnlisted adds a column that clients cannot filter by.
func (c *Catalogue[R]) addUnlisted(column *Column[R]) {
	const behind = 1000 // after all listed columns
	column.decimals, column.index = -1, behind+len(c.unlisted)
	c.unlisted = append(c.unlisted, column)
}

func (c *Catalogue[R]) addBool(id string, get func(*R) bool) {
	c.add(&Column[R]{id: id, kind: Bool, decimals: -1, boolean: get}, nil)
}

func (c *Catalogue[R]) addNumber(id string, decimals int, get func(*R) float64) {
	c.add(&Column[R]{id: id, kind: Number, decimals: decimals, number: func(row *R) (float64, bool) {
		return get(row), false
	}}, nil)
}

func (c *Catalogue[R]) addNullableNumber(id string, decimals int, get func(*R) (value float64, null bool), aliases ...string) {
	c.add(&Column[R]{id: id, kind: Number, decimals: decimals, nullable: true, number: get}, aliases)
}

func neverNull[R any](get func(*R) string) func(*R) (string, bool) {
	return func(row *R) (string, bool) { return get(row), false }
}
