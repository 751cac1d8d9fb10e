package formats

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	_ "modernc.org/sqlite" // registers the driver
)

// Format describes the format of the files in a data directory and a backup. If it changes, a new archive is needed.
type Format struct {
	Log      string   `json:"log,omitempty"`      // beginning of log files
	Index    string   `json:"index,omitempty"`    // beginning of indexes
	Manifest int      `json:"manifest,omitempty"` // version of a table
	Columns  []string `json:"columns,omitempty"`  // columns of the segments of each table, with types and encodings
	Sections []int    `json:"sections,omitempty"` // number of sections of each index
	Catalog  []int    `json:"catalog"`            // versions of the schema
	Backup   []string `json:"backup,omitempty"`   // members of backup.json; its version
	Media    string   `json:"media,omitempty"`    // depth of media files and length of their names
}

// FormatOf reads the format of a data directory, and of a backup if there is one.
func FormatOf(ctx context.Context, data, backup string) (f Format, err error) {
	for _, table := range []string{"observations", "scores"} {
		if err := f.readTable(filepath.Join(data, "events", table)); err != nil {
			return f, fmt.Errorf("table %s: %w", table, err)
		}
	}
	slices.Sort(f.Sections)
	f.Sections = slices.Compact(f.Sections)
	if f.Catalog, err = catalogVersions(ctx, filepath.Join(data, "catalog.db")); err != nil {
		return f, err
	}
	if media, err := filepath.Glob(filepath.Join(data, "media", "*", "*", "*")); err != nil {
		return f, err
	} else if len(media) > 0 {
		relative := strings.Split(strings.TrimPrefix(media[0], data), string(filepath.Separator))
		for _, name := range relative[2:] {
			f.Media += fmt.Sprintf("/%d", len(name))
		}
	}
	note, err := os.ReadFile(filepath.Join(backup, "backup.json")) //nolint:gosec // a test names it
	if err != nil {
		return f, nil //nolint:nilerr // there was no backup yet
	}
	var members map[string]any
	if err := json.Unmarshal(note, &members); err != nil {
		return f, err
	}
	for name := range members {
		f.Backup = append(f.Backup, name)
	}
	slices.Sort(f.Backup)
	f.Backup = append(f.Backup, fmt.Sprint(members["format"]))
	return f, nil
}

func (f *Format) readTable(directory string) error {
	files, err := filepath.Glob(filepath.Join(directory, "*"))
	if err != nil {
		return err
	}
	for _, name := range files {
		content, err := os.ReadFile(name) //nolint:gosec // a test names it
		if err != nil {
			return err
		}
		switch filepath.Ext(name) {
		case ".wal":
			f.Log = string(content[:8])
		case ".idx":
			f.Index = string(content[:8])
			f.Sections = append(f.Sections, int(binary.LittleEndian.Uint32(content[binary.LittleEndian.Uint64(content[16:]):])))
		case ".parquet":
			columns, err := columnsOf(content)
			if err != nil {
				return err
			}
			if !slices.Contains(f.Columns, columns) {
				f.Columns = append(f.Columns, columns)
			}
		case "":
			for rest := content; ; { // the edits of the manifest, which are JSON
				at := bytes.Index(rest, []byte(`{"format":`))
				if at < 0 {
					break
				}
				var edit struct{ Format int }
				if err := json.NewDecoder(bytes.NewReader(rest[at:])).Decode(&edit); err != nil {
					return err
				}
				f.Manifest, rest = max(f.Manifest, edit.Format), rest[at+1:]
			}
		}
	}
	return nil
}

// columnsOf returns the columns of a segment with their types and encodings.
func columnsOf(content []byte) (string, error) {
	end := len(content) - 8
	size := int(binary.LittleEndian.Uint32(content[end:]))
	meta := new(format.FileMetaData)
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), content[end-size:end], meta); err != nil {
		return "", err
	}
	columns := []string{meta.Schema[0].Name}
	for n := range meta.RowGroups[0].Columns {
		c := &meta.RowGroups[0].Columns[n].MetaData
		columns = append(columns, fmt.Sprintf("%s:%v:%v", c.PathInSchema[0], c.Type, c.Encoding[len(c.Encoding)-1]))
	}
	return strings.Join(columns, " "), nil
}

// catalogVersions returns the versions recorded in a catalog, in today's way or that of earlier programs.
func catalogVersions(ctx context.Context, file string) (versions []int, err error) {
	db, err := sql.Open("sqlite", "file:"+file)
	if err != nil {
		return nil, err
	}
	defer db.Close() //nolint:errcheck // only read
	rows, err := db.QueryContext(ctx, "SELECT version FROM schema_versions ORDER BY version")
	if err != nil {
		// distinguished from today's by the sign
		rows, err = db.QueryContext(ctx, "SELECT -version_id FROM goose_db_version WHERE version_id > 0 ORDER BY version_id")
	}
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // only read
	for rows.Next() {
		var version int
		if err := rows.Scan(&version); err != nil {
			return nil, err
		}
		versions = append(versions, version)
	}
	return versions, rows.Err()
}
