package segment

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/internal/domain"
)

func TestVerifyFindsNothingWrong(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "store")
	verified(t, directory) // does not exist yet
	s := openUpkeep(t, directory)
	verified(t, directory) // empty
	fillUpkeep(t, s, 800)
	verified(t, directory)
	if err := s.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	steps, last := 0, 0
	found, err := Verify(directory, func(done, total int, what string) {
		if steps++; done < last || done >= total || !strings.HasPrefix(what, directory) {
			t.Errorf("progress %d of %d: %s", done, total, what)
		}
		last = done
	})
	if err != nil || len(found.Faults) > 0 || steps == 0 {
		t.Errorf("Verify = %+v, %v after %d steps", found, err, steps)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	verified(t, directory)
	// Several starts leave several logs.
	for range 3 {
		s := openUpkeep(t, directory)
		fillUpkeep(t, s, 100)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		verified(t, directory)
	}
}

// TestVerifyBesideAServer verifies a store repeatedly while it is written to, flushed and merged.
func TestVerifyBesideAServer(t *testing.T) {
	directory := filepath.Join(t.TempDir(), "store")
	s := openUpkeep(t, directory)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			fillUpkeep(t, s, 300)
			if err := s.Merge(t.Context()); err != nil {
				t.Error(err)
				return
			}
		}
	})
	deadline := time.Now().Add(30 * time.Second)
	for s.Stats().Observations.Merges < 12 && time.Now().Before(deadline) {
		verified(t, directory)
	}
	close(stop)
	wg.Wait()
}

// flip changes one bit of a file, runs a check, and restores the file.
func flip(t *testing.T, path string, offset int, check func()) {
	t.Helper()
	content := readAll(t, path)
	damaged := bytes.Clone(content)
	damaged[offset] ^= 1 << (offset % 8)
	overwrite(t, path, damaged)
	check()
	overwrite(t, path, content)
}

// wantFault verifies a store and expects a fault that contains all the given strings.
func wantFault(t *testing.T, directory, what string, parts ...string) {
	t.Helper()
	found, err := Verify(directory, nil)
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
	for _, f := range found.Faults {
		all := true
		for _, part := range parts {
			all = all && strings.Contains(f, part)
		}
		if all {
			return
		}
	}
	t.Errorf("%s: no fault with %q in %q", what, parts, found.Faults)
}

