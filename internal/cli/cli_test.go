package cli

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"go.uber.org/goleak"

	"almanac/internal/config"
	"almanac/test/programs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// runHere runs a command in this process with an empty environment.
func runHere(args ...string) (stdout, stderr string, code int) {
	var out, errOut bytes.Buffer
	code = run(context.Background(), args, func(string) string { return "" }, &out, &errOut)
	return out.String(), errOut.String(), code
}

func TestHelp(t *testing.T) {
	for name, want := range map[string]string{
		"":                   "Start with: almanac serve",
		"serve":              "$ALMANAC_LISTEN",
		"keys create":        "traces:read, traces:write",
		"keys list":          "--data",
		"keys revoke":        "<public-key>",
		"backup":             "<target>",
		"projects create":    "--retention=DAYS",
		"organizations list": "--data",
		"restore":            "<source>",
		"doctor":             "--repair",
		"health":             "--ready",
		"version":            "Print the version",
	} {
		stdout, stderr, code := runHere(append(strings.Fields(name), "--help")...)
		if code != 0 || !strings.Contains(stdout, want) || stderr != "" {
			t.Errorf("almanac %s --help: exit code %d, lacks %q:\n%s%s", name, code, want, stdout, stderr)
		}
	}
}

func TestHelpIsAsWideAsTheTerminal(t *testing.T) {
	for columns, want := range map[string]int{"50": 50, "": 80, "95": 95, "1000": 110} {
		var out bytes.Buffer
		t.Setenv("COLUMNS", columns)
		if code := run(t.Context(), nil, func(string) string { return "" }, &out, &out); code != 0 {
			t.Fatal(out.String())
		}
		widest := 0
		for line := range strings.Lines(out.String()) {
			// This line is never wrapped, as it is meant to be copied.
			if !strings.HasPrefix(line, "Run ") {
				widest = max(widest, len(strings.TrimSuffix(line, "\n")))
			}
		}
		if widest > want || widest < want-8 {
			t.Errorf("COLUMNS=%s: the widest line has %d columns, want about %d", columns, widest, want)
		}
	}
}

// runner is implemented by every command.
type runner interface{ Run(*terminal) error }

// TestEveryCommandRuns checks what the compiler cannot.
func TestEveryCommandRuns(t *testing.T) {
	leaves := model(t).Leaves(false)
	if len(leaves) < 15 {
		t.Errorf("only %d commands", len(leaves))
	}
	for _, c := range leaves {
		if _, ok := reflect.TypeAssert[runner](c.Target.Addr()); !ok {
			t.Errorf("%s cannot be run", c.FullPath())
		}
	}
}

