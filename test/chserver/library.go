package main

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// library is ClickHouse's engine as a shared library. Its functions are those of the C header. Connections and results
// are opaque addresses.
type library struct {
	setSignalHandlersEnabled func(enabled int32)
	connect                  func(argc int32, argv unsafe.Pointer) *uintptr
	closeConnection          func(handle *uintptr)
	query,
	streamQuery func(connection uintptr, query unsafe.Pointer, queryLength uintptr, format unsafe.Pointer, formatLength uintptr,
		names, nameLengths, values, valueLengths unsafe.Pointer, parameters uintptr) uintptr
	streamFetch   func(connection, stream uintptr) uintptr
	streamCancel  func(connection, stream uintptr)
	resultBuffer  func(result uintptr) unsafe.Pointer
	resultLength  func(result uintptr) uintptr
	resultError   func(result uintptr) string
	resultRows    func(result uintptr) uint64
	readRows      func(result uintptr) uint64
	readBytes     func(result uintptr) uint64
	writtenRows   func(result uintptr) uint64
	writtenBytes  func(result uintptr) uint64
	destroyResult func(result uintptr)
}

// load loads the library from a file.
func load(path string) (_ *library, err error) {
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w (`make test-tools` installs it)", path, err)
	}
	l := new(library)
	for name, function := range map[string]any{
		"chdb_set_signal_handlers_enabled": &l.setSignalHandlersEnabled,
		"chdb_connect":                     &l.connect,
		"chdb_close_conn":                  &l.closeConnection,
		"chdb_query_with_params_n":         &l.query,
		"chdb_stream_query_with_params_n":  &l.streamQuery,
		"chdb_stream_fetch_result":         &l.streamFetch,
		"chdb_stream_cancel_query":         &l.streamCancel,
		"chdb_result_buffer":               &l.resultBuffer,
		"chdb_result_length":               &l.resultLength,
		"chdb_result_error":                &l.resultError,
		"chdb_result_rows_read":            &l.resultRows,
		"chdb_result_storage_rows_read":    &l.readRows,
		"chdb_result_storage_bytes_read":   &l.readBytes,
		"chdb_result_rows_written":         &l.writtenRows,
		"chdb_result_bytes_written":        &l.writtenBytes,
		"chdb_destroy_query_result":        &l.destroyResult,
	} {
		address, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("look for %s in %s: %w", name, path, err)
		}
		purego.RegisterFunc(function, address)
	}
	// Signals belong to Go's runtime.
	l.setSignalHandlersEnabled(0)
	return l, nil
}

// open opens a connection. The first one starts the engine with these options; closing the last one stops it.
func (l *library) open(options []string) (*connection, error) {
	var pinner runtime.Pinner
	defer pinner.Unpin()
	arguments := make([]unsafe.Pointer, 0, len(options)+2)
	for _, option := range append([]string{"clickhouse"}, options...) {
		text := []byte(option + "\x00")
		pinner.Pin(&text[0])
		arguments = append(arguments, unsafe.Pointer(&text[0]))
	}
	arguments = append(arguments, nil)
	handle := l.connect(int32(len(arguments)-1), unsafe.Pointer(&arguments[0]))
	if handle == nil {
		return nil, fmt.Errorf("connect with %s: the library says no more than that it failed", strings.Join(options, " "))
	}
	return &connection{engine: l, handle: handle, database: defaultDatabase}, nil
}

// parameter is a value for {name:Type} in a query.
type parameter struct{ name, value string }

// ask starts a query whose result is returned in one piece or as a stream, depending on the function.
func (c *connection) ask(function func(uintptr, unsafe.Pointer, uintptr, unsafe.Pointer, uintptr,
	unsafe.Pointer, unsafe.Pointer, unsafe.Pointer, unsafe.Pointer, uintptr) uintptr, query, format string, parameters []parameter,
) (uintptr, error) {
	var pinner runtime.Pinner
	defer pinner.Unpin()
	// Every string gets an extra byte, so that even an empty one has an address.
	address := func(text string) unsafe.Pointer {
		b := []byte(text + "\x00")
		pinner.Pin(&b[0])
		return unsafe.Pointer(&b[0])
	}
	names, values := make([]unsafe.Pointer, len(parameters)+1), make([]unsafe.Pointer, len(parameters)+1)
	nameLengths, valueLengths := make([]uintptr, len(parameters)+1), make([]uintptr, len(parameters)+1)
	for i, p := range parameters {
		names[i], nameLengths[i] = address(p.name), uintptr(len(p.name))
		values[i], valueLengths[i] = address(p.value), uintptr(len(p.value))
	}
	result := function(*c.handle, address(query), uintptr(len(query)), address(format), uintptr(len(format)),
		unsafe.Pointer(&names[0]), unsafe.Pointer(&nameLengths[0]), unsafe.Pointer(&values[0]), unsafe.Pointer(&valueLengths[0]),
		uintptr(len(parameters)))
	if result == 0 {
		return 0, errors.New("the library returned no result")
	}
	if message := c.engine.resultError(result); message != "" {
		c.engine.destroyResult(result)
		return 0, failureOf(message)
	}
	return result, nil
}

// statistics holds what a query read and wrote.
type statistics struct{ readRows, readBytes, writtenRows, writtenBytes uint64 }

// take copies the content of a result and destroys it.
func (l *library) take(result uintptr) (data []byte, rows uint64, s statistics) {
	defer l.destroyResult(result)
	if n := l.resultLength(result); n > 0 {
		data = append(data, unsafe.Slice((*byte)(l.resultBuffer(result)), n)...)
	}
	return data, l.resultRows(result), statistics{
		readRows: l.readRows(result), readBytes: l.readBytes(result),
		writtenRows: l.writtenRows(result), writtenBytes: l.writtenBytes(result),
	}
}
