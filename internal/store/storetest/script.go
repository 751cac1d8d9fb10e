package storetest

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"almanac/internal/domain"
	"almanac/internal/filter"
	"almanac/internal/store"
)

//go:embed testdata/*.script
var scripts embed.FS

// RunScripts runs the query scripts in testdata. A script loads rows and states which of them queries find, in order:
//
//	load observations
//	  a @12:00:00 name="chat" tags=["red"]
//	  t2/b @12:00:01 endTime=12:00:02.5
//
//	expect latency > 1 and name = "" limit 5
//	  t2/b
//
//	expect name matches "chat"
//	  refused
//
// Rows are named by their id, or by trace id and id separated by a slash; rows without a trace id are in the trace "t".
// Fields are named as in package domain and hold JSON, or else a single word. Times without a date are on a fixed day.
// A query has conditions, followed by any of "from" and "to" with a time, "after" with the name of a row and "limit"
// with a number. Below it are the names of the rows that it finds, "nothing" if it finds none, or "refused" if the
// condition is invalid. A row that is loaded again replaces the previous one.
//
// Each script runs three times: with rows as written, with all rows flushed, and on a reopened store. On a Remote store
// it runs once.
func RunScripts(t *testing.T, open Opener) {
	files, err := fs.Glob(scripts, "testdata/*.script")
	if err != nil {
		t.Fatal(err)
	}
	remote := false
	for _, file := range files {
		text, err := fs.ReadFile(scripts, file)
		if err != nil {
			t.Fatal(err)
		}
		statements, err := parseScript(string(text))
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, mode := range []struct {
			name string
			do   func(f *fixture, t *testing.T)
		}{
			{"as written", func(*fixture, *testing.T) {}},
			{"flushed", (*fixture).flush},
			{"opened again", (*fixture).reopen},
		} {
			if remote && mode.name != "as written" {
				continue
			}
			t.Run(strings.TrimSuffix(path.Base(file), ".script")+", "+mode.name, func(t *testing.T) {
				f := newFixture(t, open)
				remote = f.remote()
				runScript(t, f, file, statements, mode.do)
			})
		}
	}
}

// statement is a line that starts in the first column and the indented lines below it.
type statement struct {
	line int
	verb string // load or expect
	rest string
	body []string
}

func parseScript(text string) ([]statement, error) {
	var all []statement
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case line != strings.TrimLeft(line, " \t"):
			if len(all) == 0 {
				return nil, fmt.Errorf("line %d belongs to nothing", i+1)
			}
			last := &all[len(all)-1]
			last.body = append(last.body, trimmed)
		default:
			verb, rest, _ := strings.Cut(trimmed, " ")
			if verb != "load" && verb != "expect" {
				return nil, fmt.Errorf("line %d starts with %q", i+1, verb)
			}
			all = append(all, statement{line: i + 1, verb: verb, rest: rest})
		}
	}
	return all, nil
}

// scriptTable is the table that statements apply to: the one loaded last.
type scriptTable interface {
	load(t *testing.T, rows []string) error
	find(t *testing.T, query string) (names []string, err error)
}

func runScript(t *testing.T, f *fixture, file string, statements []statement, afterLoad func(*fixture, *testing.T)) {
	tables := map[string]scriptTable{
		"observations": &loaded[domain.Observation]{fixture: f, kind: observations(), rows: map[string]domain.Observation{}},
		"scores":       &loaded[domain.Score]{fixture: f, kind: scores(), rows: map[string]domain.Score{}},
	}
	var current scriptTable
	for _, s := range statements {
		where := fmt.Sprintf("%s:%d", file, s.line)
		if s.verb == "load" {
			if current = tables[s.rest]; current == nil {
				t.Fatalf("%s: there are no %s", where, s.rest)
			}
			if err := current.load(t, s.body); err != nil {
				t.Fatalf("%s: %v", where, err)
			}
			afterLoad(f, t)
			continue
		}
		if current == nil {
			t.Fatalf("%s: nothing is loaded", where)
		}
		names, err := current.find(t, s.rest)
		got := strings.Join(names, " ")
		switch {
		case errors.Is(err, errRefused):
			got = "refused"
		case err != nil:
			t.Fatalf("%s: %v", where, err)
		case got == "":
			got = "nothing"
		}
		if want := strings.Join(strings.Fields(strings.Join(s.body, " ")), " "); got != want {
			t.Errorf("%s: %s\nfinds %s\nwant  %s", where, s.rest, got, want)
		}
	}
}

// loaded is a table and the rows that a script loaded into it, by name.
type loaded[R any] struct {
	*fixture
	*kind[R]
	rows map[string]R
}

func (l *loaded[R]) load(t *testing.T, lines []string) error {
	var rows []R
	for _, line := range lines {
		name, row, err := l.parseRow(line)
		if err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		l.rows[name] = row
		rows = append(rows, row)
	}
	return appendTo(t.Context(), l.table(l.store), projectScope(mine), rows)
}

