package main

import (
	"strings"
	"testing"
)

func TestUnderstand(t *testing.T) {
	cases := []struct {
		name, text         string
		kind, format, rows string
		insert             bool
	}{
		{"a query", "select 1", "SELECT", "", "", false},
		{"in parentheses, after comments", "/* FORMAT x */ -- y\n((SELECT 1)) format CSV", "SELECT", "CSV", "", false},
		{"a text that looks like more", `SELECT 'it\'s; FORMAT CSV', "a;b", ` + "`FORMAT TSV`", "SELECT", "", "", false},
		{"a doubled quote", "SELECT 'a''; b' FORMAT JSON SETTINGS max_threads = 1;", "SELECT", "JSON", "", false},
		{"a function of that name", "SELECT format('{}', 1) FROM t", "SELECT", "", "", false},
		{"an insert in the address", "INSERT INTO t (a, `b c`) SETTINGS x = 1 FORMAT RowBinary", "INSERT", "RowBinary", "", true},
		{"rows behind an insert", "INSERT INTO t FORMAT CSV \r\n\n1;2'\n", "INSERT", "CSV", "\n1;2'\n", true},
		{"values", "INSERT INTO t VALUES ('FORMAT CSV; x')", "INSERT", "", "", false},
		{"an insert of a query", "INSERT INTO t SELECT 1", "INSERT", "", "", false},
		{"nothing", "  ", "", "", "", false},
		{"a quote without an end", "SELECT 'a", "SELECT", "", "", false},
		{"a comment without an end", "SELECT 1 /* FORMAT CSV", "SELECT", "", "", false},
		{"no name behind the word", "SELECT 1 FORMAT", "SELECT", "", "", false},
	}
	for _, c := range cases {
		s, err := understand(c.text)
		if err != nil || s.kind != c.kind || s.format != c.format || s.insert != c.insert || s.insert && s.text[s.rest:] != c.rows {
			t.Errorf("%s: %+v, %v", c.name, s, err)
		}
		for cut := range c.text {
			_, _ = understand(c.text[cut:]) // must not panic
			_, _ = understand(c.text[:cut])
		}
	}
	for _, text := range []string{"SELECT 1; SELECT 2", "DROP TABLE a;\n-- x\nDROP TABLE b"} {
		if _, err := understand(text); err == nil || !strings.Contains(err.Error(), "Multi-statements") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := understand("SELECT 1; -- no more\n;"); err != nil {
		t.Error(err)
	}
}

func TestFailure(t *testing.T) {
	for message, want := range map[string]int{
		"Code: 62. DB::Exception: Syntax error. (SYNTAX_ERROR)":   400,
		"Code: 60. DB::Exception: Unknown table. (UNKNOWN_TABLE)": 404,
		"Code: 241. DB::Exception: (MEMORY_LIMIT_EXCEEDED)":       500,
		"something else": 500,
	} {
		if f := failureOf(message); f.status() != want || !strings.Contains(f.message, message) {
			t.Errorf("%q: status %d, %s", message, f.status(), f.message)
		}
	}
}

func TestQuoted(t *testing.T) {
	if got := quoted(`a'b\c`, '\''); got != `'a\'b\\c'` {
		t.Error(got)
	}
	if got := quoted("a`b", '`'); got != "`a\\`b`" {
		t.Error(got)
	}
}
