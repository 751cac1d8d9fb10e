package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"almanac/internal/pricing/tokens/vocabularies"
)

// stampFile says what the other files were made of. It is there only when they all are.
const stampFile = "version"

// isUpToDate says whether all files are there and were made of what the stamp says.
func isUpToDate(directory *os.Root, stamp string) bool {
	for _, name := range vocabularies.Names() {
		if _, err := directory.Stat(name.FileName()); err != nil {
			return false
		}
	}
	found, err := directory.ReadFile(stampFile)
	return err == nil && string(found) == stamp
}

// writeAll writes all files and then the stamp.
func writeAll(directory *os.Root, stamp string) error {
	if err := directory.Remove(stampFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, s := range sources() {
		list, err := s.read()
		if err != nil {
			return err
		}
		file, err := vocabularies.Encode(&list)
		if err != nil {
			return fmt.Errorf("vocabulary %s: %w", s.name, err)
		}
		if err := replace(directory, s.name.FileName(), file); err != nil {
			return err
		}
	}
	return replace(directory, stampFile, []byte(stamp))
}

// replace writes a file that is never there in part, whenever the program is built meanwhile.
func replace(directory *os.Root, name string, content []byte) error {
	const unfinished = "unfinished"
	if err := directory.WriteFile(unfinished, content, 0o644); err != nil {
		return err
	}
	return directory.Rename(unfinished, name)
}
