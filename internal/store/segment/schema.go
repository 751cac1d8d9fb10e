package segment

import (
	"cmp"
	"slices"
	"strings"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

// class says how a column is kept: what type it has and how it is encoded in segments.
type class uint8

const (
	classShort    class = iota // text with few different values, mostly: a dictionary and codes
	classID                    // text with many different values that is read often
	classLong                  // text that is long and read only when it is wanted: compressed pages
	classTime                  // microseconds; unset is null
	classInt                   // an integer
	classOptInt                // an integer or null
	classFloat                 // a number
	classOptFloat              // a number or null
	classBool                  // true or false
	classList                  // a list of texts: a dictionary of whole lists, each written as a JSON array
	classSequence              // the number of the write that a row came with: segments have it, rows themselves do not
)

func (c class) isFloat() bool { return c == classFloat || c == classOptFloat }

func (c class) isText() bool { return c == classShort || c == classID || c == classLong }

// classes gives the class of each kind of column.
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
// and what they lack reads as unset.
type schema[R any] struct {
	table   string
	columns []column[R]
	// Columns with a meaning of their own, as indexes into columns.
	id, trace, session, time int
	// named are the columns whose texts the index knows, those with the fewest rows to a text first.
	named []int
	// long are the long texts of a row.
	long []func(*R) *string
	// Columns whose words are indexed, and the one whose members are.
	words    []int
	metadata int
	// sequence is the column of the numbers of writes.
	sequence int
	// keyedByTrace says that rows are identified by their trace and id together, not by their id alone.
	keyedByTrace bool
	// physical gives, by the id of a filter's column, the columns that its value is made of.
	physical map[string][]int
}

func (s *schema[R]) idOf(r *R) string          { return *s.columns[s.id].Text(r) }
func (s *schema[R]) traceOf(r *R) string       { return *s.columns[s.trace].Text(r) }
func (s *schema[R]) sessionOf(r *R) string     { return *s.columns[s.session].Text(r) }
func (s *schema[R]) timeOf(r *R) domain.Micros { return *s.columns[s.time].Time(r) }

// sourcesOf returns the columns that the value of a filter's column is made of.
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

// keyColumn is the column by which rows are looked for that a write replaces.
func (s *schema[R]) keyColumn() int {
	if s.keyedByTrace {
		return s.trace
	}
	return s.id
}

// sectionOf is the section of the index that a named column has.
func (s *schema[R]) sectionOf(column int) int { return sectionNames + slices.Index(s.named, column) }

// sections is how many sections an index has.
func (s *schema[R]) sections() int { return s.fieldsSection() + 1 }

// fieldsSection is the section that has the fields of metadata, the last.
func (s *schema[R]) fieldsSection() int { return sectionNames + len(s.named) }

// positionOf returns a row's place in the order, in which the trace counts only where it is part of the key.
func (s *schema[R]) positionOf(r *R) store.Position {
	p := store.Position{Millis: s.timeOf(r).Millis(), ID: s.idOf(r)}
	if s.keyedByTrace {
		p.TraceID = s.traceOf(r)
	}
	return p
}

// positionColumns are the columns that a position is made of.
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

// newSchema returns the schema of a table, without the columns that have a meaning of their own. The column of the numbers of writes
// has its place behind the one that was the last when it was added.
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

// index finds a column by its name.
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
