package segment

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/disk"
)

func openedState(t interface{ Fatal(...any) }, directory string) (*manifest, *tableState) {
	m, state, err := openManifest(directory, Options{}.withDefaults())
	if err != nil {
		t.Fatal(err)
	}
	if err := m.tidy(directory, state); err != nil {
		t.Fatal(err)
	}
	return m, state
}

// TestManifest applies random edits, reopening the manifest in between, and compares with the expected state.
func TestManifest(t *testing.T) {
	newDirectory := t.TempDir
	rapid.Check(t, func(t *rapid.T) {
		directory := newDirectory()
		m, _ := openedState(t, directory)
		want := &tableState{format: formatVersion, dead: make(map[groupName][]byte), deferred: make(map[groupName]map[string]bool)}
		next := 1
		for range rapid.IntRange(0, 8).Draw(t, "edits") {
			e := edit{Horizon: want.horizon + rapid.Uint64Range(0, 5).Draw(t, "more")}
			for range rapid.IntRange(0, 2).Draw(t, "new") {
				e.Add = append(e.Add, next)
				next++
			}
			if len(want.segments) > 0 && rapid.Bool().Draw(t, "remove") {
				e.Remove = []int{rapid.SampledFrom(want.segments).Draw(t, "old")}
			}
			for _, number := range want.segments {
				if rapid.Bool().Draw(t, "dead") && !slices.Contains(e.Remove, number) {
					e.Dead = append(e.Dead, deadRows{number, 0, rapid.SliceOfN(rapid.Byte(), 1, 5).Draw(t, "rows")})
				}
			}
			e.Next = next
			if err := m.append(e); err != nil {
				t.Fatal(err)
			}
			if err := want.apply(e); err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "open again") {
				if err := m.close(); err != nil {
					t.Fatal(err)
				}
				var got *tableState
				m, got = openedState(t, directory)
				compareStates(t, want, got)
			}
		}
		// A rewritten manifest has the same state.
		if err := writeManifest(disk.Disk{}, directory, want); err != nil {
			t.Fatal(err)
		}
		if err := m.close(); err != nil {
			t.Fatal(err)
		}
		m, got := openedState(t, directory)
		compareStates(t, want, got)
		if err := m.close(); err != nil {
			t.Fatal(err)
		}
	})
}

func compareStates(t interface{ Fatal(...any) }, want, got *tableState) {
	if d := cmp.Diff(fmt.Sprintf("%+v", *want), fmt.Sprintf("%+v", *got)); d != "" {
		t.Fatal(d)
	}
}

// TestManifestForgetsTheDead checks that the dead rows of a segment are removed with it.
func TestManifestForgetsTheDead(t *testing.T) {
	s := newTableState()
	for _, e := range []edit{
		{Add: []int{1, 2}},
		{Dead: []deadRows{{1, 0, []byte{1}}, {1, 1, []byte{2}}, {2, 0, []byte{3}}}},
		{Add: []int{3}, Remove: []int{1}, Dead: []deadRows{{3, 0, []byte{4}}}},
	} {
		if err := s.apply(e); err != nil {
			t.Fatal(err)
		}
	}
	want := map[groupName][]byte{{2, 0}: {3}, {3, 0}: {4}}
	if d := cmp.Diff(want, s.dead); d != "" {
		t.Error(d)
	}
	wantErr(t, s.apply(edit{Remove: []int{1}}), "it removes segment 1, which does not exist")
}

// TestManifestIsWrittenAnew checks that a manifest that has grown long is rewritten when it is opened.
func TestManifestIsWrittenAnew(t *testing.T) {
	directory := t.TempDir()
	m, _ := openedState(t, directory)
	large := bytes.Repeat([]byte{7}, manifestLimit/4)
	for n := range 5 {
		if err := m.append(edit{Add: []int{n + 1}, Dead: []deadRows{{1, 0, large}}, Next: n + 2}); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(directory, manifestName)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	m, _ = openedState(t, directory)
	if err := m.append(edit{Add: []int{6}, Next: 7}); err != nil {
		t.Fatal(err)
	}
	if err := m.close(); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil || after.Size() > before.Size()/3 {
		t.Errorf("%d bytes before, %d after, %v", before.Size(), after.Size(), err)
	}
	m, state := openedState(t, directory)
	defer m.close()
	if d := cmp.Diff([]int{1, 2, 3, 4, 5, 6}, state.segments); d != "" || !bytes.Equal(state.dead[groupName{1, 0}], large) {
		t.Error(d)
	}
}

// TestManifestTail checks that an incomplete edit did not take effect, and does not prevent the next one.
func TestManifestTail(t *testing.T) {
	directory := t.TempDir()
	m, _ := openedState(t, directory)
	if err := m.append(edit{Add: []int{1}, Next: 2}); err != nil {
		t.Fatal(err)
	}
	if err := m.close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(directory, manifestName)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	frame, err := manifestFrame(edit{Add: []int{2}, Next: 3})
	if err != nil {
		t.Fatal(err)
	}
	for cut := range frame {
		for _, rest := range []int{0, 50} {
			torn := append(append(bytes.Clone(good), frame[:cut]...), make([]byte, rest)...)
			if err := os.WriteFile(path, torn, 0o600); err != nil {
				t.Fatal(err)
			}
			m, state := openedState(t, directory)
			if d := cmp.Diff([]int{1}, state.segments); d != "" {
				t.Fatalf("cut at %d: %s", cut, d)
			}
			if err := m.append(edit{Add: []int{9}, Next: 10}); err != nil {
				t.Fatal(err)
			}
			if err := m.close(); err != nil {
				t.Fatal(err)
			}
			m, state = openedState(t, directory)
			if d := cmp.Diff([]int{1, 9}, state.segments); d != "" || state.next != 10 {
				t.Fatalf("cut at %d: next %d, %s", cut, state.next, d)
			}
			if err := m.close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func FuzzReadManifest(f *testing.F) {
	content := []byte(manifestMagic)
	for _, e := range []edit{
		{Format: formatVersion, Next: 1}, {Add: []int{1, 2}, Horizon: 5, Next: 3}, {
			Add: []int{3}, Remove: []int{1}, Dead: []deadRows{{3, 0, []byte{0}}}, Next: 4,
		},
	} {
		frame, err := manifestFrame(e)
		if err != nil {
			f.Fatal(err)
		}
		content = append(content, frame...)
		f.Add(bytes.Clone(content))
	}
	f.Add(content[:len(content)-1])
	f.Fuzz(func(t *testing.T, content []byte) {
		state := newTableState()
		size, err := readManifest("MANIFEST", content, state)
		if err == nil && (size <= int64(len(manifestMagic)) || size > int64(len(content))) {
			t.Errorf("%d bytes were read of %d", size, len(content))
		}
	})
}

// TestManifestFirstEdit checks that an incomplete first edit counts as damage and never as an interrupted write: it is
// on disk before the manifest is renamed into place, and may name all segments.
func TestManifestFirstEdit(t *testing.T) {
	frame, err := manifestFrame(edit{Format: formatVersion, Add: []int{1, 2, 3}, Horizon: 100, Next: 4})
	if err != nil {
		t.Fatal(err)
	}
	for cut := range frame {
		damaged := bytes.Clone(frame)
		damaged[cut] ^= 1
		for _, content := range [][]byte{frame[:cut], damaged} {
			state := newTableState()
			_, err := readManifest("/data/MANIFEST", append([]byte(manifestMagic), content...), state)
			wantErr(t, err, "/data/MANIFEST is damaged at offset 8")
		}
	}
}
