// Command platforms checks the program from its sources for every platform of a release except the one it is tested on:
// the types of all code, including libraries and the standard library, and its own packages with analyzers of `go vet`.
// Compiling it six more times would find the same and takes ten times as long.
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/passes/assign"
	"golang.org/x/tools/go/analysis/passes/atomic"
	"golang.org/x/tools/go/analysis/passes/bools"
	"golang.org/x/tools/go/analysis/passes/buildtag"
	"golang.org/x/tools/go/analysis/passes/composite"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/directive"
	"golang.org/x/tools/go/analysis/passes/errorsas"
	"golang.org/x/tools/go/analysis/passes/nilfunc"
	"golang.org/x/tools/go/analysis/passes/shift"
	"golang.org/x/tools/go/analysis/passes/stringintconv"
	"golang.org/x/tools/go/analysis/passes/unreachable"
	"golang.org/x/tools/go/analysis/passes/unsafeptr"
	"golang.org/x/tools/go/analysis/passes/unusedresult"
	"golang.org/x/tools/go/packages"
)

// platforms are those of docs/platforms.md except linux/amd64.
var platforms = []string{"linux/arm64", "darwin/arm64", "darwin/amd64", "windows/amd64", "windows/arm64", "freebsd/amd64"}

// analyzers are those of `go vet` that examine the code of one package. The others, and tests, are run on Linux.
var analyzers = []*analysis.Analyzer{
	assign.Analyzer, atomic.Analyzer, bools.Analyzer, buildtag.Analyzer, composite.Analyzer, copylock.Analyzer, directive.Analyzer,
	errorsas.Analyzer, nilfunc.Analyzer, shift.Analyzer, stringintconv.Analyzer,
	unreachable.Analyzer, unsafeptr.Analyzer, unusedresult.Analyzer,
}

func main() {
	failed := false
	for _, platform := range platforms {
		count, err := check(platform)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", platform, err)
			failed = true
			continue
		}
		fmt.Printf("%s: %d packages\n", platform, count)
	}
	if failed {
		os.Exit(1)
	}
}

// check loads the program for a platform and returns the number of its packages.
func check(platform string) (int, error) {
	system, processor, _ := strings.Cut(platform, "/")
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax,
		Dir:  "../..",
		Env:  append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0"),
	}, ".")
	if err != nil {
		return 0, err
	}
	count, found := 0, []string{}
	var own []*packages.Package
	packages.Visit(loaded, nil, func(p *packages.Package) {
		count++
		for _, err := range p.Errors {
			found = append(found, err.Error())
		}
		if p.PkgPath == "almanac" || strings.HasPrefix(p.PkgPath, "almanac/") {
			own = append(own, p)
		}
	})
	if len(found) == 0 {
		found, err = vet(own)
		if err != nil {
			return 0, err
		}
	}
	if len(found) > 0 {
		return 0, fmt.Errorf("%d errors\n%s", len(found), strings.Join(found, "\n"))
	}
	return count, nil
}

// vet returns the findings of the analyzers.
func vet(checked []*packages.Package) ([]string, error) {
	graph, err := checker.Analyze(analyzers, checked, nil)
	if err != nil {
		return nil, err
	}
	var found []string
	for action := range graph.All() {
		if action.Err != nil {
			return nil, fmt.Errorf("%s: %w", action, action.Err)
		}
		if !action.IsRoot {
			continue
		}
		for _, each := range action.Diagnostics {
			found = append(found, fmt.Sprintf("%s: %s", action.Package.Fset.Position(each.Pos), each.Message))
		}
	}
	return found, nil
}
