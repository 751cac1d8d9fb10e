package cli

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"almanac/internal/config"
)

// parser reads command lines.
type parser struct {
	*kong.Kong
	helped bool // help was requested and printed
}

// mostColumns is the maximum width of the help. Longer lines are hard to read, however wide the window is.
const mostColumns = 110

func newParser(resolver *config.Resolver, stdout, stderr io.Writer) (*parser, error) {
	p := new(parser)
	var err error
	p.Kong, err = kong.New(new(program),
		kong.Name("almanac"), kong.Description(description), kong.Vars{"permissions": permissionList()},
		kong.Resolvers(resolver), kong.KindMapper(reflect.String, kong.MapperFunc(readText)),
		kong.Writers(stdout, stderr), kong.Exit(func(int) { p.helped = true }),
		kong.ConfigureHelp(kong.HelpOptions{WrapUpperBound: mostColumns, Compact: true}), kong.ValueFormatter(explain),
	)
	return p, err
}

// helpFor returns the arguments that print the help of the command that args name, as far as they name one.
func (p *parser) helpFor(args []string) string {
	node, words := p.Model.Node, ""
	for _, arg := range args {
		next := childOf(node, arg)
		if next == nil {
			break
		}
		node, words = next, words+arg+" "
	}
	return words + "--help"
}

// explain returns the help of an option: its purpose, its default unless the default is the placeholder, and its
// variable.
func explain(v *kong.Value) string {
	if v.Flag == nil || v.Name == "help" {
		return v.Help
	}
	text := v.Help
	if v.Default != "" && v.Flag.PlaceHolder != "" {
		text += " Default: " + v.Default + "."
	}
	return fmt.Sprintf("%s ($%s)", text, config.Variables(v.Flag)[0])
}

// readText reads a string value. If it is missing, the error does not show the next argument, which may be a secret
// that begins with a dash.
func readText(ctx *kong.DecodeContext, target reflect.Value) error {
	token := ctx.Scan.Pop()
	if !token.IsValue() {
		return fmt.Errorf("missing value: expected %s", ctx.Value.Summary())
	}
	target.SetString(token.String())
	return nil
}

// nameList is a comma-separated list. Empty elements are refused: a list that is not given often means everything, so
// an empty one must not be given by accident.
type nameList []string

// UnmarshalText adds elements to the list.
func (l *nameList) UnmarshalText(text []byte) error {
	for name := range strings.SplitSeq(string(text), ",") {
		if name = strings.TrimSpace(name); name == "" {
			return fmt.Errorf("%q is not a list such as a,b,c", text)
		}
		*l = append(*l, name)
	}
	return nil
}
