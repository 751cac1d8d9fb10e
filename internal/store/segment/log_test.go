package segment

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"almanac/internal/disk"
)

func noPoint(string) {}

func noRegister(logID) error { return nil }

// replayLog calls each for every record of a log, and truncates an incomplete end if it is the last one.
func replayLog(d disk.Disk, path string, last bool, each func(record []byte) error) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	size, err := eachRecord(path, content, last, each)
	if err == nil && last {
		err = truncateAndSync(d, path, size)
	}
	return err
}

// testMark is the mark of logs built by tests, which start with testHead.
var testMark = mark{'m', 'a', 'r', 'k'}

var testHead = string(logHeadOf(testMark))

// readLog returns the records of a log, without the initial one.
func readLog(path string, last bool) (records [][]byte, err error) {
	err = replayLog(disk.Disk{}, path, last, func(record []byte) error {
		records = append(records, slices.Clone(record))
		return nil
	})
	if len(records) > 0 {
		records = records[1:]
	}
	return records, err
}

// TestLogRoundTrip writes records in groups and reads them one by one.
func TestLogRoundTrip(t *testing.T) {
	newDirectory := t.TempDir
	rapid.Check(t, func(t *rapid.T) {
		directory := newDirectory()
		l, err := createLog(disk.Disk{}, directory, 7, 100, noPoint, noRegister)
		if err != nil {
			t.Fatal(err)
		}
		var want [][]byte
		for range rapid.IntRange(0, 4).Draw(t, "frames") {
			group := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 1, 300), 1, 4).Draw(t, "group")
			if err := l.write(group); err != nil {
				t.Fatal(err)
			}
			want = append(want, group...)
		}
		if err := l.close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(directory, logName(7))
		info, err := os.Stat(path)
		if err != nil || info.Size() != l.size {
			t.Fatalf("the file has %d bytes, the log says %d, %v", info.Size(), l.size, err)
		}
		for _, last := range []bool{true, false} {
			got, err := readLog(path, last)
			if err != nil || !slices.EqualFunc(got, want, bytes.Equal) {
				t.Fatalf("last %v: read %d records, want %d, %v", last, len(got), len(want), err)
			}
		}
	})
}

// TestLogStart checks what a new log records: the sequence number of the first write.
func TestLogStart(t *testing.T) {
	directory := t.TempDir()
	l, err := createLog(disk.Disk{}, directory, 1, 4711, noPoint, noRegister)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	found := 0
	if err := replayLog(disk.Disk{}, filepath.Join(directory, logName(1)), false, func(record []byte) error {
		found++
		r, seq, err := bareTable().readRecord(record)
		if err != nil || seq != 4711 || len(r.rows) > 0 || r.remove != nil {
			t.Errorf("read %+v, %d, %v", r, seq, err)
		}
		return nil
	}); err != nil || found != 1 {
		t.Errorf("%d records, %v", found, err)
	}
}

// TestLogNumbers checks that only files named like logs count, ordered by number and not by name.
func TestLogNumbers(t *testing.T) {
	directory := t.TempDir()
	for _, name := range []string{
		logName(100_000_000), logName(9), logName(10), "log-x.wal", "log-00000003.wal.bad", "00000004.parquet", "log-",
	} {
		if err := os.WriteFile(filepath.Join(directory, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	numbers, err := logNumbers(directory)
	if err != nil || !slices.Equal(numbers, []int{9, 10, 100_000_000}) {
		t.Errorf("numbers %v, %v", numbers, err)
	}
}

func TestLogsThatAreNone(t *testing.T) {
	for _, c := range []struct {
		name    string
		content string
		last    bool
		message string // "" is no error
	}{
		{"empty, last", "", true, ""},
		{"a part of the beginning, last", "ALML", true, ""},
		{"empty, not last", "", false, "has an invalid header"},
		{"a newer version", "ALMLOG2\nmark1234", true, "has an invalid header"},
		{"something else", "PAR1 and more text", false, "has an invalid header"},
		{"a part of the mark, last", logMagic + "mar", true, ""},
		{"another mark than its checksum says", logMagic + "marl" + testHead[12:], true, "has an invalid header"},
		{"nothing in it", testHead, false, ""},
		{"nothing but zeroes, last", strings.Repeat("\x00", 100), true, ""},
		{"nothing but zeroes, not last", strings.Repeat("\x00", 100), false, "has an invalid header"},
		{"zeroes behind it, last", testHead + strings.Repeat("\x00", 100), true, ""},
		{"zeroes behind it, not last", testHead + strings.Repeat("\x00", 100), false, "is damaged at offset 16"},
		{"a frame without records", testHead + "mark\x00\x00\x00\x00\x00\x00\x00\x00", false, "is damaged at offset 16"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), logName(1))
			if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			records, err := readLog(path, c.last)
			if len(records) > 0 {
				t.Errorf("records %q", records)
			}
			if c.message == "" && err == nil {
				if content, err := os.ReadFile(path); err != nil || len(content) != logHead || string(content[:len(logMagic)]) != logMagic {
					t.Errorf("left as %q, %v", content, err)
				}
				return
			}
			wantErr(t, err, path, c.message)
		})
	}
}

