package segment

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"almanac/internal/disk"
)

// The manifest records which segments a table has, which of their rows are dead, and which log writes they contain. It
// is a file of frames like those of the log, one for each edit; an edit takes effect atomically when its frame is
// synced. Files that no edit names are left over from a crash and are removed.
//
//	MANIFEST = "ALMMAN1\n" frame*      payload = an edit as JSON
const (
	manifestName  = "MANIFEST"
	manifestMagic = "ALMMAN1\n"
	// manifestLimit is the size from which the manifest is rewritten, if that makes it much shorter.
	manifestLimit = 4 << 20
)

var manifestMark = mark{'E', 'D', 'I', 'T'}

// edit is a change to the files of a table.
type edit struct {
	// Format is the format version, in the first edit of a manifest.
	Format int `json:"format,omitempty"`
	// Store is the id of the store that the table belongs to. Versions without ids ignore it.
	Store string `json:"store,omitempty"`
	// Add and Remove are numbers of segments.
	Add    []int `json:"add,omitempty"`
	Remove []int `json:"remove,omitempty"`
	// Dead replaces the sets of dead rows of the given row groups.
	Dead []deadRows `json:"dead,omitempty"`
	// Applied are row groups whose deferred removals were made up for. They take effect before Deferred.
	Applied []groupName `json:"applied,omitempty"`
	// Deferred are deletes and replacements that could not be applied to a row group yet.
	Deferred []deferredRemoval `json:"deferred,omitempty"`
	// Horizon is the sequence number up to which every write is contained in the segments.
	Horizon uint64 `json:"horizon,omitempty"`
	// Next is larger than the number of any file that ever existed.
	Next int `json:"next,omitempty"`
	// Logs are log files that exist from now on, and Dropped are numbers of those that are no longer needed.
	Logs    []logID `json:"logs,omitempty"`
	Dropped []int   `json:"dropped,omitempty"`
	// Synced is a sequence number up to which every write was in the log or in segments, durably.
	Synced uint64 `json:"synced,omitempty"`
	// Lost are writes that are missing from the log, which the operator has accepted.
	Lost []lostWrites `json:"lost,omitempty"`
}

// logID identifies a log file: its number, and the mark in its head.
type logID struct {
	Number int    `json:"number"`
	Mark   []byte `json:"mark"`
}

// lostWrites is a range of sequence numbers, with both ends.
type lostWrites struct {
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
}

// groupName identifies a row group in the manifest.
type groupName struct {
	Segment int `json:"segment"`
	Group   int `json:"group"`
}

type deadRows struct {
	Segment int    `json:"segment"`
	Group   int    `json:"group"`
	Rows    []byte `json:"rows"`
}

// formatVersion is the version of everything in a table's directory. It increases with every change that earlier
// programs cannot read, including new columns. Newer versions are refused. Earlier versions are read, and upgraded when
// the table is opened.
//
//	1  until the words of an index were hashed in one step
//	2  indexes begin with ALMIDX3
//	3  scores have the column browser_key
//	4  rows have the column sequence
//	5  the log has deletions restricted to a window of arrivals
//	6  the manifest has deferred removals, and says which log files there are and how far they reach at least
//	7  observations have the column inherited
const formatVersion = 7

// tableState is the result of applying all edits.
type tableState struct {
	format   int
	store    string // empty before it has an id
	segments []int
	dead     map[groupName][]byte
	deferred map[groupName]map[string]bool // sets of records
	horizon  uint64
	next     int
	logs     map[int][]byte // marks by number
	synced   uint64
	lost     []lostWrites // beyond the horizon
}

func newTableState() *tableState {
	return &tableState{dead: make(map[groupName][]byte), deferred: make(map[groupName]map[string]bool), logs: make(map[int][]byte)}
}

