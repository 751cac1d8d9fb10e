// Package buildinfo tells which build of the program this is.
package buildinfo

import (
	"runtime/debug"
	"strings"
)

// version is set by the linker for releases: -ldflags "-X almanac/internal/buildinfo.version=1.2.3".
var version = "0.1.0-dev"

// Version returns the version of the program, with the commit it was built from if that is known.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				changed = ".changed"
			}
		}
	}
	if commit == "" || !strings.HasSuffix(version, "-dev") {
		return version
	}
	return version + "+" + commit + changed
}
