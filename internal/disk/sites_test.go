package disk_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestEverySiteIsLeftOutInATest parses the program: each Site must be used in exactly one place that syncs, and be
// listed in a test that omits each of its sites in turn (powerloss.Needs, which fails for a site that is never reached
// or whose omission does no harm).
func TestEverySiteIsLeftOutInATest(t *testing.T) {
	sites := map[string]bool{}
	places, tests := map[string][]string{}, map[string][]string{}
	fileSet := token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(fileSet, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		switch {
		case path == filepath.Join("..", "disk", "sites.go"):
			for _, name := range constants(file) {
				sites[name] = true
			}
		case strings.HasSuffix(path, "_test.go"):
			if callsNeeds(file) {
				for _, name := range listed(file) {
					tests[name] = append(tests[name], path)
				}
			}
		default:
			for _, name := range named(file) {
				places[name] = append(places[name], path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(sites) < 30 {
		t.Fatalf("only %d sites were found", len(sites))
	}
	for name := range sites {
		if len(places[name]) != 1 {
			t.Errorf("%s stands for %d places that sync, want one: %q", name, len(places[name]), places[name])
		}
		if len(tests[name]) == 0 {
			t.Errorf("no test leaves %s out: add it to one that calls powerloss.Needs", name)
		}
	}
}

// constants returns the names of a file's constants.
func constants(file *ast.File) (names []string) {
	for _, d := range file.Decls {
		general, ok := d.(*ast.GenDecl)
		if !ok || general.Tok != token.CONST {
			continue
		}
		for _, s := range general.Specs {
			for _, name := range s.(*ast.ValueSpec).Names {
				names = append(names, name.Name)
			}
		}
	}
	return names
}

// ofDisk returns the name in an expression disk.Name, or "".
func ofDisk(e ast.Node) string {
	selector, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if from, ok := selector.X.(*ast.Ident); !ok || from.Name != "disk" {
		return ""
	}
	return selector.Sel.Name
}

// named returns the names of package disk that a file uses.
func named(file *ast.File) (names []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		if name := ofDisk(n); name != "" {
			names = append(names, name)
		}
		return true
	})
	return names
}

// listed returns the names in a file's lists of sites: elements of []disk.Site, keys of map[disk.Site]T.
func listed(file *ast.File) (names []string) {
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		switch kind := literal.Type.(type) {
		case *ast.ArrayType:
			if ofDisk(kind.Elt) == "Site" {
				for _, e := range literal.Elts {
					names = append(names, ofDisk(e))
				}
			}
		case *ast.MapType:
			if ofDisk(kind.Key) == "Site" {
				for _, e := range literal.Elts {
					names = append(names, ofDisk(e.(*ast.KeyValueExpr).Key))
				}
			}
		}
		return true
	})
	return names
}

// callsNeeds reports whether a file calls powerloss.Needs.
func callsNeeds(file *ast.File) (calls bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok && selector.Sel.Name == "Needs" {
			from, ok := selector.X.(*ast.Ident)
			calls = calls || ok && from.Name == "powerloss"
		}
		return true
	})
	return calls
}