func (s *tableState) apply(e edit) error {
	if e.Format > formatVersion {
		return fmt.Errorf("it has format %d, %w; this version supports up to %d: run that version, or restore an earlier backup", e.Format,
			errNewer, formatVersion)
	}
	s.format, s.store = max(s.format, e.Format), cmp.Or(e.Store, s.store)
	s.segments = append(s.segments, e.Add...)
	for _, number := range e.Remove {
		n := slices.Index(s.segments, number)
		if n < 0 {
			return fmt.Errorf("it removes segment %d, which does not exist", number)
		}
		s.segments = slices.Delete(s.segments, n, n+1)
		for key := range s.dead {
			if key.Segment == number {
				delete(s.dead, key)
			}
		}
		for key := range s.deferred {
			if key.Segment == number {
				delete(s.deferred, key)
			}
		}
	}
	for _, d := range e.Dead {
		s.dead[groupName{d.Segment, d.Group}] = d.Rows
	}
	for _, g := range e.Applied {
		delete(s.deferred, g)
	}
	for _, d := range e.Deferred {
		name := groupName{d.Segment, d.Group}
		if s.deferred[name] == nil {
			s.deferred[name] = make(map[string]bool)
		}
		s.deferred[name][string(d.Record)] = true
	}
	for _, l := range e.Logs {
		s.logs[l.Number] = l.Mark
	}
	for _, number := range e.Dropped {
		delete(s.logs, number)
	}
	s.horizon, s.next, s.synced = max(s.horizon, e.Horizon), max(s.next, e.Next), max(s.synced, e.Synced, e.Horizon)
	s.lost = slices.DeleteFunc(append(s.lost, e.Lost...), func(l lostWrites) bool { return l.To <= s.horizon })
	return nil
}

// after returns the number of the last write that is accepted as lost if the one after seq is, and seq otherwise.
func (s *tableState) after(seq uint64) uint64 {
	for _, l := range s.lost {
		if l.From <= seq+1 && seq < l.To {
			return s.after(l.To)
		}
	}
	return seq
}

// manifest is the open manifest file.
type manifest struct {
	disk  disk.Disk
	file  *disk.File
	point func(string)
	limit int64 // manifestLimit
	size  int64 // of the edits that were read or written
	all   int64 // of the whole file, including an unreadable end
	least int64 // its size when it was last rewritten
}

// openManifest reads the manifest of a directory, or creates one if there is none. It does not modify an existing one
// and leaves that to tidy, since the end may be corrupt rather than incomplete.
func openManifest(directory string, options Options) (*manifest, *tableState, error) {
	path := filepath.Join(directory, manifestName)
	state := newTableState()
	m := &manifest{disk: options.disk, point: options.failpoint, limit: options.manifestLimit}
	content, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		// It is created before any other file.
		if never, err := neverWritten(directory); err != nil || !never {
			return nil, nil, errors.Join(errNoManifest(directory), err)
		}
		state.store = options.id
		if err := writeManifest(m.disk, directory, state); err != nil {
			return nil, nil, fmt.Errorf("cannot create %s: %w", path, err)
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, nil, err
		}
		m.size, m.all = info.Size(), info.Size()
	case err != nil:
		return nil, nil, fmt.Errorf("cannot read the manifest: %w", err)
	default:
		if m.size, err = readManifest(path, content, state); err != nil {
			return nil, nil, err
		}
		m.all = int64(len(content))
	}
	if m.file, err = m.disk.OpenFile(path, os.O_WRONLY|os.O_APPEND); err != nil {
		return nil, nil, err
	}
	// The process that wrote it may have been killed before its name was synced. Its contents are synced with the edit
	// that names the first log, before anything is removed.
	if err := m.disk.SyncDirectory(disk.TableRead, directory); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("cannot sync %s: %w", path, err), m.close())
	}
	return m, state, nil
}

// errNoManifest is the error for a directory with files of a table and without a manifest.
func errNoManifest(directory string) error {
	return fmt.Errorf("%s is missing, but there are files that belong to it: restore a backup", filepath.Join(directory, manifestName))
}

// tidy prepares the file for writing: it truncates an incomplete end and rewrites a file that is too long.
func (m *manifest) tidy(directory string, state *tableState) error {
	path := m.file.Name()
	var err error
	if m.size > m.limit && m.size > 2*m.least {
		if err = writeNewManifest(m.disk, directory, state); err == nil {
			err = errors.Join(m.file.Close(), replaceManifest(m.disk, directory, state)) // Windows cannot replace an open file
		}
		if err == nil {
			m.file, err = m.disk.OpenFile(path, os.O_WRONLY|os.O_APPEND)
		}
		if err == nil {
			var info os.FileInfo
			if info, err = m.file.Stat(); err == nil {
				m.size, m.all, m.least = info.Size(), info.Size(), info.Size()
			}
		}
	} else if m.size < m.all {
		err = m.file.Truncate(m.size) // if the end reappears, it is truncated again; the next edit syncs this as well
		m.all = m.size
	}
	if err != nil {
		return fmt.Errorf("cannot clean up %s: %w", path, err)
	}
	return nil
}