func (l *loaded[R]) find(t *testing.T, query string) ([]string, error) {
	q, err := l.parseQuery(query)
	if err != nil {
		return nil, err
	}
	rows, err := collect(l.table(l.store).Scan(t.Context(), projectScope(mine), q))
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range rows {
		names = append(names, l.nameOf(&rows[i]))
	}
	return names, nil
}

// nameOf returns the name of a row in the script.
func (l *loaded[R]) nameOf(row *R) string {
	for name, candidate := range l.rows {
		if l.key(&candidate) == l.key(row) {
			return name
		}
	}
	return "(unknown row " + describe(row) + ")"
}

// parseRow parses a row: its name, its time, its fields.
func (l *loaded[R]) parseRow(line string) (string, R, error) {
	var row R
	s := scanner{line}
	name := s.word()
	traceID, id, ok := strings.Cut(name, "/")
	if !ok {
		traceID, id = "t", name
	}
	when, err := parseTime(strings.TrimPrefix(s.word(), "@"))
	if err != nil {
		return "", row, err
	}
	row = l.row(traceID, id, when)
	for !s.end() {
		field := s.until("=")
		value, err := s.value()
		if err == nil {
			err = setField(&row, field, value)
		}
		if err != nil {
			return "", row, fmt.Errorf("%s: %w", field, err)
		}
	}
	return name, row, nil
}

// errRefused marks conditions that package filter rejects.
var errRefused = errors.New("refused")

func (l *loaded[R]) parseQuery(line string) (store.Query[R], error) {
	var q store.Query[R]
	s := scanner{line}
	for !s.end() {
		var err error
		switch word := s.word(); word {
		case "and":
		case "from":
			q.From, err = parseTime(s.word())
		case "to":
			q.To, err = parseTime(s.word())
		case "limit":
			_, err = fmt.Sscan(s.word(), &q.Limit)
		case "after":
			name := s.word()
			row, ok := l.rows[name]
			if !ok {
				err = fmt.Errorf("no row is called %s", name)
			}
			after := l.position(&row)
			q.After = &after
		default:
			var c filter.Condition[R]
			c, err = l.parseCondition(word, &s)
			q.Where = append(q.Where, c)
		}
		if err != nil {
			return q, err
		}
	}
	return q, nil
}

// operators are the operators of conditions, longest first, so that one that is a prefix of another does not hide it.
var operators = slices.SortedFunc(slices.Values([]filter.Operator{
	filter.Equal, filter.NotEqual, filter.Greater, filter.Less, filter.GreaterEqual, filter.LessEqual, filter.Contains,
	filter.DoesNotContain, filter.StartsWith, filter.EndsWith, filter.Matches, filter.AnyOf, filter.NoneOf, filter.AllOf,
	filter.IsNull, filter.IsNotNull,
}), func(a, b filter.Operator) int { return len(b) - len(a) })

// parseCondition parses the rest of a condition: the key if the column is metadata, the operator and the value.
func (l *loaded[R]) parseCondition(id string, s *scanner) (c filter.Condition[R], err error) {
	column, ok := l.catalogue.Column(id)
	if !ok {
		return c, fmt.Errorf("no column is called %s", id)
	}
	key := ""
	operator, ok := s.operator()
	if !ok {
		key = s.word()
		if operator, ok = s.operator(); !ok {
			return c, fmt.Errorf("no operator follows %s", id)
		}
	}
	switch operator {
	case filter.IsNull, filter.IsNotNull:
		c, err = filter.NewNull(column, operator == filter.IsNull)
	default:
		c, err = parseComparison(column, key, operator, s)
	}
	if err != nil && !errors.Is(err, errSyntax) {
		err = fmt.Errorf("%w: %w", errRefused, err)
	}
	return c, err
}

// parseComparison parses a value, whose type determines the kind of condition.
func parseComparison[R any](column *filter.Column[R], key string, operator filter.Operator, s *scanner) (filter.Condition[R], error) {
	raw, err := s.value()
	if err != nil {
		return filter.Condition[R]{}, err
	}
	if at, err := parseTime(raw); err == nil {
		return filter.NewTime(column, operator, at)
	}
	value, err := parseJSON(raw)
	if err != nil {
		return filter.Condition[R]{}, err
	}
	inMetadata := key != ""
	switch value := value.(type) {
	case string:
		if inMetadata {
			return filter.NewMetadataText(column, operator, key, value)
		}
		return filter.NewText(column, operator, value)
	case float64:
		if inMetadata {
			return filter.NewMetadataNumber(column, operator, key, value)
		}
		return filter.NewNumber(column, operator, value)
	case bool:
		if inMetadata {
			return filter.NewMetadataBool(column, operator, key, value)
		}
		return filter.NewBool(column, operator, value)
	case []string:
		return filter.NewTexts(column, operator, value)
	}
	return filter.Condition[R]{}, fmt.Errorf("%w: a condition has no value like %s", errSyntax, raw)
}
