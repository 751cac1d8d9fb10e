package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// mutant is one change: the bytes between two offsets of a file are replaced by others.
type mutant struct {
	target     target
	file       string // from the root of the repository
	line       int
	at         position
	function   extent // the enclosing one, if any
	start, end int
	before     string
	after      string
	kind       string
	source     string // the original line
}

// extent is a part of a file.
type extent struct{ from, to position }

// key identifies a mutant independently of its line number, so that it can be judged once.
func (m mutant) key() string {
	return fmt.Sprintf("%s | %s | %s", m.file, m.kind, m.source)
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d: %s\n\t%s", m.file, m.line, m.kind, m.source)
}

// mutantsOf returns every possible change to the sources of a package.
func mutantsOf(t target) ([]mutant, error) {
	names, err := filepath.Glob(filepath.Join(t.dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, name := range names {
		part, err := build.Default.MatchFile(t.dir, filepath.Base(name))
		if err != nil {
			return nil, err
		}
		if !part || strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name) //nolint:gosec // a source of ours
		if err != nil {
			return nil, err
		}
		found, err := mutantsIn(t, name, text)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has nothing to change", t.dir)
	}
	return all, nil
}

func mutantsIn(t target, name string, text []byte) ([]mutant, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(file) {
		return nil, nil
	}
	s := &sites{target: t, name: name, text: text, file: set.File(file.Pos())}
	ast.Inspect(file, s.visit)
	seen := map[string]int{}
	for i := range s.found {
		m := &s.found[i]
		place := fmt.Sprint(m.line, m.kind)
		if seen[place]++; seen[place] > 1 {
			m.kind = fmt.Sprintf("%s (number %d)", m.kind, seen[place]) // of its kind on the line
		}
	}
	return s.found, nil
}

// sites collects the possible changes to a file.
type sites struct {
	target target
	name   string
	text   []byte
	file   *token.File
	found  []mutant

	function  extent // visited last
	constants extent // declared last
}

var swapped = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
}

// visit adds the changes of one node.
func (s *sites) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		if s.file.Line(n.Pos()) > s.function.to.Line {
			s.function = extent{}
		}
		s.constants = extent{}
		if n.Tok == token.CONST {
			s.constants = extent{s.position(n.Pos()), s.position(n.End())}
		}
		return n.Tok != token.IMPORT
	case *ast.FuncDecl:
		s.function = extent{s.position(n.Pos()), s.position(n.End())}
	case *ast.Field:
		return false // types and tags
	case *ast.BinaryExpr:
		for _, op := range swapped[n.Op] {
			s.add(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), op.String(), n.Op.String()+" becomes "+op.String())
		}
	case *ast.IfStmt:
		if onlyLogs(n) {
			if n.Init != nil {
				ast.Inspect(n.Init, s.visit)
			}
			return false
		}
		s.add(n.Cond.Pos(), n.Cond.End(), "!("+s.textOf(n.Cond)+")", "condition negated")
	case *ast.BasicLit:
		s.number(n)
	case *ast.UnaryExpr:
		return n.Op != token.SUB || s.textOf(n.X) != "1" // -1 means no position, and callers check whether it is negative
	case *ast.ExprStmt:
		call, ok := n.X.(*ast.CallExpr)
		if !ok {
			return true
		}
		if isPanic(call) || isLogging(call) || isHint(call) {
			return false
		}
		s.add(n.Pos(), n.End(), "", "call removed")
	case *ast.CallExpr:
		return !isHint(n)
	case *ast.DeferStmt:
		if stopsClock(n.Call) {
			return false
		}
		s.add(n.Pos(), n.End(), "", "defer removed")
	case *ast.IncDecStmt:
		s.add(n.Pos(), n.End(), "", "step removed")
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE && !allBlank(n.Lhs) {
			blank := strings.TrimSuffix(strings.Repeat("_, ", len(n.Lhs)), ", ")
			s.add(n.Pos(), n.End(), blank+" = "+s.between(n.Rhs[0].Pos(), n.Rhs[len(n.Rhs)-1].End()), "assignment removed")
		}
	case *ast.BranchStmt:
		if n.Label == nil && n.Tok == token.CONTINUE {
			s.add(n.Pos(), n.End(), "break", "continue becomes break")
		}
	case *ast.ReturnStmt:
		s.returned(n)
		return !fails(n)
	}
	return true
}

