package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// events encodes events as go test prints them.
func events(t *testing.T, list ...event) string {
	t.Helper()
	var text strings.Builder
	for _, e := range list {
		if err := json.NewEncoder(&text).Encode(e); err != nil {
			t.Fatal(err)
		}
	}
	return text.String()
}

func TestReport(t *testing.T) {
	output := func(test, text string) event {
		return event{Action: "output", Package: "a/b", Test: test, Output: text}
	}
	end := func(action, test string) event { return event{Action: action, Package: "a/b", Test: test} }
	passes := []event{
		{Action: "start", Package: "a/b"},
		end("run", "TestX"), output("TestX", "=== RUN   TestX\n"), output("TestX/y", "    x_test.go:1: counted: 12 requests\n"),
		output("TestX/y", "    --- PASS: TestX/y (0.00s)\n"), end("pass", "TestX/y"),
		output("TestX", "--- PASS: TestX (0.00s)\n"), end("pass", "TestX"),
	}
	ends := []event{output("", "PASS\n"), output("", "ok  \ta/b\t0.1s\n"), end("pass", "")}
	skips := []event{output("TestZ", "    x_test.go:9: not here\n"), output("TestZ", "--- SKIP: TestZ (0.00s)\n"), end("skip", "TestZ")}
	for _, c := range []struct {
		name     string
		args     []string
		in       string
		want     string
		counts   string
		complain string
	}{
		{
			name: "everything passes", in: events(t, append(passes, ends...)...),
			want: "ok  \ta/b\t0.1s\t2 tests\n", counts: "2 passed\n12 requests\n",
		},
		{
			name: "verbose", args: []string{"-v"}, in: events(t, append(passes, ends...)...),
			want: "    x_test.go:1: counted: 12 requests\nPASS\nok  \ta/b\t0.1s\n", counts: "2 passed\n12 requests\n",
		},
		{
			name: "a failure is shown whole",
			in: events(t,
				append(passes, output("TestF/in", "    f_test.go:1: want 1\n"), output("TestF/in", "    --- FAIL: TestF/in (0.00s)\n"),
					end("fail", "TestF/in"), output("TestF", "--- FAIL: TestF (0.00s)\n"), end("fail", "TestF"),
					output("", "FAIL\n"), output("", "FAIL\ta/b\t0.1s\n"), end("fail", ""))...),
			want:   "    f_test.go:1: want 1\n    --- FAIL: TestF/in (0.00s)\n--- FAIL: TestF (0.00s)\nFAIL\nFAIL\ta/b\t0.1s\n",
			counts: "2 passed\n12 requests\n", complain: "tests failed: see above",
		},
		{
			name: "a panic ends a test without an end",
			in: events(t, append(passes, output("TestP", "panic: oh\n"), output("TestP", "goroutine 1\n"),
				output("", "FAIL\ta/b\t0.1s\n"), end("fail", ""))...),
			want: "panic: oh\ngoroutine 1\nFAIL\ta/b\t0.1s\n", counts: "2 passed\n12 requests\n", complain: "tests failed: see above",
		},
		{
			name: "a build fails",
			in: events(t, event{Action: "build-output", Output: "x.go:1: syntax error\n"}, event{Action: "build-fail"},
				output("", "FAIL\ta/b [build failed]\n"), end("fail", "")),
			want: "x.go:1: syntax error\nFAIL\ta/b [build failed]\n", counts: "0 passed\n", complain: "tests failed: see above",
		},
		{
			name: "a skip", in: events(t, append(append(passes, skips...), ends...)...),
			want:   "    x_test.go:9: not here\n--- SKIP: TestZ (0.00s)\nok  \ta/b\t0.1s\t2 tests\n",
			counts: "2 passed\n12 requests\n", complain: "tests were skipped, and nobody said that they may be (-may-skip): a/b.TestZ",
		},
		{
			name: "a skip that is allowed", args: []string{"-may-skip", `^a/b\.Test(Y|Z)$`},
			in:   events(t, append(append(passes, skips...), ends...)...),
			want: "ok  \ta/b\t0.1s\t2 tests\n", counts: "2 passed\n1 skipped\n12 requests\n",
		},
		{
			name: "a package without tests", in: events(t, append(append(passes, ends...),
				event{Action: "output", Package: "c", Output: "?   \tc\t[no test files]\n"}, event{Action: "skip", Package: "c"})...),
			want: "ok  \ta/b\t0.1s\t2 tests\n?   \tc\t[no test files]\t0 tests\n", counts: "2 passed\n12 requests\n",
		},
		{
			name: "a skip of another test is allowed", args: []string{"-may-skip", `^a/b\.TestY$`},
			in:     events(t, append(append(passes, skips...), ends...)...),
			want:   "    x_test.go:9: not here\n--- SKIP: TestZ (0.00s)\nok  \ta/b\t0.1s\t2 tests\n",
			counts: "2 passed\n12 requests\n", complain: "tests were skipped, and nobody said that they may be (-may-skip): a/b.TestZ",
		},
		{name: "nothing", counts: "0 passed\n", complain: "no test passed: was any run?"},
		{
			name: "no events", in: "go: no such package", want: "go: no such package", counts: "0 passed\n",
			complain: "no test passed: was any run?",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "counts")
			var out strings.Builder
			err := run(append(c.args, "-to", file), strings.NewReader(c.in), &out)
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Errorf("printed (-want +got):\n%s", diff)
			}
			if complaint := text(err); complaint != c.complain {
				t.Errorf("complains %q, want %q", complaint, c.complain)
			}
			counts, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.counts, string(counts)); diff != "" {
				t.Errorf("counts (-want +got):\n%s", diff)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
