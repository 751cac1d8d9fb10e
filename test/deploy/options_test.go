package deploy

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"almanac/internal/config"
	"almanac/test/harness"
)

var (
	variableName = regexp.MustCompile(`\bALMANAC_[A-Z_]*[A-Z]`)
	flagName     = regexp.MustCompile(`(?:^|[\s(,.])--([a-z][a-z-]+)`)
	// foreign matches lines with flags of other programs.
	foreign = regexp.MustCompile(`docker |kubectl |npm |openssl|systemctl |--from-literal|COPY --|HEALTHCHECK --|\bmc |test: \[CMD`)
	command = regexp.MustCompile(`/almanac",? "?([a-z]+)|/almanac ([a-z]+)`)
)

// serveOptions returns the options of the server by name.
func serveOptions(t *testing.T) map[string]*kong.Flag {
	t.Helper()
	parser, err := kong.New(new(config.Serve))
	if err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]*kong.Flag)
	for _, flag := range parser.Model.Flags {
		byName[flag.Name] = flag
	}
	return byName
}

// TestOptionsExist finds names of options that the program does not have, or no longer has.
func TestOptionsExist(t *testing.T) {
	known := serveOptions(t)
	variables := make(map[string]bool)
	for _, o := range known {
		for _, name := range config.Variables(o) {
			variables[name] = true
			variables[name+"_FILE"] = config.IsSecret(o)
		}
	}
	checked := 0
	for path, text := range files(t) {
		for _, name := range variableName.FindAllString(text, -1) {
			checked++
			if !variables[name] {
				t.Errorf("%s: the program knows no variable %s", path, name)
			}
		}
		for line := range strings.Lines(text) {
			if foreign.MatchString(line) {
				continue
			}
			for _, match := range flagName.FindAllStringSubmatch(line, -1) {
				checked++
				if known[match[1]] == nil {
					t.Errorf("%s: almanac serve has no option --%s", path, match[1])
				}
			}
		}
	}
	if checked < 40 {
		t.Errorf("only %d names were found", checked)
	}
}

// TestCommandsExist finds commands that the program does not have.
func TestCommandsExist(t *testing.T) {
	checked := make(map[string]bool)
	for path, text := range files(t) {
		for _, match := range command.FindAllStringSubmatch(text, -1) {
			name := match[1] + match[2]
			if checked[name] {
				continue
			}
			checked[name] = true
			if _, stderr, code := harness.Run(t, name, "--help"); code != 0 {
				t.Errorf("%s: almanac %s: %s", path, name, stderr)
			}
		}
	}
	if !checked["serve"] || !checked["health"] || !checked["keys"] {
		t.Errorf("commands were found only here: %v", checked)
	}
}

// duration parses the default of an option.
func duration(t *testing.T, option string) time.Duration {
	t.Helper()
	o := serveOptions(t)[option]
	if o == nil {
		t.Fatalf("there is no option --%s", option)
	}
	d, err := time.ParseDuration(o.Default)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
