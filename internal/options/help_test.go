package options

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func helpOf(t *testing.T, columns int, args ...string) string {
	t.Helper()
	program, _ := kitchen()
	invocation, err := Parse(program, append(args, "--help"), nothing)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := invocation.WriteHelp(&b, columns); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHelp(t *testing.T) {
	cases := []struct {
		command string
		columns int
		want    string
	}{
		{"", 80, `Usage: kitchen <command>

A kitchen.

Flags:
  -h, --help    Show context-sensitive help.

Commands:
  cook           Cook.
  shelf add      Add something.
  shelf clean    Clean it.

Run "kitchen <command> --help" for more information on a command.
`},
		{"shelf", 80, `Usage: kitchen shelf <command>

Manage the shelf.

Flags:
  -h, --help    Show context-sensitive help.

Commands:
  shelf add      Add something.
  shelf clean    Clean it.
`},
		{"shelf add", 80, `Usage: kitchen shelf add

Add something.

Flags:
  -h, --help    Show context-sensitive help.
`},
		{"cook", 50, `Usage: kitchen cook <dish> <side> [flags]

Cook.

Details of cooking.

More of them.

Arguments:
  <dish>    What to cook.
  <side>    What goes with it.

Flags:
  -h, --help             Show context-sensitive
                         help.

      --level=rare       How done: rare,medium.
                         ($ALMANAC_LEVEL)
      --salt             With salt.
                         ($ALMANAC_SALT)
      --guests=2         How many.
                         ($ALMANAC_GUESTS)
      --chairs=CHAIRS    How many.
                         ($ALMANAC_CHAIRS)
      --heat=HEAT        How hot. ($ALMANAC_HEAT)
      --time=5m          How long. ($ALMANAC_TIME)
      --fat=1KB          How much. ($ALMANAC_FAT)
      --spices=NAME,…    Any of pepper, salt.
                         ($ALMANAC_SPICES)
      --sizes=SIZES      Of plates.
                         ($ALMANAC_SIZES)
      --seed=SEED        Of chance.
                         ($ALMANAC_SEED)
      --hot=HOT          Hot. ($ALMANAC_HOT)
      --cold=COLD        Cold. ($ALMANAC_COLD)

Storage
  --dir=DIR    Where. Default: here.
               ($ALMANAC_DIR)

User
  --as-name=AS-NAME    Who. ($ALMANAC_AS_NAME)
  --as-key=AS-KEY      Key. ($ALMANAC_AS_KEY)
`},
	}
	for _, c := range cases {
		t.Run(c.command, func(t *testing.T) {
			if diff := cmp.Diff(c.want, helpOf(t, c.columns, strings.Fields(c.command)...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestHelpOfLongNames has a name that would leave too little room beside it.
func TestHelpOfLongNames(t *testing.T) {
	program := &Command{Name: "p", Options: new(struct {
		A string `help:"Short." group:"G"`
		B string `name:"a-name-that-is-longer-than-thirty" help:"Long." group:"G"`
	})}
	invocation, err := Parse(program, []string{"-h"}, nothing)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := invocation.WriteHelp(&b, 60); err != nil {
		t.Fatal(err)
	}
	want := `
G
  --a=A    Short. ($ALMANAC_A)
  --a-name-that-is-longer-than-thirty=A-NAME-THAT-IS-LONGER-THAN-THIRTY
           Long.
           ($ALMANAC_A_NAME_THAT_IS_LONGER_THAN_THIRTY)
`
	if !strings.HasSuffix(b.String(), want) {
		t.Errorf("%s lacks %s", b.String(), want)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestHelpThatCannotBeWritten(t *testing.T) {
	program, _ := kitchen()
	invocation, err := Parse(program, []string{"-h"}, nothing)
	if err != nil {
		t.Fatal(err)
	}
	if err := invocation.WriteHelp(brokenWriter{}, 80); err == nil {
		t.Error("no error")
	}
}

// TestHelpOfAnyWidth keeps every word, however few columns there are.
func TestHelpOfAnyWidth(t *testing.T) {
	words := strings.Fields(helpOf(t, 110, "cook"))
	for columns := range 120 {
		if diff := cmp.Diff(words, strings.Fields(helpOf(t, columns, "cook"))); diff != "" {
			t.Fatalf("%d columns: %s", columns, diff)
		}
	}
}

func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-zö€]{0,12}[ \n]{0,3}){0,30}`).Draw(t, "text")
		columns := rapid.IntRange(-1, 40).Draw(t, "columns")
		lines := wrap(text, columns)
		if got, want := strings.Fields(strings.Join(lines, "\n")), strings.Fields(text); !cmp.Equal(got, want) {
			t.Fatalf("%q became %q", want, got)
		}
		for n, line := range lines {
			if utf8.RuneCountInString(line) > columns && len(strings.Fields(line)) > 1 {
				t.Errorf("the line %q is longer than %d", line, columns)
			}
			if n == 0 || line == "" || lines[n-1] == "" {
				continue
			}
			first, _, _ := strings.Cut(line, " ")
			if utf8.RuneCountInString(lines[n-1]+" "+first) <= columns {
				t.Errorf("%q has room for %q", lines[n-1], first)
			}
		}
	})
}
