// Package options reads a command line. A command is a struct: each of its fields is an option, or an argument that stands
// alone, and the tags of the field say the rest.
//
//	help         what it is for; ${enum} stands for the values of the tag enum
//	name         its name, if it is not that of the field in small letters with dashes
//	default      its value if nothing else gives one
//	placeholder  what stands for the value in the help
//	enum         the values that it can have, with commas between them
//	group        the heading that it stands under in the help
//	also         a second environment variable that gives it
//	xor          of the options with one word here only one can be given
//	hidden       it is not in the help
//	arg          it is an argument and not an option
//	embed        the fields of the struct that it is are options of the command; "prefix" goes before their names
//
// The package looks at fields only and never asks for a method by its name: the linker would then have to keep every exported
// method of every type in the program.
package options

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Option is an option of a command, or an argument.
type Option struct {
	Name        string
	Help        string
	Default     string
	Placeholder string
	Group       string
	Enum        []string
	// Variables are the environment variables that give the option; the first one that is set counts.
	Variables []string
	// Argument says that the value stands alone, without a name before it.
	Argument bool
	// Hidden keeps the option out of the help.
	Hidden bool
	// Secret says that the value must not be shown.
	Secret bool

	// exclusive is a word that options have in common of which only one can be given.
	exclusive string
	field     reflect.Value
	given     bool
}

// variablePrefix begins the name of every environment variable that is ours.
const variablePrefix = "ALMANAC_"

// newOption describes a field of a command. Words are replaced in its help.
func newOption(field reflect.StructField, value reflect.Value, prefix string, words map[string]string) *Option {
	tag := field.Tag
	o := &Option{
		Name: tag.Get("name"), Help: tag.Get("help"), Default: tag.Get("default"), Placeholder: tag.Get("placeholder"), Group: tag.Get("group"),
		Argument: has(tag, "arg"), Hidden: has(tag, "hidden"), exclusive: tag.Get("xor"), field: value,
	}
	if o.Name == "" {
		o.Name = dashed(field.Name)
	}
	o.Name = prefix + o.Name
	o.Variables = []string{variablePrefix + strings.ToUpper(strings.ReplaceAll(o.Name, "-", "_"))}
	if also := tag.Get("also"); also != "" {
		o.Variables = append(o.Variables, also)
	}
	if enum := tag.Get("enum"); enum != "" {
		o.Enum = strings.Split(enum, ",")
		o.Help = strings.ReplaceAll(o.Help, "${enum}", enum)
	}
	for word, text := range words {
		o.Help = strings.ReplaceAll(o.Help, "${"+word+"}", text)
	}
	_, o.Secret = reflect.TypeAssert[interface{ Reveal() string }](value)
	return o
}

func has(tag reflect.StructTag, key string) bool {
	_, ok := tag.Lookup(key)
	return ok
}

// set reads the value from a text.
func (o *Option) set(text string) error {
	if len(o.Enum) > 0 && !slices.Contains(o.Enum, text) {
		return fmt.Errorf("%s must be one of %s, not %q", o, strings.Join(o.Enum, ", "), text)
	}
	if err := setValue(o.field, text); err != nil {
		return fmt.Errorf("%s: %w", o, err)
	}
	return nil
}

// String is the option as it is written on a command line, without a value.
func (o *Option) String() string {
	if o.Argument {
		return "<" + o.Name + ">"
	}
	return "--" + o.Name
}

// usage is the option as it is written on a command line, with something that stands for the value.
func (o *Option) usage() string {
	switch {
	case o.Argument || o.isSwitch():
		return o.String()
	case o.Placeholder != "":
		return o.String() + "=" + o.Placeholder
	case o.Default != "":
		return o.String() + "=" + o.Default
	}
	return o.String() + "=" + strings.ToUpper(o.Name)
}

// isSwitch says that the option needs no value: that it is there is enough.
func (o *Option) isSwitch() bool { return o.field.Kind() == reflect.Bool }
