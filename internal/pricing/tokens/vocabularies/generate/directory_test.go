package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/pricing/tokens/vocabularies"
)

func TestFilesAreWrittenWhenNeeded(t *testing.T) {
	path := t.TempDir()
	directory, err := os.OpenRoot(path)
	if err != nil {
		t.Fatal(err)
	}
	defer directory.Close()
	if isUpToDate(directory, "this") {
		t.Error("an empty directory is up to date")
	}
	if err := writeAll(directory, "this"); err != nil {
		t.Fatal(err)
	}

	var names []string
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if diff := cmp.Diff([]string{"cl100k.tokens", "o200k.tokens", "p50k.tokens", "r50k.tokens", "version"}, names); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}

	if !isUpToDate(directory, "this") {
		t.Error("what was just written is not up to date")
	}
	if isUpToDate(directory, "that") {
		t.Error("files of another version are up to date")
	}
	if err := directory.Remove(vocabularies.P50k.FileName()); err != nil {
		t.Fatal(err)
	}
	if isUpToDate(directory, "this") {
		t.Error("files of which one is missing are up to date")
	}
}

func TestFailuresLeaveNoStamp(t *testing.T) {
	path := t.TempDir()
	directory, err := os.OpenRoot(path)
	if err != nil {
		t.Fatal(err)
	}
	defer directory.Close()
	if err := os.WriteFile(filepath.Join(path, stampFile), []byte("this"), 0o600); err != nil {
		t.Fatal(err)
	}
	// A directory is where the first file should be.
	if err := os.MkdirAll(filepath.Join(path, vocabularies.R50k.FileName(), "x"), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := writeAll(directory, "this"); err == nil {
		t.Fatal("there is no error")
	}
	if isUpToDate(directory, "this") {
		t.Error("files of which one cannot be written are up to date")
	}
	if _, err := directory.Stat(stampFile); err == nil {
		t.Error("there is a stamp")
	}
}

func TestArguments(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "the arguments are [], and one is needed: the directory"},
		{[]string{"a", "b"}, `the arguments are ["a" "b"], and one is needed: the directory`},
		{[]string{"/nowhere/at/all"}, "open /nowhere/at/all: no such file or directory"},
	} {
		if err := run(test.args); err == nil || err.Error() != test.want {
			t.Errorf("arguments %q: the error is %v, want %s", test.args, err, test.want)
		}
	}
}
