package options

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// size is a type that reads itself.
type size int

func (s *size) UnmarshalText(text []byte) error {
	if _, err := fmt.Sscanf(string(text), "%dKB", s); err != nil {
		return fmt.Errorf("%q is not a size", text)
	}
	*s *= 1024
	return nil
}

type secret string

func (s secret) Reveal() string { return string(s) }

// Place is exported because a field that is embedded must be.
type Place struct {
	Dir string `help:"Where." default:"here" placeholder:"DIR" group:"Storage"`
}

func (p *Place) Validate() error {
	if p.Dir == "nowhere" {
		return errors.New("--dir is nowhere")
	}
	return nil
}

type account struct {
	Name string `help:"Who." also:"OTHER_NAME" group:"User"`
	Key  secret `help:"Key." group:"User"`
}

type cookOptions struct {
	Place   `embed:""`
	Account account       `embed:"" prefix:"as-"`
	Dish    string        `arg:"" help:"What to cook."`
	Side    string        `arg:"" help:"What goes with it."`
	Level   string        `help:"How done: ${enum}." enum:"rare,medium" default:"rare"`
	Salt    bool          `help:"With salt."`
	Guests  int           `help:"How many." default:"2"`
	Chairs  uint8         `help:"How many."`
	Heat    float64       `help:"How hot."`
	Time    time.Duration `help:"How long." default:"5m"`
	Fat     size          `help:"How much." default:"1KB"`
	Spices  []string      `help:"Any of ${spices}." placeholder:"NAME,…"`
	Sizes   []int         `help:"Of plates."`
	Seed    *uint64       `help:"Of chance."`
	Hot     string        `help:"Hot." xor:"warmth"`
	Cold    string        `help:"Cold." xor:"warmth"`
	Inner   string        `help:"Not shown." hidden:""`
	_       string
}

func (*cookOptions) Help() string { return "Details of cooking.\n\nMore of them." }

// kitchen is a program with all that there can be.
func kitchen() (*Command, *cookOptions) {
	o := new(cookOptions)
	return &Command{Name: "kitchen", Summary: "A kitchen.", Commands: []*Command{
		{Name: "cook", Summary: "Cook.", Options: o, Words: map[string]string{"spices": "pepper, salt"}},
		{Name: "shelf", Summary: "Manage the shelf.", Commands: []*Command{
			{Name: "add", Summary: "Add something."}, {Name: "clean", Summary: "Clean it."},
		}},
	}}, o
}

// nothing is what is found in no environment.
func nothing(*Option) (string, bool, error) { return "", false, nil }

// from finds options in a map, by their first variable.
func from(values map[string]string) Lookup {
	return func(o *Option) (string, bool, error) {
		value, found := values[o.Variables[0]]
		return value, found, nil
	}
}