// smallStore returns a store with a merged segment of each table, a younger segment and a log.
func smallStore(t *testing.T) string {
	t.Helper()
	directory := filepath.Join(t.TempDir(), "store")
	s := openUpkeep(t, directory)
	r := rand.New(rand.NewPCG(3, 4))
	write := func(from, count int) {
		var observations []domain.Observation
		var scores []domain.Score
		for n := from; n < from+count; n++ {
			o, sc := upkeepObservation(r, n), upkeepScore(r, n)
			o.StartTime, sc.Timestamp = upkeepNoon+domain.Micros(n*1000), upkeepNoon+domain.Micros(n*1000)
			observations, scores = append(observations, o), append(scores, sc)
		}
		if err := s.Observations().Append(t.Context(), domain.OfProject("a"), observations); err != nil {
			t.Fatal(err)
		}
		if err := s.Scores().Append(t.Context(), domain.OfProject("a"), scores); err != nil {
			t.Fatal(err)
		}
	}
	flush := func() {
		if err := s.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	write(0, 150)
	flush()
	write(140, 150) // replaces some
	flush()
	if err := s.Merge(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(290, 70)
	flush()
	write(360, 30)
	write(390, 30)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return directory
}

// TestVerifyFindsEveryFlippedBit flips bits all over the pages of segments, the sections of indexes, logs and
// manifests.
func TestVerifyFindsEveryFlippedBit(t *testing.T) {
	directory := smallStore(t)
	verified(t, directory)
	r := rand.New(rand.NewPCG(5, 6))
	for _, table := range []string{"observations", "scores"} {
		files, err := filepath.Glob(filepath.Join(directory, table, "*"))
		if err != nil || len(files) < 6 {
			t.Fatalf("%q, %v", files, err)
		}
		for _, path := range files {
			for range 8 {
				offset, ok := checkedOffset(t, r, path)
				if !ok {
					continue
				}
				flip(t, path, offset, func() {
					wantFault(t, directory, fmt.Sprintf("byte %d of %s", offset, path), filepath.Base(path))
				})
			}
		}
	}
	verified(t, directory)
}

// checkedOffset chooses a byte that is covered by a checksum or a comparison: not padding, and not an unchecked part of
// a footer.
func checkedOffset(t *testing.T, r *rand.Rand, path string) (int, bool) {
	t.Helper()
	content := readAll(t, path)
	switch filepath.Ext(path) {
	case ".parquet":
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		footer, err := readFooter(file)
		if err != nil {
			t.Fatal(err)
		}
		return r.IntN(int(footer.RowGroups[0].Columns[0].OffsetIndexOffset)), true
	case ".idx":
		start, end := sectionOf(content, 0, r.IntN(observationSchema().sections()))
		if start == end {
			return 0, false
		}
		return start + r.IntN(end-start), true
	case ".wal":
		// An incomplete last frame is not a fault, so a damaged one must be followed by a good one.
		if len(content) < logHead+frameHeader {
			t.Fatalf("nothing is in %s", path)
		}
		first := frameHeader + int(binary.LittleEndian.Uint32(content[logHead+4:]))
		if logHead+first >= len(content) {
			return 0, false
		}
		return r.IntN(logHead + first), true
	}
	// In the manifest, everything up to its last edit is checked.
	last := len(manifestMagic)
	for next := last; next < len(content); {
		payload, _ := frameAt(content, next, manifestMark)
		last, next = next, next+frameHeader+len(payload)
	}
	return r.IntN(last), true
}

// sectionOf returns the location of a section in an index file.
func sectionOf(index []byte, group, section int) (start, end int) {
	blob := int(binary.LittleEndian.Uint64(index[16+24*group:]))
	at := index[blob+8+24*section:]
	start = blob + int(binary.LittleEndian.Uint64(at))
	return start, start + int(binary.LittleEndian.Uint64(at[8:]))
}

// TestVerifyComparesIndexesWithRows changes sections and gives them a valid checksum, as a bug would.
func TestVerifyComparesIndexesWithRows(t *testing.T) {
	directory := smallStore(t)
	swap := func(b []byte, i, j, size int) {
		for k := range size {
			b[i+k], b[j+k] = b[j+k], b[i+k]
		}
	}
	// firstHash returns the offset of the first entry of a section's hashes, after the starts of the buckets.
	firstHash := func(b []byte) int { return 8 + 4*(1<<b[4]+1) }
	cases := []struct {
		name    string
		section int
		change  func(b []byte)
		want    string
	}{
		{"rows", sectionMeta, func(b []byte) { b[0]++ }, ""},
		{"times", sectionMeta, func(b []byte) { b[len(b)-1] ^= 1 }, "its projects and times do not match"},
		{"pages", sectionPages, func(b []byte) { b[len(b)-1] ^= 1 }, "its pages do not match"},
		{"order", sectionOrder, func(b []byte) { swap(b, 0, 1, 1) }, "its rows in order do not match"},
		{"order twice", sectionOrder, func(b []byte) { b[0] = b[1] }, "its rows in order do not match"},
		{"bloom", sectionBloom, func(b []byte) { clear(b[:64]) }, "its keys do not match"},
		{"hash of the first indexed column", sectionNames, func(b []byte) { b[firstHash(b)] ^= 1 }, "its rows by"},
		{"row of the first indexed column", sectionNames, func(b []byte) { b[len(b)-1] ^= 1 }, "its rows by"},
		{"hash of the second indexed column", sectionNames + 1, func(b []byte) { b[firstHash(b)] ^= 1 }, "its rows by"},
		{"hash of the third indexed column", sectionNames + 2, func(b []byte) { b[firstHash(b)] ^= 1 }, "its rows by"},
		{"members", sectionMembers, func(b []byte) { clear(b[8:]) }, "its members of metadata do not match"},
		{"fields", observationSchema().fieldsSection(), func(b []byte) { b[len(b)-1] ^= 1 }, "its fields of metadata do not match"},
		{"words", sectionWords, func(b []byte) { clear(b[8:]) }, "its words do not match"},
		{"rowBlocks", sectionWords, func(b []byte) { b[0]++ }, "its words do not match"},
	}
	for _, path := range indexFiles(t, directory) {
		content := readAll(t, path)
		group := int(binary.LittleEndian.Uint32(content[8:])) - 1 // the last one
		for _, c := range cases {
			if (c.section == sectionWords || c.name == "fields") && strings.Contains(path, "scores") {
				continue // few words, and fields are in a different section
			}
			start, end := sectionOf(content, group, c.section)
			damaged := bytes.Clone(content)
			c.change(damaged[start:end])
			head := int(binary.LittleEndian.Uint64(content[16+24*group:])) + 8 + 24*c.section
			binary.LittleEndian.PutUint32(damaged[head+16:], crc32.Checksum(damaged[start:end], castagnoli))
			overwrite(t, path, damaged)
			wantFault(t, directory, c.name+" of "+path, filepath.Base(path), c.want)
		}
		overwrite(t, path, content)
	}
	verified(t, directory)
}

// TestVerifyFindsWhatIsMissing removes files and edits manifests.
func TestVerifyFindsWhatIsMissing(t *testing.T) {
	directory := smallStore(t)
	table := filepath.Join(directory, "observations")
	without := func(path string, parts ...string) {
		t.Helper()
		content := readAll(t, path)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		wantFault(t, directory, "without "+path, parts...)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	index := indexFiles(t, table+"/..")[0]
	without(index, filepath.Base(index), "is missing")
	segment := strings.TrimSuffix(index, ".idx") + ".parquet"
	without(segment, filepath.Base(segment), "is missing")
	without(filepath.Join(table, manifestName), "manifest")

	// A write in the middle of the log.
	logs, err := filepath.Glob(filepath.Join(table, "log-*"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("%q, %v", logs, err)
	}
	content := readAll(t, logs[0])
	var frames [][]byte
	m := mark(content[len(logMagic) : logHead-4])
	for rest := content[logHead:]; len(rest) > 0; rest = rest[len(frames[len(frames)-1]):] {
		payload, ok := frameAt(rest, 0, m)
		if !ok {
			t.Fatal("the log is damaged")
		}
		frames = append(frames, rest[:frameHeader+len(payload)])
	}
	last := frames[len(frames)-1]
	overwrite(t, logs[0], append(bytes.Clone(content[:logHead]), append(bytes.Clone(frames[0]), last...)...))
	wantFault(t, directory, "a missing write", filepath.Base(logs[0]), "are missing")
	overwrite(t, logs[0], append(bytes.Clone(content[:logHead]), last...))
	wantFault(t, directory, "the start of a log missing", filepath.Base(logs[0]), "are missing")
	overwrite(t, logs[0], content[:len(content)-1]) // incomplete, as after a crash
	verified(t, directory)
	overwrite(t, logs[0], content)
	verified(t, directory)

	path := filepath.Join(table, manifestName)
	manifest := readAll(t, path)
	state, _, err := loadManifest(table)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		edit edit
		want string
	}{
		"dead rows of a segment that is not there": {
			edit{Dead: []deadRows{{Segment: 4000, Rows: []byte{0}}}}, "lists dead rows of segment 4000",
		},
		"dead rows of no row group": {edit{Dead: []deadRows{{Segment: state.segments[0], Group: 70, Rows: []byte{0}}}}, "row group 70"},
		"a dead row that is not there": {
			edit{Dead: []deadRows{{Segment: state.segments[0], Rows: []byte{1, 1, 0xff, 0xff, 3}}}}, "a set of dead rows is damaged",
		},
		"dead rows of another size": {
			edit{Dead: []deadRows{{Segment: state.segments[0], Rows: []byte{2, 1}}}}, "a set of dead rows is damaged",
		},
		"a segment that is not there":   {edit{Add: []int{3000}, Next: 3001}, "00003000.parquet is missing"},
		"a segment twice":               {edit{Add: []int{state.segments[0]}}, "twice"},
		"a number that will come again": {edit{Add: []int{5000}}, "the next file"},
		"a horizon behind the log":      {edit{Horizon: state.horizon - 1}, ""},
	} {
		frame, err := manifestFrame(c.edit)
		if err != nil {
			t.Fatal(err)
		}
		overwrite(t, path, append(bytes.Clone(manifest), frame...))
		if c.want == "" { // an edit cannot move the horizon back
			verified(t, directory)
			continue
		}
		wantFault(t, directory, name, c.want)
	}
	overwrite(t, path, manifest[:len(manifest)-3]) // the last edit is incomplete and does not take effect
	wantFault(t, directory, "the end of the manifest", "MANIFEST cannot be read from offset")
}
