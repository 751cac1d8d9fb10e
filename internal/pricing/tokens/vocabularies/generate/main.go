// Generate writes the files of package vocabularies into the directory that is its argument, unless files of the same
// format and the same version of the library are there already.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"almanac/internal/pricing/tokens/vocabularies"
)

const library = "github.com/tiktoken-go/tokenizer"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "write the vocabularies:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("the arguments are %q, and one is needed: the directory", args)
	}
	directory, err := os.OpenRoot(args[0])
	if err != nil {
		return err
	}
	defer func() { _ = directory.Close() }() // what was written is closed already
	version, err := libraryVersion()
	if err != nil {
		return err
	}
	stamp := vocabularies.Format + " of " + library + " " + version + "\n"
	if isUpToDate(directory, stamp) {
		return nil
	}
	return writeAll(directory, stamp)
}

// libraryVersion returns the version of the library that this program was built with.
func libraryVersion() (string, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", errors.New("the generator does not know what it was built of: start it with `go run`")
	}
	for _, module := range info.Deps {
		if module.Path != library {
			continue
		}
		if module.Replace != nil {
			return module.Replace.Path + " " + module.Replace.Version, nil
		}
		return module.Version, nil
	}
	return "", fmt.Errorf("the generator does not know which version of %s it was built with: start it with `go run`", library)
}
