package options

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

var (
	durationType        = reflect.TypeFor[time.Duration]()
	textUnmarshalerType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// readable says whether setValue knows the type.
func readable(t reflect.Type) bool {
	if reflect.PointerTo(t).Implements(textUnmarshalerType) {
		return true
	}
	switch t.Kind() {
	case reflect.String, reflect.Bool, reflect.Float32, reflect.Float64,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return true
	case reflect.Pointer, reflect.Slice:
		return readable(t.Elem())
	default:
		return false
	}
}

// setValue reads a value from a text. What is read into a slice is added to it, with commas between the elements.
func setValue(v reflect.Value, text string) error {
	if u, ok := reflect.TypeAssert[encoding.TextUnmarshaler](v.Addr()); ok {
		return u.UnmarshalText([]byte(text))
	}
	if v.Type() == durationType {
		d, err := time.ParseDuration(text)
		if err != nil {
			return fmt.Errorf("%q is not a duration such as 500ms, 20s or 5m", text)
		}
		v.SetInt(int64(d))
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		return setBool(v, text)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return setValue(v.Elem(), text)
	case reflect.Slice:
		return addElements(v, text)
	default:
		return setNumber(v, text)
	}
	return nil
}

func setBool(v reflect.Value, text string) error {
	switch strings.ToLower(text) {
	case "true", "yes", "1":
		v.SetBool(true)
	case "false", "no", "0":
		v.SetBool(false)
	default:
		return fmt.Errorf("%q is neither true (or yes, 1) nor false (or no, 0)", text)
	}
	return nil
}

func addElements(v reflect.Value, text string) error {
	for part := range strings.SplitSeq(text, ",") {
		// "Nothing" often means "everything" for a list that was not given: it must not be given by accident.
		if part = strings.TrimSpace(part); part == "" {
			return fmt.Errorf("%q is not a list such as a,b,c", text)
		}
		element := reflect.New(v.Type().Elem()).Elem()
		if err := setValue(element, part); err != nil {
			return err
		}
		v.Set(reflect.Append(v, element))
	}
	return nil
}

func setNumber(v reflect.Value, text string) error {
	var err error
	switch {
	case v.CanInt():
		var n int64
		if n, err = strconv.ParseInt(text, 0, v.Type().Bits()); err == nil {
			v.SetInt(n)
		}
	case v.CanUint():
		var n uint64
		if n, err = strconv.ParseUint(text, 0, v.Type().Bits()); err == nil {
			v.SetUint(n)
		}
	default:
		var n float64
		if n, err = strconv.ParseFloat(text, v.Type().Bits()); err == nil {
			v.SetFloat(n)
		}
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("%q is too large", text)
	case v.CanFloat():
		return fmt.Errorf("%q is not a number", text)
	case v.CanUint():
		return fmt.Errorf("%q is not a whole number of 0 or more", text)
	}
	return fmt.Errorf("%q is not a whole number", text)
}
