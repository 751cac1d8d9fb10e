package clock_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"almanac/test/clock"
	"almanac/test/harness"
)

func TestMain(m *testing.M) {
	code := m.Run()
	harness.Clean()
	os.Exit(code)
}

// dates has each weekday, ends of months and of a year, 29 February, both changes of daylight saving time, and the
// second in which 32 bits overflow. Where something changes at a moment, the tests run across it.
var dates = []struct {
	name, at, zone string
	more           []string // additional tests
}{
	{name: "Monday, the end of January", at: "2028-01-31T23:59:50Z"},
	{name: "Tuesday, 29 February", at: "2028-02-29T15:00:00Z", more: append([]string{"TestMigrate"}, others...)},
	{name: "Wednesday, the end of June far in the east", at: "2027-06-30T09:59:50Z", zone: "Pacific/Kiritimati"},
	{name: "Thursday night", at: "2027-06-10T03:00:00Z"},
	{name: "Friday, the end of a year", at: "2027-12-31T23:59:50Z"},
	{name: "Saturday", at: "2027-06-12T09:00:00Z", zone: "Asia/Kolkata"},
	{name: "Sunday, clocks go forward", at: "2027-03-14T06:59:50Z", zone: "America/New_York", more: others},
	{name: "Sunday, clocks go back", at: "2026-11-01T05:59:50Z", zone: "America/New_York"},
	{name: "2038", at: "2038-01-19T03:14:00Z", more: others},
}

// usual are the tests that depend most on times. others take longer and depend on times as well. All pass at every
// date.
var (
	usual  = []string{"TestClock", "TestSameAnswers", "TestDays", "TestFirstMinute", "TestKeysOfARunningServer", "TestReadingColumns"}
	others = []string{"TestDemo", "TestBackupOfARunningServer", "TestConcurrentUpsertsOfOneScore", "TestMediaSurvive", "TestDoctor"}
)

// TestOtherDates runs tests of the program, and the program, at other dates: they must pass, with the same responses.
func TestOtherDates(t *testing.T) {
	directory := t.TempDir()
	tests := filepath.Join(directory, "blackbox.test")
	if out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-vet=off", "-o", tests,
		"almanac/test/blackbox").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program := harness.Binary(t)
	answers := make([]string, len(dates)) // of the server, written by TestSameAnswers
	t.Run("at", func(t *testing.T) {
		for n, date := range dates {
			t.Run(date.name, func(t *testing.T) {
				t.Parallel()
				at, err := time.Parse(time.RFC3339, date.at)
				if err != nil {
					t.Fatal(err)
				}
				names := slices.Concat(usual, date.more)
				file := filepath.Join(directory, strconv.Itoa(n))
				process := exec.CommandContext(t.Context(), tests, "-test.v", "-test.run=^("+strings.Join(names, "|")+")$",
					"-test.parallel=4", "-migrate-traces=40")
				process.Dir = "../blackbox"
				process.Env = append(process.Environ(), "ALMANAC_TEST_BINARY="+program, "ALMANAC_TEST_ANSWERS="+file,
					"TZ="+zoneFile(t, date.zone))
				var out bytes.Buffer
				process.Stdout, process.Stderr = &out, &out
				if err := clock.StartAt(process, at); err != nil {
					t.Fatal(err)
				}
				if err := process.Wait(); err != nil {
					t.Fatalf("%v\n%s", err, out.String())
				}
				for _, name := range names {
					if !strings.Contains(out.String(), "--- PASS: "+name+" ") {
						t.Errorf("%s did not run:\n%s", name, out.String())
					}
				}
				answer, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				answers[n] = string(answer)
			})
		}
	})
	for n, answer := range answers {
		if d := cmp.Diff(answers[0], answer); d != "" || answer == "" {
			t.Errorf("the answers at %s differ from those at %s (-at the latter +at the former):\n%.3000s", dates[n].name, dates[0].name, d)
		}
	}
}

// zoneFile returns a file with the rules of a time zone from the Go distribution, independent of those on the machine.
func zoneFile(t *testing.T, zone string) string {
	t.Helper()
	if zone == "" {
		return "UTC"
	}
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	zones, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib/time/zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer zones.Close()
	from, err := zones.Open(zone)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "zone")
	if err := os.WriteFile(file, rules, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
