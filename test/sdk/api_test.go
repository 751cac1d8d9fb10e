package sdk

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestEveryMethod calls every method of the generated clients: the scripts fail if one is missing.
func TestEveryMethod(t *testing.T) {
	t.Parallel()
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	t.Cleanup(hook.Close)
	for name, command := range map[string][2]string{
		"Python": {python, "api_check.py"}, "previous Python": {previousPython, "api_check.py"}, "JavaScript": {"node", "api_check.mjs"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := run(t, environment(t, "--feedback-url="+hook.URL), command[0], command[1])
			report, ok := strings.CutSuffix(out, "ok\n")
			if !ok {
				t.Error(out)
			}
			for _, called := range regexp.MustCompile(`(\d+) of \d+ methods called`).FindAllStringSubmatch(report, -1) {
				n, err := strconv.Atoi(called[1])
				if err != nil {
					t.Fatal(err)
				}
				summary.count(command[0], func(c *counts) { c.methods += n })
			}
		})
	}
}
