// Package sdk runs the official clients against the real program. `make test-tools` installs them.
package sdk

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/test/harness"
)

func TestMain(m *testing.M) {
	code := m.Run()
	fmt.Print(&summary)
	harness.Clean()
	os.Exit(code)
}

// The clients, as `make test-tools` installs them: the newest Python client, that of the previous major version, and
// JavaScript beside this file.
const (
	python         = "../../.tools/python/bin/python"
	previousPython = "../../.tools/python-previous/bin/python"
)

// run runs a program that must succeed and returns its output.
func run(t *testing.T, environment []string, program string, args ...string) string {
	t.Helper()
	path := program
	if strings.Contains(program, "/") {
		absolute, err := filepath.Abs(program)
		if err != nil {
			t.Fatal(err)
		}
		path = absolute
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(plainEnvironment(), environment...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v (is everything there? `make test-tools` installs it)\n%s", program, err, out)
	}
	summary.count(program, func(c *counts) { c.programs++ })
	return string(out)
}

// plainEnvironment returns the environment without options for the clients.
func plainEnvironment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "LANGFUSE_") || strings.HasPrefix(variable, "OTEL_")
	})
}

// environment starts a server with these options and returns the environment for a client.
func environment(t *testing.T, options ...string) []string {
	t.Helper()
	s := harness.Start(t, options...)
	pair := organizationKeys(t, s)
	return []string{
		"ALMANAC_URL=" + s.URL, "ALMANAC_PUBLIC_KEY=" + s.PublicKey, "ALMANAC_SECRET_KEY=" + s.SecretKey,
		"ALMANAC_ORGANIZATION_PUBLIC_KEY=" + pair[0], "ALMANAC_ORGANIZATION_SECRET_KEY=" + pair[1],
	}
}

// organizationKeys creates a key of the organization of a server's project and returns both halves.
func organizationKeys(t *testing.T, s *harness.Server) []string {
	t.Helper()
	_, body := s.Get(t, "/api/public/projects")
	organization := regexp.MustCompile(`"organization":\{"id":"([^"]+)"`).FindStringSubmatch(body)
	if organization == nil {
		t.Fatalf("no organization in %s", body)
	}
	stdout, stderr, code := harness.Run(t, "keys", "create", "--data", s.Data, "--organization", organization[1])
	pair := regexp.MustCompile(`LANGFUSE_PUBLIC_KEY=(\S+)\nLANGFUSE_SECRET_KEY=(\S+)`).FindStringSubmatch(stdout)
	if code != 0 || pair == nil {
		t.Fatalf("keys create: %d %s%s", code, stdout, stderr)
	}
	return pair[1:]
}

func TestPython(t *testing.T) {
	t.Parallel()
	for name, program := range map[string]string{"newest": python, "previous major": previousPython} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out := run(t, environment(t), program, "check.py"); !strings.HasSuffix(out, "ok\n") {
				t.Error(out)
			}
		})
	}
}

func TestJavaScript(t *testing.T) {
	t.Parallel()
	if out := run(t, environment(t), "node", "check.mjs"); !strings.HasSuffix(out, "ok\n") {
		t.Error(out)
	}
}

// TestPrintedSnippets runs the snippets that the first start prints, as a newcomer would.
func TestPrintedSnippets(t *testing.T) {
	t.Parallel()
	s := harness.Start(t)
	stdout, _ := s.Printed()
	block := func(heading string) string {
		_, after, _ := strings.Cut(stdout, heading)
		var lines []string
		for line := range strings.Lines(after) {
			if code, indented := strings.CutPrefix(line, "    "); indented {
				lines = append(lines, code)
			} else if len(lines) > 0 {
				break
			}
		}
		return strings.Join(lines, "")
	}
	if out := run(t, nil, python, "-c", block("Python (pip install langfuse):")); !strings.Contains(out, "True") {
		t.Errorf("the Python snippet prints %s", out)
	}
	if out := run(t, nil, "node", "--input-type=module", "-e", block("JavaScript (npm install @langfuse/client):")); !strings.Contains(out,
		"My project") {
		t.Errorf("the JavaScript snippet prints %s", out)
	}
}

// TestDescriptionIsValid checks with an independent validator that our API description is valid OpenAPI.
func TestDescriptionIsValid(t *testing.T) {
	t.Parallel()
	if out := run(t, nil, python, "-m", "openapi_spec_validator", "../../api/openapi.yaml"); !strings.Contains(out, "OK") {
		t.Error(out)
	}
}
