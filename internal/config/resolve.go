package config

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Resolver looks up options that are not given as flags: in the environment, then in a file.
type Resolver struct {
	getenv func(string) string
	file   string
	lines  []fileLine
}

type fileLine struct {
	number      int
	name, value string
}

// NewResolver returns a resolver that reads variables with getenv and, unless its name is empty, the file.
func NewResolver(getenv func(string) string, file string) (*Resolver, error) {
	r := &Resolver{getenv: getenv, file: file}
	if file == "" {
		return r, nil
	}
	f, err := os.Open(file) //nolint:gosec // the operator names it
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration file: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read
	scanner := bufio.NewScanner(f)
	for n := 1; scanner.Scan(); n++ {
		line := strings.TrimSpace(scanner.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, found := strings.Cut(line, "=")
		if !found {
			return nil, fmt.Errorf("%s:%d: %q is not of the form \"name = value\"", file, n, line)
		}
		r.lines = append(r.lines, fileLine{n, strings.TrimSpace(name), strings.TrimSpace(value)})
	}
	return r, scanner.Err()
}

// File returns the configuration file named by the arguments or the environment. It is called before options are
// parsed.
func File(args []string, getenv func(string) string) string {
	for n, arg := range args {
		if value, ok := strings.CutPrefix(arg, "--config="); ok {
			return value
		}
		if arg == "--config" && n+1 < len(args) {
			return args[n+1]
		}
	}
	return getenv("ALMANAC_CONFIG")
}

// Variables returns the environment variables of an option. The first one that is set is used.
func Variables(flag *kong.Flag) []string {
	variables := []string{"ALMANAC_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))}
	if also := flag.Tag.Get("also"); also != "" {
		variables = append(variables, also)
	}
	return variables
}

// IsSecret reports whether the value of an option must not be shown.
func IsSecret(flag *kong.Flag) bool {
	_, secret := reflect.TypeAssert[Secret](flag.Target)
	return secret
}

// Validate returns an error if the file has names that are not options of any command.
func (r *Resolver) Validate(app *kong.Application) error {
	known := map[string]bool{}
	err := kong.Visit(app, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok && flag.Name != "help" {
			known[flag.Name] = true
		}
		return next(nil)
	})
	for _, line := range r.lines {
		if !known[line.name] {
			err = errors.Join(err, fmt.Errorf("%s:%d: unknown option %q", r.file, line.number, line.name))
		}
	}
	return err
}

// Resolve returns the value of an option. An empty variable counts as unset, since compose files leave one out that
// way.
func (r *Resolver) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	if flag.Name == "help" {
		return nil, nil
	}
	for _, variable := range Variables(flag) {
		if value := r.getenv(variable); value != "" {
			return value, nil
		}
		if !IsSecret(flag) {
			continue
		}
		if file := r.getenv(variable + "_FILE"); file != "" {
			content, err := os.ReadFile(file) //nolint:gosec // the operator names it
			if err != nil {
				return nil, fmt.Errorf("cannot read the secret from the file in %s_FILE: %w", variable, err)
			}
			return strings.TrimRight(string(content), "\r\n"), nil
		}
	}
	for _, line := range slices.Backward(r.lines) {
		if line.name == flag.Name {
			return line.value, nil
		}
	}
	return nil, nil
}
