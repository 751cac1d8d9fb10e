package options

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// WriteHelp explains the command of an invocation, in lines of at most so many columns.
func (i *Invocation) WriteHelp(w io.Writer, columns int) error {
	p := page{columns: columns}
	command := i.Command()
	p.line(i.usage())
	for _, text := range []string{command.Summary, command.details()} {
		if text != "" {
			p.line("")
			p.text(text)
		}
	}
	var arguments, ungrouped [][2]string
	for _, o := range i.options {
		switch {
		case o.Hidden:
		case o.Argument:
			arguments = append(arguments, [2]string{o.String(), o.Help})
		case o.Group == "":
			ungrouped = append(ungrouped, row("    ", o))
		}
	}
	if len(arguments) > 0 {
		p.table("Arguments:", arguments)
	}
	flags := [][2]string{{"-h, " + i.help.String(), i.help.Help}}
	if len(ungrouped) > 0 {
		flags = append(append(flags, [2]string{}), ungrouped...)
	}
	p.table("Flags:", flags)
	for _, g := range i.groups() {
		p.table(g.title, g.rows)
	}
	if len(command.Commands) > 0 {
		p.table("Commands:", leaves(i.path[1:], command))
	}
	if len(i.path) == 1 && len(command.Commands) > 0 {
		p.line("")
		p.line(fmt.Sprintf("Run \"%s <command> --help\" for more information on a command.", command.Name))
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// usage is the first line of the help.
func (i *Invocation) usage() string {
	words := []string{"Usage:", names(i.path)}
	if len(i.Command().Commands) > 0 {
		words = append(words, "<command>")
	}
	flags := false
	for _, o := range i.options {
		if o.Argument {
			words = append(words, o.String())
		} else {
			flags = true
		}
	}
	if flags {
		words = append(words, "[flags]")
	}
	return strings.Join(words, " ")
}

// group is the options below a heading.
type group struct {
	title string
	rows  [][2]string
}

// groups are the headings, in the order in which they come up first.
func (i *Invocation) groups() []*group {
	var groups []*group
	byTitle := map[string]*group{}
	for _, o := range i.options {
		if o.Group == "" || o.Hidden {
			continue
		}
		g := byTitle[o.Group]
		if g == nil {
			g = &group{title: o.Group}
			groups, byTitle[o.Group] = append(groups, g), g
		}
		g.rows = append(g.rows, row("", o))
	}
	return groups
}

// row is the line of an option.
func row(indent string, o *Option) [2]string {
	text := o.Help
	if o.Default != "" && o.Placeholder != "" { // without a placeholder the default stands for the value
		text += " Default: " + o.Default + "."
	}
	return [2]string{indent + o.usage(), fmt.Sprintf("%s ($%s)", text, o.Variables[0])}
}

// leaves lists the commands below one that do something themselves.
func leaves(path []*Command, c *Command) [][2]string {
	if len(c.Commands) == 0 {
		return [][2]string{{names(path), c.Summary}}
	}
	var rows [][2]string
	for _, child := range c.Commands {
		rows = append(rows, leaves(append(slices.Clip(path), child), child)...)
	}
	return rows
}

// page is a text of limited width.
type page struct {
	strings.Builder
	columns int
}

func (p *page) line(text string) {
	p.WriteString(strings.TrimRight(text, " "))
	p.WriteByte('\n')
}

func (p *page) text(text string) {
	for _, line := range wrap(text, p.columns) {
		p.line(line)
	}
}

const (
	indent = "  "
	gap    = "    " // between the columns of a table
)

// table writes rows of two columns below a heading. An entry that is much wider than others stands on a line of its own.
func (p *page) table(title string, rows [][2]string) {
	p.line("")
	p.line(title)
	inside := p.columns - len(indent)
	widest := max(30, inside*3/8)
	left := 0
	for _, row := range rows {
		if width := utf8.RuneCountInString(row[0]); width < widest {
			left = max(left, width)
		}
	}
	for _, row := range rows {
		entry, lines := row[0], wrap(row[1], inside-left-len(gap))
		if utf8.RuneCountInString(entry) > left {
			p.line(indent + entry)
			entry = ""
		}
		for _, line := range lines {
			p.line(fmt.Sprintf("%s%-*s%s%s", indent, left, entry, gap, line))
			entry = ""
		}
	}
}
