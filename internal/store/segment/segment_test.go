package segment

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"almanac/internal/store"
	"almanac/internal/store/storetest"
)

func TestMain(m *testing.M) {
	if directory := os.Getenv(crashDirectory); directory != "" {
		crashChild(directory) // this process was started to be killed
	}
	goleak.VerifyTestMain(m)
}

// small makes everything happen often: many flushes, several row groups, a small cache.
func small() Options {
	return Options{FlushBytes: 64 << 10, HotBytes: 1 << 20, CacheBytes: 1 << 20, MergeGroups: 4}
}

func opener(options Options) storetest.Opener {
	return func(t *testing.T, directory string) store.Store {
		t.Helper()
		s, err := Open(directory, options)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
}

func TestConformance(t *testing.T) {
	storetest.Run(t, opener(small()))
}

func TestConformanceAtOnce(t *testing.T) {
	storetest.RunConcurrent(t, opener(small()))
}

func TestConformanceInMemory(t *testing.T) {
	storetest.Run(t, opener(Options{}))
}

func TestMainDirectoryIsPrivate(t *testing.T) {
	directory := t.TempDir()
	s := opener(Options{})(t, directory)
	defer s.Close()
	info, err := os.Stat(directory + "/observations")
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestScripts(t *testing.T) { storetest.RunScripts(t, opener(small())) }

func TestRandom(t *testing.T) { storetest.RunRandom(t, opener(small())) }
