package options

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// validator is a struct of options that knows what is wrong with them taken together.
type validator interface{ Validate() error }

// fields is what a command consists of.
type fields struct {
	options    []*Option
	validators []validator
}

// errNotAStruct says that the options of a command cannot be described.
var errNotAStruct = errors.New("the options of a command are not a pointer to a struct")

// fieldsOf lists the options of a command. An error is a mistake in the program.
func fieldsOf(command any, words map[string]string) (fields, error) {
	var f fields
	if command == nil {
		return f, nil
	}
	v := reflect.ValueOf(command)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return f, errNotAStruct
	}
	if err := f.add(v.Elem(), "", words); err != nil {
		return f, err
	}
	seen := map[string]bool{"help": true}
	for _, o := range f.options {
		if seen[o.Name] {
			return f, fmt.Errorf("there are two options of the name %q", o.Name)
		}
		seen[o.Name] = true
	}
	return f, nil
}

// add lists the fields of a struct and of the structs embedded in it.
func (f *fields) add(v reflect.Value, prefix string, words map[string]string) error {
	if valid, ok := reflect.TypeAssert[validator](v.Addr()); ok {
		f.validators = append(f.validators, valid)
	}
	for i := range v.NumField() {
		field, value := v.Type().Field(i), v.Field(i)
		switch {
		case !field.IsExported() && field.Tag == "":
		case !field.IsExported():
			return fmt.Errorf("the field %s cannot be an option: it is not exported", field.Name)
		case has(field.Tag, "embed") || field.Anonymous:
			if field.Type.Kind() != reflect.Struct {
				return fmt.Errorf("the field %s cannot be embedded: it is no struct", field.Name)
			}
			if err := f.add(value, prefix+field.Tag.Get("prefix"), words); err != nil {
				return err
			}
		case !readable(field.Type):
			return fmt.Errorf("the field %s cannot be an option: its type is %s", field.Name, field.Type)
		default:
			f.options = append(f.options, newOption(field, value, prefix, words))
		}
	}
	return nil
}

// dashed is the name of a field as that of an option: MaxHeader is max-header, and HTTPPort is http-port.
func dashed(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) {
			afterSmall := !unicode.IsUpper(runes[i-1])
			beforeSmall := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if afterSmall || beforeSmall {
				b.WriteByte('-')
			}
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