// FuzzReplayLog checks that replaying any file ends with an error or with records, and that what was truncated stays
// so.
func FuzzReplayLog(f *testing.F) {
	parts, _, err := (&logFile{mark: testMark}).frame([][]byte{[]byte("one"), []byte("another")})
	if err != nil {
		f.Fatal(err)
	}
	frame := slices.Concat(parts...)
	f.Add([]byte(testHead))
	f.Add(append([]byte(testHead), frame...))
	f.Add(append(append([]byte(testHead), frame...), frame[:len(frame)-1]...))
	f.Add(append(append([]byte(testHead), frame[:len(frame)-1]...), frame...))
	f.Add([]byte(testHead + "\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), logName(1))
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		records, err := readLog(path, true)
		if err != nil {
			if after, readErr := os.ReadFile(path); readErr != nil || !bytes.Equal(after, content) {
				t.Errorf("refused with %v, and changed", err)
			}
			return
		}
		again, err := readLog(path, false)
		if err != nil || !slices.EqualFunc(records, again, bytes.Equal) {
			t.Errorf("first %q, then %q, %v", records, again, err)
		}
	})
}

// TestClientsCannotForgeFrames checks that client data in a torn frame is not taken for a frame, so that the log is
// truncated there and not refused.
func TestClientsCannotForgeFrames(t *testing.T) {
	parts, _, err := (&logFile{mark: testMark}).frame([][]byte{[]byte("forged")})
	if err != nil {
		t.Fatal(err)
	}
	forged := slices.Concat(parts...)
	directory := t.TempDir()
	l, err := createLog(disk.Disk{}, directory, 1, 1, noPoint, noRegister)
	if err != nil {
		t.Fatal(err)
	}
	whole := l.size
	if err := l.write([][]byte{append(forged, "and the rest of a text"...)}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Truncate(l.file.Name(), l.size-1), l.close()); err != nil {
		t.Fatal(err)
	}
	records, err := readLog(l.file.Name(), true)
	if err != nil || len(records) != 0 {
		t.Fatalf("%q, %v", records, err)
	}
	if info, err := os.Stat(l.file.Name()); err != nil || info.Size() != whole {
		t.Errorf("%d bytes are left, want %d; %v", info.Size(), whole, err)
	}
}

// TestLongRecords checks that records of all lengths are read back, both those that are written directly and those that
// are copied.
func TestLongRecords(t *testing.T) {
	long, short := bytes.Repeat([]byte("long "), longRecord), []byte("short")
	groups := [][][]byte{
		{long},
		{short, long},
		{long, short},
		{long, long},
		{short, short, long, short, long, long[:longRecord], long[:longRecord-1]},
		{short},
	}
	l, err := createLog(disk.Disk{}, t.TempDir(), 1, 1, noPoint, noRegister)
	if err != nil {
		t.Fatal(err)
	}
	var want [][]byte
	for _, group := range groups {
		if err := l.write(group); err != nil {
			t.Fatal(err)
		}
		want = append(want, group...)
	}
	if info, err := l.file.Stat(); err != nil || info.Size() != l.size {
		t.Errorf("%d bytes are said to be written, but %d are, %v", l.size, info.Size(), err)
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	records, err := readLog(l.file.Name(), false)
	if err != nil || !slices.EqualFunc(records, want, bytes.Equal) {
		t.Errorf("%d records came back of %d, %v", len(records), len(want), err)
	}
}