func TestParse(t *testing.T) {
	defaults := func(change func(*cookOptions)) cookOptions {
		o := cookOptions{
			Place: Place{Dir: "here"}, Dish: "soup", Side: "bread", Level: "rare", Guests: 2, Time: 5 * time.Minute, Fat: 1024,
		}
		change(&o)
		return o
	}
	cases := []struct {
		name   string
		args   string
		lookup map[string]string
		want   cookOptions
	}{
		{"defaults", "cook soup bread", nil, defaults(func(*cookOptions) {})},
		{"a value behind an equals sign", "cook --dir=a=b soup bread", nil, defaults(func(o *cookOptions) { o.Dir = "a=b" })},
		{"a value behind a space", "cook --dir there soup bread", nil, defaults(func(o *cookOptions) { o.Dir = "there" })},
		{"an empty value", "cook soup bread --dir=", nil, defaults(func(o *cookOptions) { o.Dir = "" })},
		{"a dash as a value", "cook soup - --dir -", nil, defaults(func(o *cookOptions) { o.Side, o.Dir = "-", "-" })},
		{"the last value counts", "cook soup bread --dir=a --dir=b", nil, defaults(func(o *cookOptions) { o.Dir = "b" })},
		{"options between arguments", "cook soup --salt bread", nil, defaults(func(o *cookOptions) { o.Salt = true })},
		{"a switch that is off", "cook soup bread --salt --salt=No", nil, defaults(func(*cookOptions) {})},
		{"arguments that look like options", "cook --dir=x -- --salt -h", nil, defaults(func(o *cookOptions) { o.Dir, o.Dish, o.Side = "x", "--salt", "-h" })},
		{"a command behind two dashes", "-- cook soup bread", nil, defaults(func(*cookOptions) {})},
		{"numbers", "cook soup bread --guests=-3 --chairs=0x10 --heat=1e2 --seed=7", nil, defaults(func(o *cookOptions) {
			o.Guests, o.Chairs, o.Heat, o.Seed = -3, 16, 100, new(uint64(7))
		})},
		{"a duration and a size", "cook soup bread --time=90s --fat=2KB", nil, defaults(func(o *cookOptions) { o.Time, o.Fat = 90*time.Second, 2048 })},
		{"lists grow", "cook soup bread --spices=salt,\u00a0pepper --spices dill --sizes=1,2", nil, defaults(func(o *cookOptions) {
			o.Spices, o.Sizes = []string{"salt", "pepper", "dill"}, []int{1, 2}
		})},
		{"names with a prefix", "cook soup bread --as-name=Ada --as-key=x", nil, defaults(func(o *cookOptions) { o.Account = account{"Ada", "x"} })},
		{"looked up", "cook soup bread", map[string]string{"ALMANAC_DIR": "", "ALMANAC_SALT": "yes", "ALMANAC_AS_NAME": "Ada"}, defaults(func(o *cookOptions) {
			o.Dir, o.Salt, o.Account.Name = "", true, "Ada"
		})},
		{"a flag wins", "cook soup bread --dir=flag --spices=a", map[string]string{"ALMANAC_DIR": "variable", "ALMANAC_SPICES": "b"}, defaults(func(o *cookOptions) {
			o.Dir, o.Spices = "flag", []string{"a"}
		})},
		{"no variable is an argument", "cook soup bread", map[string]string{"ALMANAC_DISH": "cake"}, defaults(func(*cookOptions) {})},
		{"hidden", "cook soup bread --inner=x", nil, defaults(func(o *cookOptions) { o.Inner = "x" })},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			program, got := kitchen()
			invocation, err := Parse(program, strings.Split(c.args, " "), from(c.lookup))
			if err != nil {
				t.Fatal(err)
			}
			if invocation.Help || invocation.Command().Name != "cook" {
				t.Errorf("help %v, command %s", invocation.Help, invocation.Command().Name)
			}
			if diff := cmp.Diff(c.want, *got, cmp.AllowUnexported(cookOptions{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	cases := []struct {
		args   string
		lookup map[string]string
		want   string
	}{
		{"", nil, `expected one of "cook", "shelf"`},
		{"bake", nil, "unexpected argument bake"},
		{"cok", nil, `unexpected argument cok, did you mean "cook"?`},
		{"shelf", nil, `expected one of "add", "clean"`},
		{"shelf add much", nil, "unexpected argument much"},
		{"shelf --dir=x add", nil, "unknown flag --dir"},
		{"--dir=x cook soup bread", nil, "unknown flag --dir"},
		{"cook", nil, `expected "<dish>"`},
		{"cook soup", nil, `expected "<side>"`},
		{"cook soup bread wine", nil, "unexpected argument wine"},
		{"cook soup bread --dri=x", nil, `unknown flag --dri, did you mean "--dir"?`},
		{"cook soup bread --gust=x", nil, `unknown flag --gust, did you mean "--guests"?`},
		{"cook soup bread --s", nil, `unknown flag --s, did you mean one of "--salt", "--spices", "--sizes", "--seed"?`},
		{"cook soup bread -dir=secret", nil, `unknown flag -dir, did you mean "--dir"?`},
		{"cook soup bread -x", nil, "unknown flag -x"},
		{"cook soup bread --", nil, ""},
		{"cook soup bread --=x", nil, "unknown flag --"},
		{"cook soup bread ---dir=x", nil, `unknown flag ---dir, did you mean "--dir"?`},
		{"cook soup bread --dish=x", nil, `unknown flag --dish, did you mean "--dir"?`},
		{"cook soup bread --account=x", nil, "unknown flag --account"},
		{"cook soup bread --dir", nil, "--dir needs a value: --dir=DIR"},
		{"cook soup bread --guests -3", nil, "--guests needs a value: --guests=2"},
		{"cook soup bread --as-key -planted", nil, "--as-key needs a value: --as-key=AS-KEY"},
		{"cook soup bread --spices --salt", nil, "--spices needs a value: --spices=NAME,…"},
		{"cook soup bread --spices=", nil, `--spices: "" is not a list such as a,b,c`},
		{"cook soup bread --spices=a,,b", nil, `--spices: "a,,b" is not a list such as a,b,c`},
		{"cook soup bread --sizes=1,x", nil, `--sizes: "x" is not a whole number`},
		{"cook soup bread --salt yes", nil, "unexpected argument yes"},
		{"cook soup bread --salt=maybe", nil, `--salt: "maybe" is neither true (or yes, 1) nor false (or no, 0)`},
		{"cook soup bread --guests=1.5", nil, `--guests: "1.5" is not a whole number`},
		{"cook soup bread --guests=", nil, `--guests: "" is not a whole number`},
		{"cook soup bread --chairs=-1", nil, `--chairs: "-1" is not a whole number of 0 or more`},
		{"cook soup bread --chairs=256", nil, `--chairs: "256" is too large`},
		{"cook soup bread --seed=x", nil, `--seed: "x" is not a whole number of 0 or more`},
		{"cook soup bread --heat=very", nil, `--heat: "very" is not a number`},
		{"cook soup bread --time=5", nil, `--time: "5" is not a duration such as 500ms, 20s or 5m`},
		{"cook soup bread --fat=much", nil, `--fat: "much" is not a size`},
		{"cook soup bread --level=done", nil, `--level must be one of rare, medium, not "done"`},
		{"cook soup bread --level=", nil, `--level must be one of rare, medium, not ""`},
		{"cook soup bread", map[string]string{"ALMANAC_LEVEL": "done"}, `--level must be one of rare, medium, not "done"`},
		{"cook soup bread", map[string]string{"ALMANAC_GUESTS": "many"}, `--guests: "many" is not a whole number`},
		{"cook soup bread --hot=a --cold=b", nil, "--hot and --cold can't be used together"},
		{"cook soup bread --cold=b", map[string]string{"ALMANAC_HOT": "a"}, "--hot and --cold can't be used together"},
		{"cook soup bread --dir=nowhere", nil, "cook: --dir is nowhere"},
		{"cook soup bread --help=maybe", nil, `--help: "maybe" is neither true (or yes, 1) nor false (or no, 0)`},
		{"--help bake", nil, "unexpected argument bake"},
		{"cook --help --nothing", nil, "unknown flag --nothing"},
		{"cook -hx", nil, "unknown flag -hx"},
	}
	for _, c := range cases {
		t.Run(c.args, func(t *testing.T) {
			program, _ := kitchen()
			var args []string
			if c.args != "" {
				args = strings.Split(c.args, " ")
			}
			_, err := Parse(program, args, from(c.lookup))
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestParseTellsWhatCannotBeLookedUp(t *testing.T) {
	program, _ := kitchen()
	_, err := Parse(program, []string{"cook", "soup", "bread"}, func(o *Option) (string, bool, error) {
		if o.Secret {
			return "", false, errors.New("the file is gone")
		}
		return "", false, nil
	})
	if err == nil || err.Error() != "--as-key: the file is gone" {
		t.Error(err)
	}
}

func TestHelpIsAskedFor(t *testing.T) {
	for args, want := range map[string]string{
		"--help": "kitchen", "-h": "kitchen", "cook --help": "cook", "--help cook": "cook", "-h shelf": "shelf", "shelf add -h": "add",
		"cook --guests=1 soup -h": "cook", "--help=yes": "kitchen",
	} {
		program, _ := kitchen()
		invocation, err := Parse(program, strings.Fields(args), nothing)
		if err != nil || !invocation.Help || invocation.Command().Name != want {
			t.Errorf("%s: %+v, %v", args, invocation, err)
		}
	}
}

// FuzzParse looks for arguments that make the reader panic, or that it accepts without an argument that is needed.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "cook\nsoup\nbread", "cook\n--dir\nx", "--\ncook", "shelf\nadd", "-h", "cook\n--spices=a,b\n-", "cook\n--seed=18446744073709551616"} {
		f.Add(seed, "x")
	}
	f.Fuzz(func(t *testing.T, args, value string) {
		program, o := kitchen()
		lookup := func(option *Option) (string, bool, error) { return value, value != "" && option.Name == value, nil }
		invocation, err := Parse(program, strings.Split(args, "\n"), lookup)
		if err != nil || invocation.Help {
			return
		}
		if len(invocation.Command().Commands) > 0 {
			t.Errorf("%q stops at a command that has commands", args)
		}
		if invocation.Command().Name == "cook" && (o.Level != "rare" && o.Level != "medium" || o.Dir == "nowhere") {
			t.Errorf("%q is accepted: %+v", args, o)
		}
	})
}
