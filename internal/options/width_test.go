package options

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestColumns(t *testing.T) {
	for variable, want := range map[string]int{"": 80, "40": 40, "100": 100, "500": 110, "0": 80, "-5": 80, "wide": 80} {
		getenv := func(string) string { return variable }
		if got := Columns(new(strings.Builder), getenv); got != want {
			t.Errorf("COLUMNS=%s: %d columns, want %d", variable, got, want)
		}
	}
}

// TestColumnsOfATerminal asks a file, which has no size, and a pseudo terminal of several sizes.
func TestColumnsOfATerminal(t *testing.T) {
	noVariable := func(string) string { return "" }
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := Columns(file, noVariable); got != 80 {
		t.Errorf("%d columns in a file", got)
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	for set, want := range map[uint16]int{0: 80, 72: 72, 300: 110} {
		if err := unix.IoctlSetWinsize(int(terminal.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: set}); err != nil {
			t.Fatal(err)
		}
		if got := Columns(terminal, noVariable); got != want {
			t.Errorf("%d columns in a terminal of %d, want %d", got, set, want)
		}
	}
}
