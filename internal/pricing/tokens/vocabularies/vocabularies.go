// Package vocabularies holds the tokens of OpenAI's encodings as compressed files that are embedded when the program is
// built. They are data of others and not checked in: generate/ writes them from a Go module, which would add eight times
// as much to the program if it were imported. Without them the package builds all the same and has no vocabularies.
package vocabularies

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

//go:generate go run ./generate dist

// The placeholder in the directory is there for builds without the files.
//
//go:embed all:dist
var files embed.FS

// Name is the name of a file of tokens.
type Name string

// The files. P50k has what the encoding of that name has beyond R50k: its ids go on where the others end.
const (
	R50k   Name = "r50k"
	P50k   Name = "p50k"
	Cl100k Name = "cl100k"
	O200k  Name = "o200k"
)

// Names returns the names of all files.
func Names() []Name { return []Name{R50k, P50k, Cl100k, O200k} }

// FileName returns the name of the file itself.
func (n Name) FileName() string { return string(n) + ".tokens" }

func (n Name) path() string { return "dist/" + n.FileName() }

// ErrMissing is the error of reading a file that the program was built without.
var ErrMissing = errors.New("the program was built without its vocabularies, which `make vocabularies` writes")

// Available says whether the program was built with all files, in the format that it reads. It looks at the beginning of
// each and no further.
func Available() bool { return available(files) }

func available(files fs.FS) bool {
	for _, name := range Names() {
		file, err := files.Open(name.path())
		if err != nil {
			return false
		}
		var beginning [len(magic)]byte
		_, err = io.ReadFull(file, beginning[:])
		_ = file.Close() // nothing was written
		if err != nil || string(beginning[:]) != magic {
			return false
		}
	}
	return true
}

// Read returns the tokens of files, those of the second after those of the first and so on. The error is ErrMissing if
// the program has not all of them.
func Read(names ...Name) (List, error) { return read(files, names) }

func read(files fs.FS, names []Name) (List, error) {
	var l List
	for _, name := range names {
		file, err := fs.ReadFile(files, name.path())
		if errors.Is(err, fs.ErrNotExist) {
			err = ErrMissing
		}
		if err == nil {
			err = l.appendFile(file)
		}
		if err != nil {
			return List{}, fmt.Errorf("read the vocabulary %s: %w", name, err)
		}
	}
	return l, nil
}
