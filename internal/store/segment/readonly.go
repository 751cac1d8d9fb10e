package segment

import (
	"errors"
	"os"
	"path/filepath"
)

// errReadOnly is the error of writes to a store that was opened with OpenReadOnly.
var errReadOnly = errors.New("the event store is only open for reading")

// OpenReadOnly opens the store in a directory for reading, and changes nothing there. Nobody may write to it meanwhile.
// Indexes of earlier versions are rebuilt in scratch, a directory that the caller removes afterwards.
func OpenReadOnly(directory, scratch string, options Options) (*Store, error) {
	if err := RefuseNewer(directory); err != nil {
		return nil, err
	}
	options = options.withDefaults()
	observations, err := loadReadOnly(observationSchema(), directory, scratch, options)
	if err != nil {
		return nil, err
	}
	scores, err := loadReadOnly(scoreSchema(), directory, scratch, options)
	if err != nil {
		return nil, errors.Join(err, observations.close())
	}
	return &Store{observations, scores}, nil
}

func loadReadOnly[R any](s *schema[R], store, scratch string, options Options) (*table[R], error) {
	directory := filepath.Join(store, s.table)
	state := newTableState()
	never, err := neverWritten(directory)
	if err == nil && !never {
		state, _, err = loadManifest(directory)
	}
	if err != nil {
		return nil, err
	}
	t := newTable(s, directory, options, &freeSpace{directory: store})
	t.state, t.scratch = state, filepath.Join(scratch, s.table)
	failed := errReadOnly
	t.failed.Store(&failed)
	if err := os.MkdirAll(t.scratch, 0o700); err != nil { //nolint:forbidigo // nothing in it outlives the process
		return nil, err
	}
	if _, _, err := t.read(state); err != nil {
		return nil, err
	}
	v := *t.current.Load()
	v.hot = append(v.hot, newHotTable(s))
	t.current.Store(&v)
	return t, nil
}

// readOnly reports whether the table was opened with OpenReadOnly.
func (t *table[R]) readOnly() bool { return t.scratch != "" }
