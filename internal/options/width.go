package options

import (
	"io"
	"os"
	"strconv"

	"almanac/internal/platform"
)

const (
	usualColumns = 80
	// Longer lines are hard to read, however wide the window is.
	mostColumns = 110
)

// Columns says how wide help is when it is written to w: as wide as the variable COLUMNS says or the terminal is, within reason.
func Columns(w io.Writer, getenv func(string) string) int {
	columns, err := strconv.Atoi(getenv("COLUMNS"))
	if err != nil || columns <= 0 {
		columns = terminalColumns(w)
	}
	if columns <= 0 {
		columns = usualColumns
	}
	return min(columns, mostColumns)
}

// terminalColumns is how wide a terminal is, and 0 if it does not say or is none.
func terminalColumns(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok {
		return 0
	}
	return platform.TerminalColumns(file)
}