// model returns the model of the command line.
func model(t *testing.T) *kong.Application {
	t.Helper()
	resolver, err := config.NewResolver(func(string) string { return "" }, "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := newParser(resolver, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return p.Model
}

func TestMistakes(t *testing.T) {
	cases := []struct {
		args []string
		code int
		want string
	}{
		{[]string{"serve", "--max-connections=many"}, 2, "max-connections"},
		{[]string{"serve", "--config=/nonexistent"}, 1, "cannot read the configuration file"},
		{[]string{"nonsense"}, 2, "nonsense"},
		{[]string{"serv"}, 2, `did you mean one of "serve", "users"?`},
		{[]string{"serve", "--lisen=x"}, 2, `did you mean "--listen"?`},
		{[]string{"serve", "--listen"}, 2, "--listen=ADDRESS"},
		{[]string{"serve", "--log-level=loud"}, 2, `"debug","info","warn","error" but got "loud"`},
		{[]string{"serve", "--request-timeout=0s"}, 2, "serve: --request-timeout must be greater than 0"},
		{[]string{"keys"}, 2, `"create", "list", "revoke"`},
		{[]string{"keys", "create", "--permissions="}, 2, "permissions"},
		{[]string{"demo", "--secret-key", "-planted"}, 2, "--secret-key=KEY\nTry: almanac demo --help"},
		{[]string{"keys", "create", "--project=a", "--organization=b"}, 2, "can't be used together"},
		{[]string{"keys", "revoke"}, 2, "public-key"},
		{[]string{"keys", "create", "--nonsense"}, 2, "\nTry: almanac keys create --help\n"},
		{[]string{"keys", "nonsense", "list"}, 2, "\nTry: almanac keys --help\n"},
		{[]string{"nonsense", "keys"}, 2, "\nTry: almanac --help\n"},
		{[]string{"keys", "list", "--data=/nonexistent"}, 1, "there is no catalog in /nonexistent"},
		{[]string{"doctor", "--data=/nonexistent"}, 1, "faults found"},
		{[]string{"backup"}, 2, "target"},
		{[]string{"backup", "/tmp/x", "--data=/nonexistent"}, 1, "cannot find the data directory"},
		{[]string{"restore"}, 2, "source"},
		{[]string{"restore", "/nonexistent"}, 1, "is not a complete backup"},
	}
	for _, c := range cases {
		if stdout, stderr, code := runHere(c.args...); code != c.code || !strings.Contains(stderr, c.want) ||
			strings.Contains(stderr, "planted") {
			t.Errorf("%q: exit code %d, printed %q and %q; want %d and %q", c.args, code, stdout, stderr, c.code, c.want)
		}
	}
}

// TestServeLeavesNothingBehind runs the whole server in this process, where a leaked goroutine would be detected.
func TestServeLeavesNothingBehind(t *testing.T) {
	data := filepath.Join(t.TempDir(), "data")
	ctx, stop := context.WithCancel(t.Context())
	var (
		out  programs.Output
		log  programs.Output
		wg   sync.WaitGroup
		code int
	)
	wg.Go(func() {
		args := []string{"serve", "--listen=127.0.0.1:0", "--metrics-listen=127.0.0.1:0", "--pprof-listen=127.0.0.1:0", "--data", data}
		code = run(ctx, args, func(string) string { return "" }, &out, &log)
	})
	for deadline := time.Now().Add(20 * time.Second); !strings.Contains(log.String(), "msg=serving"); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not serving: %s", log.String())
		}
	}
	stop()
	wg.Wait()
	if code != 0 || !strings.Contains(log.String(), "msg=stopped") {
		t.Errorf("exit code %d: %s", code, log.String())
	}
	if stdout, stderr, code := runHere("keys", "list", "--data", data); code != 0 ||
		!strings.Contains(stdout, "created at the first start") {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}
}

// TestServeHelpShowsEveryDefault checks that the help alone tells what happens without an option.
func TestServeHelpShowsEveryDefault(t *testing.T) {
	stdout, stderr, code := runHere("serve", "--help")
	if code != 0 {
		t.Fatal(stderr)
	}
	text := strings.Join(strings.Fields(stdout), " ")
	checked := 0
	for _, o := range serveOptions(t) {
		if o.Default == "" {
			continue
		}
		checked++
		if !strings.Contains(text, "--"+o.Name+"="+o.Default+" ") &&
			!strings.Contains(text, o.Help+" Default: "+o.Default+". ($"+config.Variables(o)[0]+")") {
			t.Errorf("the help does not say that --%s is %s by default", o.Name, o.Default)
		}
	}
	if checked < 20 {
		t.Errorf("only %d options have defaults", checked)
	}
}

// TestDurationsInLogs checks that durations have units in both log formats.
func TestDurationsInLogs(t *testing.T) {
	for format, want := range map[string]string{"json": `"took_ms":1500.25,`, "text": "took=1.50025s "} {
		var out bytes.Buffer
		log, err := newLogger(&out, "info", format)
		if err != nil {
			t.Fatal(err)
		}
		log.Info("request", "took", 1500250*time.Microsecond, "bytes", 3)
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: the line is %s, want %s in it", format, out.String(), want)
		}
	}
}
