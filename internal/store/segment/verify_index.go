package segment

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// checkIndex compares the index of a segment with one built from the rows of its Parquet file.
func checkIndex[R any](s *schema[R], f *segmentFile, path string, groups []*rowGroup[R], found *faults) {
	indexed, err := openRowGroups(s, f, newCache(32<<20, 0))
	if err != nil {
		found.add("%s: %v", path, err)
		return
	}
	if groups == nil { // the footer of the segment is damaged, which was already reported
		groups = make([]*rowGroup[R], len(indexed))
	}
	if len(indexed) != len(groups) {
		found.add("%s has %d row groups, the segment has %d", path, len(indexed), len(groups))
		return
	}
	for n, g := range indexed {
		if err := checkBlob(s, g, groups[n]); err != nil {
			found.add("%s, row group %d at offset %d: %v", path, n, blobAt(f.index, n), err)
		}
	}
}

// checkBlob compares the index sections of a row group with the row group itself, which is nil if the segment is
// damaged there. It stops at the first fault: the whole index is rebuilt in any case.
func checkBlob[R any](s *schema[R], index, data *rowGroup[R]) error {
	got := make([][]byte, s.sections())
	for n := range got {
		var err error
		if got[n], err = index.section(n); err != nil {
			return err
		}
	}
	if data == nil {
		return nil
	}
	if index.base != data.base {
		return fmt.Errorf("it starts at offset %d of the segment, not at %d", data.base, index.base)
	}
	w, err := writerOf(s, data)
	if err != nil {
		return err
	}
	for n, want := range w.indexSections(w.textSections()) {
		if !bytes.Equal(got[n], want) {
			return fmt.Errorf("its %s do not match the rows of the segment", s.sectionTitle(n))
		}
	}
	return nil
}

// sectionTitle returns the name of a section in messages.
func (s *schema[R]) sectionTitle(n int) string {
	switch {
	case n < sectionNames:
		return [...]string{"projects and times", "pages", "rows in order", "keys", "members of metadata", "words"}[n]
	case n == s.fieldsSection():
		return "fields of metadata"
	}
	return "rows by " + s.columns[s.named[n-sectionNames]].Name
}

// blobAt returns the offset of a row group's blob in an index file, for messages.
func blobAt(index []byte, ordinal int) uint64 {
	if at := 16 + 24*ordinal; at+8 <= len(index) {
		return binary.LittleEndian.Uint64(index[at:])
	}
	return 0
}
