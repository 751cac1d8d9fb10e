package segment

import (
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// Segments and their indexes are mapped into memory. A part of them that cannot be read, because the file was cut short or
// the disk fails, is a fault, and a fault ends the process. Where mapped memory is used, faults are turned into panics of
// the goroutine, and those into errors.

// addressError is what a fault panics with.
type addressError interface {
	runtime.Error
	Addr() uintptr
}

// onFault makes an error of a fault. It is used as `defer t.onFault(&err)()`.
func (t *table[R]) onFault(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if r := recover(); r != nil {
			*err = t.faultError(r)
		}
	}
}

// faultError explains a fault; any other panic goes on.
func (t *table[R]) faultError(r any) error {
	fault, ok := r.(addressError)
	if !ok {
		panic(r)
	}
	for _, g := range t.current.Load().groups {
		for _, part := range []struct {
			path   string
			mapped []byte
		}{{g.file.path, g.file.data}, {g.file.indexPath(), g.file.index}} {
			start := uintptr(unsafe.Pointer(unsafe.SliceData(part.mapped)))
			if fault.Addr() >= start && fault.Addr() < start+uintptr(len(part.mapped)) {
				return fmt.Errorf("cannot read %s at offset %d: it was cut short while it was in use, or the disk fails; run almanac doctor",
					part.path, fault.Addr()-start)
			}
		}
	}
	return fmt.Errorf("cannot read a mapped file of table %s: it was cut short while it was in use, or the disk fails; run almanac doctor", t.schema.table)
}

// guarded returns rows that end with an error if there is a fault.
func (t *table[R]) guarded(rows func(yield func(*R, error) bool)) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		var err error
		func() {
			defer t.onFault(&err)()
			rows(func(r *R, err error) bool {
				// What the caller does with a row is not ours to catch.
				debug.SetPanicOnFault(false)
				more := yield(r, err)
				debug.SetPanicOnFault(true)
				return more
			})
		}()
		if err != nil {
			yield(nil, err)
		}
	}
}
