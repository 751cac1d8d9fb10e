package vocabularies

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestEveryFileCanBeRead(t *testing.T) {
	if !Available() {
		t.Fatal(ErrMissing)
	}
	for _, test := range []struct {
		names []Name
		ids   int
	}{
		{[]Name{R50k}, 50256},
		{[]Name{R50k, P50k}, 50281},
		{[]Name{Cl100k}, 100256},
		{[]Name{O200k}, 199998},
	} {
		l, err := Read(test.names...)
		if err != nil {
			t.Fatal(err)
		}
		if l.Len() != test.ids {
			t.Errorf("%q have %d ids, want %d", test.names, l.Len(), test.ids)
		}
	}
}

// filesOf returns a directory of files that begin with the text.
func filesOf(text string, names ...Name) fstest.MapFS {
	files := fstest.MapFS{"dist/.gitkeep": {}}
	for _, name := range names {
		files[name.path()] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func TestAvailable(t *testing.T) {
	for _, test := range []struct {
		name  string
		files fstest.MapFS
		want  bool
	}{
		{"none", filesOf(""), false},
		{"all", filesOf(magic+"x", Names()...), true},
		{"all but one", filesOf(magic+"x", R50k, P50k, Cl100k), false},
		{"empty", filesOf("", Names()...), false},
		{"of another format", filesOf(strings.Replace(magic, "1", "2", 1)+"x", Names()...), false},
	} {
		if got := available(test.files); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	for _, test := range []struct {
		name  string
		files fstest.MapFS
		names []Name
		want  string
	}{
		{
			"missing", filesOf(""),
			[]Name{O200k},
			"read the vocabulary o200k: the program was built without its vocabularies, which `make vocabularies` writes",
		},
		{
			"the second is missing", filesOf(string(encode(t, "a")), R50k),
			[]Name{R50k, P50k},
			"read the vocabulary p50k: the program was built without its vocabularies, which `make vocabularies` writes",
		},
		{
			"something else", filesOf("what is this", R50k),
			[]Name{R50k},
			`read the vocabulary r50k: the file does not begin with "almanac vocabulary 1\n"`,
		},
	} {
		l, err := read(test.files, test.names)
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: the error is %v, want %s", test.name, err, test.want)
		}
		if l.Len() != 0 {
			t.Errorf("%s: %d tokens", test.name, l.Len())
		}
	}
	if _, err := read(filesOf(""), Names()); !errors.Is(err, ErrMissing) {
		t.Errorf("the error is %v, want ErrMissing", err)
	}
}

func TestFilesThatGoOn(t *testing.T) {
	files := filesOf(string(encode(t, "a", "bc")), R50k)
	files[P50k.path()] = &fstest.MapFile{Data: encode(t, "", "d")}
	l, err := read(files, []Name{R50k, P50k})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a", "bc", "", "d"}, tokensOf(&l)); diff != "" {
		t.Errorf("tokens (-want +got):\n%s", diff)
	}
}
