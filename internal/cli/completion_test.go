package cli

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMainAsProgram stands in for the program: the bash script calls this test binary.
func TestMainAsProgram(*testing.T) {
	words := os.Getenv("ALMANAC_TEST_WORDS")
	if words == "" {
		return // not called by the script
	}
	run(context.Background(), strings.Split(words, "\n"), func(string) string { return "" }, os.Stdout, io.Discard)
	os.Exit(0)
}

func TestComplete(t *testing.T) {
	for words, want := range map[string]string{
		"serv":                          "serve",
		"keys ":                         "create list revoke",
		"keys re":                       "revoke",
		"serve --log-":                  "--log-level --log-format",
		"serve --log-level ":            "debug info warn error",
		"serve --log-level=w":           "--log-level=warn",
		"serve --data keys --log-for":   "--log-format",
		"serve --extract-media --liste": "--listen",
		"audit --action ":               "create update delete view download",
		"completion ":                   "bash zsh fish",
		"demo --base-":                  "", // hidden
		"serve --data ":                 "", // a file
		"serve --nonsense=":             "",
		"":                              "serve keys organizations projects audit demo backup restore migrate doctor health completion version",
	} {
		stdout, stderr, code := runHere(append([]string{completeWord}, strings.Split(words, " ")...)...)
		got := strings.Fields(stdout)
		if words == "" {
			got = slices.DeleteFunc(got, func(s string) bool { return !strings.Contains(want, s) })
		}
		if code != 0 || stderr != "" || strings.Join(got, " ") != want {
			t.Errorf("%q: %d %q %s; want %q", words, code, got, stderr, want)
		}
	}
}

// TestBashCompletes makes bash run the script as it does when Tab is pressed.
func TestBashCompletes(t *testing.T) {
	script, stderr, code := runHere("completion", "bash")
	if code != 0 {
		t.Fatal(stderr)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	program := "#!/bin/bash\nALMANAC_TEST_WORDS=$(printf '%s\\n' \"$@\" x) && ALMANAC_TEST_WORDS=${ALMANAC_TEST_WORDS%$'\\n'x} exec " +
		self + " -test.run '^TestMainAsProgram$'\n"
	if err := os.WriteFile(filepath.Join(directory, "almanac"), []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{
		"almanac|serv":                   "serve",
		"almanac|keys|":                  "create list revoke",
		"almanac|serve|--log-level|=|de": "debug",
		"almanac|serve|--log-level|=":    "debug info warn error",
		"almanac|serve|--max-med":        "--max-media",
	} {
		list := strings.Split(words, "|")
		ask := script + "COMP_WORDS=(" + "'" + strings.Join(list, "' '") + "'" +
			"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_almanac almanac\necho \"${COMPREPLY[*]}\""
		bash := exec.Command("bash", "-c", ask)
		bash.Env = []string{"PATH=" + directory + ":" + os.Getenv("PATH")}
		output, err := bash.CombinedOutput()
		if got := strings.Join(strings.Fields(string(output)), " "); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", words, got, err, want)
		}
	}
}

// TestScripts checks the syntax of the scripts with each shell that is installed.
func TestScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script, stderr, code := runHere("completion", shell)
		if code != 0 || !strings.Contains(script, completeWord) {
			t.Errorf("%s: %d %s%s", shell, code, script, stderr)
		}
		if path, err := exec.LookPath(shell); err == nil {
			check := exec.Command(path, "-n")
			check.Stdin = strings.NewReader(script)
			if out, err := check.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", shell, err, out)
			}
		}
	}
	if _, stderr, code := runHere("completion", "tcsh"); code != exitUsage || !strings.Contains(stderr, "bash") {
		t.Errorf("%d %s", code, stderr)
	}
}
