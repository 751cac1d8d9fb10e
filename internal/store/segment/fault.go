package segment

import (
	"fmt"
	"iter"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// Segments and their indexes are memory-mapped. If part of a file cannot be read, because it was truncated or the disk
// fails, accessing it faults, which would kill the process. Where mapped memory is used, faults are turned into panics
// of the goroutine, and those into errors.

// addressError is the panic value of a fault.
type addressError interface {
	runtime.Error
	Addr() uintptr
}

// onFault turns a fault into an error. Use it as `defer t.onFault(&err)()`.
func (t *table[R]) onFault(err *error) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		if r := recover(); r != nil {
			*err = t.faultError(r)
		}
	}
}

// faultError describes a fault; any other panic is propagated.
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
				return fmt.Errorf("cannot read %s at offset %d: it was truncated while in use, or the disk is failing; run almanac doctor",
					part.path, fault.Addr()-start)
			}
		}
	}
	return fmt.Errorf("cannot read a mapped file of table %s: it was truncated while in use, or the disk is failing; run almanac doctor",
		t.schema.table)
}

// guarded wraps an iteration so that it ends with an error on a fault.
func (t *table[R]) guarded(rows func(yield func(*R, error) bool)) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		var err error
		func() {
			defer t.onFault(&err)()
			rows(func(r *R, err error) bool {
				// Faults in the caller's code are not ours to catch.
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
