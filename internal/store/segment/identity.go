package segment

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"almanac/internal/disk"
)

// A store has an id, by which a catalog knows the store that belongs to it: a missing directory, or one of another
// installation, is not taken for its own. The manifest of each table has the id, so that it is in every copy.

// TableID is the id in the manifest of a table.
type TableID struct {
	Directory string
	// Written is false if there is no table.
	Written bool
	// ID is empty if there is no table, or if it was last opened by a version without ids.
	ID string
}

// TableIDs returns the ids of the tables of the store in a directory, which need not exist. It changes nothing.
func TableIDs(directory string) ([]TableID, error) {
	var ids []TableID
	for _, t := range tables() {
		id := TableID{Directory: filepath.Join(directory, t.name)}
		never, err := neverWritten(id.Directory)
		if err != nil {
			return nil, err
		}
		if !never {
			state, _, err := loadManifest(id.Directory)
			if errors.Is(err, fs.ErrNotExist) {
				err = errNoManifest(id.Directory)
			}
			if err != nil {
				return nil, err
			}
			id.Written, id.ID = true, state.store
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// firstID returns the id that one of the tables has, or the empty string. What cannot be read is reported by those who
// open it.
func firstID(directory string) string {
	for _, t := range tables() {
		if state, _, err := loadManifest(filepath.Join(directory, t.name)); err == nil && state.store != "" {
			return state.store
		}
	}
	return ""
}

// SetID gives the store in a directory another id, and creates tables that do not exist. No server may have it open.
func SetID(d disk.Disk, directory, id string) error {
	for _, t := range tables() {
		if err := setTableID(d, filepath.Join(directory, t.name), id); err != nil {
			return fmt.Errorf("cannot change the id of the event store: %w", err)
		}
	}
	return nil
}

func setTableID(d disk.Disk, directory, id string) error {
	if err := makeTable(d, directory); err != nil {
		return err
	}
	m, state, err := openManifest(directory, Options{disk: d, id: id}.withDefaults())
	if err != nil {
		return err
	}
	if state.store != id {
		if err = m.tidy(directory, state); err == nil {
			err = m.append(edit{Store: id})
		}
	}
	return errors.Join(err, m.close())
}
