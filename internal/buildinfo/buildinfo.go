// Package buildinfo tells which build of the program this is.
package buildinfo

import (
	"runtime/debug"
	"strings"
)

// version is set by the linker for releases: -ldflags "-X almanac/internal/buildinfo.version=1.2.3".
var version = "0.1.0-dev"

// Version returns the version of the program, with the commit it was built from if that is known and the version does not say it.
func Version() string {
	commit := Commit()
	if commit == "" || !strings.HasSuffix(version, "-dev") {
		return version
	}
	hash, changed, _ := strings.Cut(commit, ".")
	return strings.TrimSuffix(version+"+"+hash[:min(12, len(hash))]+"."+changed, ".")
}

// Commit returns the commit that the program was built from, with ".changed" behind it if the sources were not as committed; empty if
// nobody knows.
func Commit() string {
	commit := setting("vcs.revision")
	if commit != "" && setting("vcs.modified") == "true" {
		commit += ".changed"
	}
	return commit
}

// Date returns when the commit was made, as RFC 3339; empty if nobody knows. A time of building would make every build another one.
func Date() string { return setting("vcs.time") }

// setting returns what the build recorded under a name.
func setting(key string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