// addCause adds the possible cause to an error in opening a table: that the last edit is lost.
func (m *manifest) addCause(err error) error {
	if err == nil || m.size == m.all {
		return err
	}
	return fmt.Errorf("%w; %s cannot be read from offset %d on: if this is damage rather than a write interrupted by a crash, restore a "+
		"backup", err, m.file.Name(), m.size)
}

// readManifest applies all edits and returns the size of the readable part of the file.
func readManifest(path string, content []byte, state *tableState) (int64, error) {
	if len(content) < len(manifestMagic) || string(content[:len(manifestMagic)]) != manifestMagic {
		return 0, fmt.Errorf("%s has an invalid header: it is damaged, or from a newer version", path)
	}
	offset := len(manifestMagic)
	for offset < len(content) {
		payload, ok := frameAt(content, offset, manifestMark)
		if !ok {
			if frameFollows(content, offset+1, manifestMark) {
				return 0, fmt.Errorf("%s is damaged at offset %d: restore a backup", path, offset)
			}
			break // incomplete: the crash came before it took effect
		}
		var e edit
		if err := json.Unmarshal(payload, &e); err != nil {
			return 0, fmt.Errorf("%s has an invalid edit at offset %d: %w", path, offset, err)
		}
		if err := state.apply(e); err != nil {
			return 0, fmt.Errorf("%s, edit at offset %d: %w", path, offset, err)
		}
		offset += frameHeader + len(payload)
	}
	if offset == len(manifestMagic) { // the first edit is written before the file is renamed into place
		return 0, fmt.Errorf("%s is damaged at offset %d: its first edit is incomplete; restore a backup", path, offset)
	}
	return int64(offset), nil
}

// errNotTidy means that a shorter manifest could not be written. The existing one remains valid.
var errNotTidy = errors.New("cannot rewrite the manifest")

// writeManifest replaces the manifest, which must not be open, with one that has a single edit.
func writeManifest(d disk.Disk, directory string, state *tableState) error {
	if err := writeNewManifest(d, directory, state); err != nil {
		return err
	}
	return replaceManifest(d, directory, state)
}

// writeNewManifest writes a manifest with a single edit next to the one in use.
func writeNewManifest(d disk.Disk, directory string, state *tableState) error {
	e := edit{
		Format: formatVersion, Store: state.store, Add: state.segments, Horizon: state.horizon, Next: state.next, Synced: state.synced,
		Lost: state.lost,
	}
	for number, mark := range state.logs {
		e.Logs = append(e.Logs, logID{number, mark})
	}
	for key, rows := range state.dead {
		e.Dead = append(e.Dead, deadRows{key.Segment, key.Group, rows})
	}
	for key, records := range state.deferred {
		for record := range records {
			e.Deferred = append(e.Deferred, deferredRemoval{key.Segment, key.Group, []byte(record)})
		}
	}
	frame, err := manifestFrame(e)
	if err != nil {
		return err
	}
	path := filepath.Join(directory, manifestName)
	if err := d.WriteFile(disk.ManifestAgain, path+".new", os.O_TRUNC, func(w io.Writer) error {
		_, err := w.Write(append([]byte(manifestMagic), frame...))
		return err
	}); err != nil {
		return fmt.Errorf("%w: %w", errNotTidy, errors.Join(err, d.Remove(path+".new")))
	}
	return nil
}

// replaceManifest makes the new manifest the one in use.
func replaceManifest(d disk.Disk, directory string, state *tableState) error {
	path := filepath.Join(directory, manifestName)
	if err := d.Rename(path+".new", path); err != nil {
		return err
	}
	state.format = formatVersion
	return d.SyncDirectory(disk.ManifestName, directory)
}

func manifestFrame(e edit) ([]byte, error) {
	payload, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	frame := append(make([]byte, frameHeader), payload...)
	putFrameHeader([][]byte{frame}, manifestMark)
	return frame, nil
}

// append makes an edit take effect, durably. After store.ErrDiskFull the manifest is unchanged.
func (m *manifest) append(e edit) error {
	frame, err := manifestFrame(e)
	if err != nil {
		return err
	}
	m.point("manifest-write")
	if _, err := m.file.Write(frame); err != nil {
		return truncateFailedWrite(m.file, m.size, fmt.Errorf("cannot write to %s: %w", m.file.Name(), err))
	}
	m.size += int64(len(frame))
	m.all = m.size
	m.point("manifest-sync")
	if err := m.file.Sync(disk.ManifestEdit); err != nil {
		return fmt.Errorf("cannot sync %s: %w", m.file.Name(), err)
	}
	m.point("manifest-synced")
	return nil
}

func (m *manifest) close() error { return m.file.Close() }
