package options

import (
	"errors"
	"fmt"
	"strings"
)

// Command is a command of the program, or the program as a whole. It has options, or commands of its own.
type Command struct {
	Name string
	// Summary says what it does. More about it comes from a method Help of the options.
	Summary string
	// Options is a pointer to a struct, as the package describes it; nil if there are none. After Parse it holds the values.
	Options any
	// Words are put in place of ${...} in the help of the options.
	Words    map[string]string
	Commands []*Command
}

// errOptionsAndCommands says that a command is not as Command describes it.
var errOptionsAndCommands = errors.New("a command with commands of its own has no options")

func (c *Command) fields() (fields, error) {
	f, err := fieldsOf(c.Options, c.Words)
	if err == nil && c.Options != nil && len(c.Commands) > 0 {
		err = errOptionsAndCommands
	}
	if err != nil {
		return f, fmt.Errorf("command %s: %w", c.Name, err)
	}
	return f, nil
}

// All lists the options of a command, and of the commands that it has. An error is a mistake in the program.
func (c *Command) All() ([]*Option, error) {
	f, err := c.fields()
	if err != nil {
		return nil, err
	}
	all := f.options
	for _, child := range c.Commands {
		options, err := child.All()
		if err != nil {
			return nil, err
		}
		all = append(all, options...)
	}
	return all, nil
}

// child finds a command by its name.
func (c *Command) child(name string) (*Command, error) {
	var names []string
	for _, child := range c.Commands {
		if child.Name == name {
			return child, nil
		}
		names = append(names, child.Name)
	}
	return nil, fmt.Errorf("unexpected argument %s%s", name, suggestion(name, names))
}

// details is what the help says below the summary.
func (c *Command) details() string {
	if helper, ok := c.Options.(interface{ Help() string }); ok {
		return helper.Help()
	}
	return ""
}

// names joins the names of commands.
func names(path []*Command) string {
	all := make([]string, len(path))
	for i, c := range path {
		all[i] = c.Name
	}
	return strings.Join(all, " ")
}
