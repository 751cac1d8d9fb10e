// Package buildinfo reports which build of the program is running.
package buildinfo

import (
	"runtime/debug"
	"strings"
)

// version is set by the linker for releases: -ldflags "-X almanac/internal/buildinfo.version=1.2.3".
var version = "0.1.0-dev"

// Version returns the version of the program. A development version includes the commit it was built from, if known.
func Version() string {
	commit := Commit()
	if commit == "" || !strings.HasSuffix(version, "-dev") {
		return version
	}
	hash, changed, _ := strings.Cut(commit, ".")
	return strings.TrimSuffix(version+"+"+hash[:min(12, len(hash))]+"."+changed, ".")
}

// Commit returns the commit that the program was built from, with the suffix ".changed" if the working tree had
// uncommitted changes. It is empty if unknown.
func Commit() string {
	commit := setting("vcs.revision")
	if commit != "" && setting("vcs.modified") == "true" {
		commit += ".changed"
	}
	return commit
}

// Date returns the time of the commit as RFC 3339, or an empty string if unknown. It is not the build time, which would
// make every build different.
func Date() string { return setting("vcs.time") }

// setting returns a build setting by its key.
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
