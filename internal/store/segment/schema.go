package segment

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// class is how a column is stored: its type and its encoding in segments.
type class uint8

const (
	classShort    class = iota // string, usually with few distinct values: a dictionary and codes
	classID                    // string with many distinct values that is read often
	classLong                  // long string, read only when wanted: compressed pages
	classTime                  // microseconds; unset is null
	classInt                   // an integer
	classOptInt                // an integer or null
	classFloat                 // a float
	classOptFloat              // a float or null
	classBool                  // true or false
	classList                  // a list of strings: a dictionary of whole lists, each encoded as a JSON array
	classSequence              // the number of the write that stored a row: in segments, but not in the rows themselves
)

func (c class) isFloat() bool { return c == classFloat || c == classOptFloat }

func (c class) isText() bool { return c == classShort || c == classID || c == classLong }

// classes maps kinds of columns to classes.
var classes = [...]class{
	store.KindWord: classShort, store.KindText: classShort, store.KindID: classID, store.KindLong: classLong, store.KindTime: classTime,
	store.KindInt: classInt, store.KindOptInt: classOptInt, store.KindFloat: classFloat, store.KindOptFloat: classOptFloat,
	store.KindBool: classBool, store.KindList: classList,
}

// column is a column of a table.
type column[R any] struct {
	store.Column[R]
	class class
}

// schema describes a table. Columns are only ever added, at the end: the log and older segments have a prefix of them,
// and missing columns read as unset.
type schema[R any] struct {
	table   string
	columns []column[R]
	// Columns with a special meaning, as indexes into columns.
	id, trace, session, time int
	// named are the columns whose strings are indexed, those with the fewest rows per string first.
	named []int
	// long are the accessors of the long columns.
	long []func(*R) *string
	// The columns whose words are indexed, and the one whose members are.
	words    []int
	metadata int
	// sequence is the column of write numbers.
	sequence int
	// keyedByTrace means that rows are identified by trace and id together rather than by id alone.
	keyedByTrace bool
	// physical maps the id of a filter column to the columns that its value is computed from.
	physical map[string][]int
}

func (s *schema[R]) idOf(r *R) string          { return *s.columns[s.id].Text(r) }
func (s *schema[R]) traceOf(r *R) string       { return *s.columns[s.trace].Text(r) }
func (s *schema[R]) sessionOf(r *R) string     { return *s.columns[s.session].Text(r) }
func (s *schema[R]) timeOf(r *R) domain.Micros { return *s.columns[s.time].Time(r) }

// sourcesOf returns the columns that the value of a filter column is computed from.
func (s *schema[R]) sourcesOf(c *filter.Column[R]) []int {
	if !c.Derived() {
		return s.physical[c.ID()]
	}
	var sources []int
	for _, from := range c.From() {
		sources = append(sources, s.sourcesOf(from)...)
	}
	slices.Sort(sources)
	return slices.Compact(sources)
}

// keyColumn returns the column by which the rows replaced by a write are looked up.
func (s *schema[R]) keyColumn() int {
	if s.keyedByTrace {
		return s.trace
	}
	return s.id
}

// sectionOf returns the index section of a indexed column.
func (s *schema[R]) sectionOf(column int) int { return sectionNames + slices.Index(s.named, column) }

// sections returns the number of sections of an index.
func (s *schema[R]) sections() int { return s.fieldsSection() + 1 }

// fieldsSection returns the section of the metadata fields, which is the last one.
func (s *schema[R]) fieldsSection() int { return sectionNames + len(s.named) }

// positionOf returns the position of a row. The trace is included only where it is part of the key.
func (s *schema[R]) positionOf(r *R) store.Position {
	p := store.Position{Millis: s.timeOf(r).Millis(), ID: s.idOf(r)}
	if s.keyedByTrace {
		p.TraceID = s.traceOf(r)
	}
	return p
}

// positionColumns returns the columns that a position is made of.
func (s *schema[R]) positionColumns() []int {
	if s.keyedByTrace {
		return []int{s.time, s.trace, s.id}
	}
	return []int{s.time, s.id}
}

// comparePositions orders newest first.
func comparePositions(a, b store.Position) int {
	if a.Millis != b.Millis {
		return cmp.Compare(b.Millis, a.Millis)
	}
	if c := strings.Compare(b.TraceID, a.TraceID); c != 0 {
		return c
	}
	return strings.Compare(b.ID, a.ID)
}

// newSchema returns the schema of a table; the caller sets the columns with a special meaning. The column of write
// numbers comes after the column last, which was the last one when it was added.
func newSchema[R any](table, last string, columns []store.Column[R], sources map[string]string) *schema[R] {
	s := &schema[R]{table: table, physical: make(map[string][]int)}
	for _, c := range columns {
		if classes[c.Kind] == classLong {
			s.long = append(s.long, c.Text)
		}
		s.columns = append(s.columns, column[R]{c, classes[c.Kind]})
		if c.Name == last {
			s.sequence = len(s.columns)
			s.columns = append(s.columns, column[R]{store.Column[R]{Name: "sequence"}, classSequence})
		}
	}
	for id, names := range sources {
		for name := range strings.FieldsSeq(names) {
			s.physical[id] = append(s.physical[id], s.index(name))
		}
	}
	return s
}

// index returns the index of a column.
func (s *schema[R]) index(name string) int {
	n := slices.IndexFunc(s.columns, func(c column[R]) bool { return c.Name == name })
	if n < 0 {
		panic("BUG: the table " + s.table + " has no column " + name)
	}
	return n
}

// observationSchema describes the table of observations.
func observationSchema() *schema[domain.Observation] {
	s := newSchema("observations", "trace_metadata", store.ObservationColumns(), store.ObservationSources())
	s.keyedByTrace = true
	s.id, s.trace, s.session, s.time = s.index("id"), s.index("trace_id"), s.index("session_id"), s.index("start_time")
	s.named = []int{s.trace, s.id, s.session}
	s.words = []int{s.index("input"), s.index("output")}
	s.metadata = s.index("metadata")
	return s
}

// scoreSchema describes the table of scores.
func scoreSchema() *schema[domain.Score] {
	s := newSchema("scores", "browser_key", store.ScoreColumns(), store.ScoreSources())
	s.id, s.trace, s.session, s.time = s.index("id"), s.index("trace_id"), s.index("session_id"), s.index("timestamp")
	s.named = []int{s.id, s.trace, s.index("observation_id"), s.session, s.index("experiment_id")}
	s.metadata = s.index("metadata")
	return s
}
