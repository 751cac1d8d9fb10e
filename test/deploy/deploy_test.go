// Package deploy checks the files in the directory deploy and the Dockerfile against the program: names of options,
// ports, paths, times and metrics must match, and the files must be valid for the tools that read them. Containers are
// not started.
package deploy

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"almanac/test/harness"
)

// root is the root of the repository.
const root = "../.."

func TestMain(m *testing.M) {
	code := m.Run()
	harness.Clean()
	os.Exit(code)
}

// files returns all deployment files by their paths in the repository.
func files(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{"Dockerfile": read(t, "Dockerfile")}
	err := fs.WalkDir(os.DirFS(root), "deploy", func(path string, entry fs.DirEntry, err error) error {
		if path == "deploy/secrets" { // left by a trial of compose.scale.yaml
			return fs.SkipDir
		}
		if err != nil || entry.IsDir() {
			return err
		}
		found[path] = read(t, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// read returns the content of a file in the repository.
func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// documents parses a YAML file, which may hold several documents.
func documents(t *testing.T, path string) []map[string]any {
	t.Helper()
	var all []map[string]any
	decoder := yaml.NewDecoder(strings.NewReader(read(t, path)))
	for {
		var one map[string]any
		err := decoder.Decode(&one)
		if errors.Is(err, io.EOF) && len(all) > 0 {
			return all
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, one)
	}
}

// at returns a nested value by keys and indexes.
func at(t *testing.T, value any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			members, ok := value.(map[string]any)
			if !ok || members[step] == nil {
				t.Fatalf("there is no %v of %v", step, path)
			}
			value = members[step]
		case int:
			list, ok := value.([]any)
			if !ok || step >= len(list) {
				t.Fatalf("there is no element %d of %v", step, path)
			}
			value = list[step]
		}
	}
	return value
}

// found returns the first group of a regular expression, which must match.
func found(t *testing.T, text, expression string) string {
	t.Helper()
	match := regexp.MustCompile(expression).FindStringSubmatch(text)
	if match == nil {
		t.Fatalf("nothing matches %s", expression)
	}
	return match[1]
}

// tool runs a program installed by test/tools, which must succeed, and returns its output.
func tool(t *testing.T, directory, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = directory
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s %s: %v (make test-tools installs it)\n%s", filepath.Base(program), strings.Join(args, " "), err, out)
	}
	return string(out)
}

// installed returns the absolute path of a file below .tools.
func installed(t *testing.T, path string) string {
	t.Helper()
	absolute, err := filepath.Abs(filepath.Join(root, ".tools", path))
	if err != nil {
		t.Fatal(err)
	}
	return absolute
}
