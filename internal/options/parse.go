package options

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Lookup finds the value of an option that is not on the command line.
type Lookup func(*Option) (value string, found bool, err error)

// Invocation is a command line that was read.
type Invocation struct {
	// Help says that help is asked for. Nothing else was checked then.
	Help bool

	fields
	path []*Command // from the program to the command
	help *Option
}

// Parse reads the arguments of a program into the options of the command that they name.
func Parse(program *Command, args []string, lookup Lookup) (*Invocation, error) {
	i := new(Invocation)
	i.help = &Option{Name: "help", Help: "Show context-sensitive help.", field: reflect.ValueOf(&i.Help).Elem()}
	if err := i.enter(program); err != nil {
		return nil, err
	}
	if err := i.read(args); err != nil {
		return nil, err
	}
	if i.Help {
		return i, nil
	}
	if err := i.resolve(lookup); err != nil {
		return nil, err
	}
	return i, i.check()
}

// Command is the command that the arguments name.
func (i *Invocation) Command() *Command { return i.path[len(i.path)-1] }

// enter goes on with a command.
func (i *Invocation) enter(c *Command) error {
	var err error
	i.path = append(i.path, c)
	i.fields, err = c.fields()
	return err
}

// read reads what is on the command line.
func (i *Invocation) read(args []string) error {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" { // nothing behind it is an option
			for _, arg := range args {
				if err := i.argument(arg); err != nil {
					return err
				}
			}
			return nil
		}
		if !isFlag(arg) {
			if err := i.argument(arg); err != nil {
				return err
			}
			continue
		}
		var err error
		if args, err = i.option(arg, args); err != nil {
			return err
		}
	}
	return nil
}

// isFlag says whether an argument is the name of an option. A dash alone is not: it often stands for standard input.
func isFlag(arg string) bool { return strings.HasPrefix(arg, "-") && arg != "-" }

// argument reads something that stands alone: the next argument of the command, or the name of one of its commands.
func (i *Invocation) argument(text string) error {
	for _, o := range i.options {
		if o.Argument && !o.given {
			o.given = true
			return o.set(text)
		}
	}
	child, err := i.Command().child(text)
	if err != nil {
		return err
	}
	return i.enter(child)
}

// option reads an option and its value, which may be the next argument, and returns the arguments that follow.
func (i *Invocation) option(arg string, next []string) ([]string, error) {
	name, value, hasValue := strings.Cut(arg, "=")
	o, err := i.find(name)
	if err != nil {
		return nil, err
	}
	switch {
	case hasValue:
	case o.isSwitch():
		value = "true"
	case len(next) > 0 && !isFlag(next[0]):
		value, next = next[0], next[1:]
	default:
		// What follows is not shown: it may be a secret that begins with a dash.
		return nil, fmt.Errorf("%s needs a value: %s", o, o.usage())
	}
	o.given = true
	return next, o.set(value)
}

// find finds an option by how it is written on a command line.
func (i *Invocation) find(flag string) (*Option, error) {
	if flag == "-h" {
		return i.help, nil
	}
	var flags []string
	for _, o := range append([]*Option{i.help}, i.options...) {
		if o.Argument {
			continue
		}
		if o.String() == flag {
			return o, nil
		}
		flags = append(flags, o.String())
	}
	return nil, fmt.Errorf("unknown flag %s%s", flag, suggestion(flag, flags))
}

// resolve gives values to the options that are not on the command line.
func (i *Invocation) resolve(lookup Lookup) error {
	for _, o := range i.options {
		if o.given || o.Argument {
			continue
		}
		value, found, err := lookup(o)
		if err != nil {
			return fmt.Errorf("%s: %w", o, err)
		}
		if o.given = found; !found {
			value = o.Default
		}
		if found || value != "" {
			if err := o.set(value); err != nil {
				return err
			}
		}
	}
	return nil
}

// check says what is missing, or wrong with the options taken together.
func (i *Invocation) check() error {
	if commands := i.Command().Commands; len(commands) > 0 {
		var expected []string
		for _, c := range commands {
			expected = append(expected, strconv.Quote(c.Name))
		}
		return fmt.Errorf("expected one of %s", strings.Join(expected, ", "))
	}
	exclusive := map[string]*Option{}
	for _, o := range i.options {
		switch {
		case o.Argument && !o.given:
			return fmt.Errorf("expected %q", o)
		case o.exclusive == "" || !o.given:
		case exclusive[o.exclusive] != nil:
			return fmt.Errorf("%s and %s can't be used together", exclusive[o.exclusive], o)
		default:
			exclusive[o.exclusive] = o
		}
	}
	for _, v := range i.validators {
		if err := v.Validate(); err != nil {
			return fmt.Errorf("%s: %w", names(i.path[min(1, len(i.path)-1):]), err)
		}
	}
	return nil
}
