// Package schema tests the server against its own API description with schemathesis, which generates requests from it:
// whatever is sent, no response may be an internal error, and every response must be one that the description declares.
package schema

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"almanac/test/harness"
)

const adminKey = "admin-key-of-the-schema-test"

// TestAnswersFitTheDescription sends requests as a project, as an organization and as the administrator, which have
// access to different parts. Each has its own server, since all run concurrently, and some requests delete what others
// need.
func TestAnswersFitTheDescription(t *testing.T) {
	program, err := filepath.Abs("../../.tools/python-schema/bin/schemathesis")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(program); err != nil {
		t.Fatalf("schemathesis is not installed: run make test-tools: %v", err)
	}
	for _, c := range []struct {
		name  string
		who   func(t *testing.T, s *harness.Server) []string
		paths []string // to request
	}{
		// Most of it belongs to projects and is split to keep two CPUs busy. Only the administrator requests its own
		// part: responses to refused credentials are delayed, longer each time.
		{"project", projectKey, []string{"--include-path-regex", "^/api/public/([a-l]|v2|unstable)"}},
		{"project, the rest", projectKey, []string{"--exclude-path-regex", "^/api/(public/([a-l]|v2|unstable)|admin)"}},
		{"organization", organizationKey, []string{"--include-path-regex", "^/api/public/(organizations|projects|scim)"}},
		{"administrator", administrator, []string{"--include-path-regex", "^/api/admin"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := harness.StartOn(t, filepath.Join(t.TempDir(), "data"), "--admin-api-key", adminKey)
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
			defer cancel()
			args := slices.Concat([]string{
				"run", s.URL + "/api/openapi.yaml", "--url", s.URL, "--phases", "examples,coverage,fuzzing", "--max-examples", "4",
				"--seed", "1",
				"--checks", "not_a_server_error,response_schema_conformance,status_code_conformance,content_type_conformance",
				"--request-timeout", "20", "--no-color",
				// Health fails on purpose if nothing was sent for a while.
				"--exclude-path", "/api/public/health",
				// A tail never ends: each one would last until the timeout. TestTail in package httpapi covers it.
				"--exclude-path", "/api/public/tail",
			}, c.who(t, s), c.paths)
			command := exec.CommandContext(ctx, program, args...)
			command.Dir = t.TempDir()
			var out bytes.Buffer
			command.Stdout, command.Stderr = &out, &out
			err := command.Run()
			if cases := regexp.MustCompile(`(?m)^.*?(\d+) generated.*$`).FindSubmatch(out.Bytes()); cases != nil {
				t.Logf("%s", bytes.TrimSpace(cases[0]))
				t.Logf("counted: %s requests", cases[1]) // for test/count
			} else if err == nil {
				t.Errorf("schemathesis does not say how much it tried:\n%s", out.Bytes())
			}
			if err != nil {
				t.Errorf("%v\n%s", err, out.Bytes())
			}
		})
	}
}

func projectKey(_ *testing.T, s *harness.Server) []string {
	return []string{"--auth", s.PublicKey + ":" + s.SecretKey}
}

func administrator(*testing.T, *harness.Server) []string {
	return []string{"--header", "Authorization: Bearer " + adminKey}
}

// organizationKey creates a key of the organization of the first project.
func organizationKey(t *testing.T, s *harness.Server) []string {
	t.Helper()
	_, answer := s.Get(t, "/api/public/projects")
	id := regexp.MustCompile(`"organization":\{"id":"([^"]+)"`).FindStringSubmatch(answer)
	if id == nil {
		t.Fatalf("no organization in %s", answer)
	}
	stdout, stderr, code := harness.Run(t, "keys", "create", "--data", s.Data, "--organization", id[1])
	key := regexp.MustCompile(`(pk-lf-\S+)[\s\S]*?(sk-lf-\S+)`).FindStringSubmatch(stdout)
	if code != 0 || key == nil {
		t.Fatalf("keys create: %d %s%s", code, stdout, stderr)
	}
	return []string{"--auth", key[1] + ":" + key[2]}
}
