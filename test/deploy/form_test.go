package deploy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// kubernetesVersion is the oldest version supported by the manifests.
const kubernetesVersion = "1.31"

// yamlRules are the style rules for YAML.
const yamlRules = `{extends: default, rules: {line-length: {max: 150}, document-start: disable, braces: {max-spaces-inside: 0}}}`

// TestForm validates the files with the tools for their formats.
func TestForm(t *testing.T) {
	var compose, kubernetes []string
	for path := range files(t) {
		switch absolute, _ := filepath.Abs(filepath.Join(root, path)); {
		case strings.HasPrefix(path, "deploy/compose"):
			compose = append(compose, absolute)
		case strings.HasPrefix(path, "deploy/kubernetes/"):
			kubernetes = append(kubernetes, absolute)
		}
	}
	if len(compose) != 2 || len(kubernetes) != 2 {
		t.Errorf("found %v and %v", compose, kubernetes)
	}
	python := installed(t, "python-deploy/bin")
	tool(t, root, filepath.Join(python, "yamllint"), "--strict", "-d", yamlRules, "deploy", "test/deploy")
	tool(t, root, filepath.Join(python, "check-jsonschema"), slices.Concat([]string{"--builtin-schema", "vendor.compose-spec"}, compose)...)
	tool(t, root, filepath.Join(python, "kubernetes-validate"), slices.Concat([]string{"--strict", "-k", kubernetesVersion}, kubernetes)...)
}

// TestUnit verifies the unit with systemd. The program need not be installed for that.
func TestUnit(t *testing.T) {
	text := read(t, "deploy/systemd/almanac.service")
	program := found(t, text, `(?m)^ExecStart=(\S+) serve$`)
	unit := filepath.Join(t.TempDir(), "almanac.service")
	if err := os.WriteFile(unit, []byte(strings.ReplaceAll(text, program, "/bin/true")), 0o600); err != nil {
		t.Fatal(err)
	}
	// It always exits with 0, and also complains about other units of the machine.
	if out := tool(t, root, "systemd-analyze", "verify", unit); strings.Contains(out, filepath.Base(unit)) {
		t.Error(out)
	}
	// The threshold is in tenths of the exposure that systemd computes: 20 stands for 2.0 of 10.
	tool(t, root, "systemd-analyze", "security", "--offline=true", "--threshold=20", unit)
}

// TestAlerts checks the rules with Prometheus and tests them on made-up series.
func TestAlerts(t *testing.T) {
	directory := t.TempDir()
	for _, path := range []string{"deploy/prometheus/alerts.yaml", "test/deploy/testdata/alerts_test.yaml"} {
		if err := os.WriteFile(filepath.Join(directory, filepath.Base(path)), []byte(read(t, path)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	promtool := installed(t, "prometheus/usr/bin/promtool")
	tool(t, directory, promtool, "check", "rules", "alerts.yaml")
	tool(t, directory, promtool, "test", "rules", "alerts_test.yaml")
	tool(t, filepath.Join(root, "deploy/prometheus"), promtool, "check", "config", "scrape.yaml")
}