// returned makes a failing function succeed, and inverts booleans.
func (s *sites) returned(n *ast.ReturnStmt) {
	failing := false
	for _, value := range slices.Backward(n.Results) {
		name, ok := value.(*ast.Ident)
		switch {
		case !ok || failing: // callers ignore what is returned beside an error
		case name.Name == "err":
			s.add(value.Pos(), value.End(), "nil", "error not returned")
			failing = true
		case name.Name == "true":
			s.add(value.Pos(), value.End(), "false", "true becomes false")
		case name.Name == "false":
			s.add(value.Pos(), value.End(), "true", "false becomes true")
		}
	}
}

// number increments a number. Larger ones that have a name are left alone: the size of a limit or a lifetime is a
// choice, and tests refer to it by name.
func (s *sites) number(n *ast.BasicLit) {
	if n.Kind != token.INT {
		return
	}
	value, err := strconv.ParseInt(n.Value, 0, 64)
	named := s.position(n.Pos()).before(s.constants.to)
	if err == nil && (!named || value < 10) {
		s.add(n.Pos(), n.End(), strconv.FormatInt(value+1, 10), fmt.Sprintf("%s becomes %d", n.Value, value+1))
	}
}

func isPanic(call *ast.CallExpr) bool {
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == "panic"
}

// isLogging reports whether a call writes to the log, which tests need not check.
func isLogging(call *ast.CallExpr) bool {
	selected, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	switch selected.Sel.Name {
	case "Debug", "Info", "Warn", "Error", "DebugContext", "InfoContext", "WarnContext", "ErrorContext", "LogAttrs":
		return len(call.Args) > 0
	}
	return false
}

// onlyLogs reports whether a statement decides only what is logged.
func onlyLogs(n *ast.IfStmt) bool {
	for _, statement := range n.Body.List {
		expression, ok := statement.(*ast.ExprStmt)
		if !ok {
			return false
		}
		if call, ok := expression.X.(*ast.CallExpr); !ok || !isLogging(call) {
			return false
		}
	}
	return n.Else == nil
}

// stopsClock reports whether a call stops a ticker or a timer, which are garbage collected anyway.
func stopsClock(call *ast.CallExpr) bool {
	selected, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || selected.Sel.Name != "Stop" {
		return false
	}
	name, ok := selected.X.(*ast.Ident)
	return ok && (name.Name == "ticker" || name.Name == "timer")
}

// fails reports whether a function returns false or err after values that callers then ignore, all of them literal.
func fails(n *ast.ReturnStmt) bool {
	if len(n.Results) < 2 {
		return false
	}
	last, ok := n.Results[len(n.Results)-1].(*ast.Ident)
	if !ok || last.Name != "false" && last.Name != "err" {
		return false
	}
	for _, value := range n.Results[:len(n.Results)-1] {
		if _, ok := value.(*ast.BasicLit); !ok {
			return false
		}
	}
	return true
}

// isHint reports whether the arguments of a call are only capacities, which change no result.
func isHint(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		if f.Name != "make" {
			return false
		}
		if len(call.Args) == 3 {
			length, ok := call.Args[1].(*ast.BasicLit)
			return ok && length.Value == "0"
		}
		_, isMap := call.Args[0].(*ast.MapType)
		return isMap
	case *ast.SelectorExpr:
		return f.Sel.Name == "Grow"
	}
	return false
}

func allBlank(values []ast.Expr) bool {
	for _, value := range values {
		if name, ok := value.(*ast.Ident); !ok || name.Name != "_" {
			return false
		}
	}
	return true
}

func (s *sites) position(p token.Pos) position {
	at := s.file.Position(p)
	return position{at.Line, at.Column}
}

func (s *sites) textOf(n ast.Node) string { return s.between(n.Pos(), n.End()) }

func (s *sites) between(start, end token.Pos) string {
	return string(s.text[s.file.Offset(start):s.file.Offset(end)])
}

func (s *sites) add(start, end token.Pos, after, kind string) {
	line := s.file.Line(start)
	from := s.file.Offset(s.file.LineStart(line))
	source, _, _ := strings.Cut(string(s.text[from:]), "\n")
	s.found = append(s.found, mutant{
		target: s.target, file: s.name, line: line, at: s.position(start), function: s.function, start: s.file.Offset(start),
		end:    s.file.Offset(end),
		before: s.between(start, end), after: after, kind: kind, source: strings.TrimSpace(source),
	})
}
