// Command release writes the files that a version is published as: for each platform an archive with the program and a
// list of its modules, and the checksums of all of them. The same commit gives the same bytes, wherever and whenever it
// is built.
//
//	go run ./deploy/release -version 1.2.3 -out dist
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"almanac/internal/buildinfo"
)

// platforms are those listed in docs/platforms.md.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64", "freebsd/amd64"}

func main() {
	version := flag.String("version", buildinfo.Version(), "version to publish")
	out := flag.String("out", "dist", "directory to write to")
	only := flag.String("only", strings.Join(platforms, ","), "platforms, separated by commas")
	flag.Parse()
	if err := release(*version, *out, strings.Split(*only, ",")); err != nil {
		slog.Error("no release", "error", err)
		os.Exit(1)
	}
}

// release builds a version for platforms, in their order.
func release(version, out string, platforms []string) error {
	date, err := dateOfCommit()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil { //nolint:gosec // for everybody to read
		return err
	}
	work, err := os.MkdirTemp("", "almanac-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) //nolint:errcheck // temporary
	var written []string
	for _, platform := range platforms {
		slog.Info("building", "platform", platform, "version", version)
		program := filepath.Join(work, strings.ReplaceAll(platform, "/", "-"))
		if err := build(version, platform, program); err != nil {
			return err
		}
		files, err := publish(version, platform, program, out, date)
		if err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
		written = append(written, files...)
	}
	return writeChecksums(out, written)
}

func build(version, platform, program string) error {
	system, processor, ok := strings.Cut(platform, "/")
	if !ok {
		return fmt.Errorf("%q is not a platform such as linux/amd64", platform)
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w -X almanac/internal/buildinfo.version="+version, "-o", program, ".") //nolint:gosec,noctx // what we were asked to build
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor)
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// dateOfCommit returns the time of the commit, which all files in an archive have.
func dateOfCommit() (time.Time, error) {
	text, err := exec.Command("git", "log", "-1", "--format=%cI").Output() //nolint:noctx // takes no time
	if err != nil {
		return time.Time{}, fmt.Errorf("cannot ask git for the date of the commit: %w", err)
	}
	date, err := time.Parse(time.RFC3339, strings.TrimSpace(string(text)))
	return date.UTC(), err
}

// publish writes the archive of a program and the list of its modules, and returns their names.
func publish(version, platform, program, out string, date time.Time) ([]string, error) {
	content, err := os.ReadFile(program) //nolint:gosec // we built it
	if err != nil {
		return nil, err
	}
	name := "almanac-" + version + "-" + strings.ReplaceAll(platform, "/", "-")
	windows := strings.HasPrefix(platform, "windows/")
	files := []file{{"almanac", 0o755, content}}
	if windows {
		files[0].name = "almanac.exe"
	}
	for _, beside := range []string{"README.md", "LICENSE", "CHANGELOG.md"} {
		content, err := os.ReadFile(beside) //nolint:gosec // of the repository
		if err != nil {
			return nil, err
		}
		files = append(files, file{beside, 0o644, content})
	}
	list, err := modules(program, version, platform, date)
	if err != nil {
		return nil, err
	}
	archive, pack := name+".tar.gz", writeTar
	if windows {
		archive, pack = name+".zip", writeZip
	}
	f, err := os.Create(filepath.Join(out, archive)) //nolint:gosec // the place that we were told
	if err != nil {
		return nil, err
	}
	if err := pack(f, name, files, date); err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	return []string{archive, name + ".cdx.json"}, os.WriteFile(filepath.Join(out, name+".cdx.json"), list, 0o644) //nolint:gosec // for everybody to read
}

// writeChecksums writes the file that `sha256sum -c` checks.
func writeChecksums(out string, names []string) error {
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(out, name)) //nolint:gosec // we wrote it
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(content), name)
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(b.String()), 0o644) //nolint:gosec // for everybody to read
}
