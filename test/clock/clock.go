// Package clock starts processes with a clock that differs from the machine's, to test the real program at any date.
package clock

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"time"
)

// Clock is the clock of a process. Programs read the time from a function that the kernel maps into each process (the
// vDSO). It is rewritten in the memory of this process only, so that the program is the real one and no other clock
// changes. The monotonic clock is left alone, as when the clock of a machine is set.
type Clock struct {
	pid     int
	address int64 // of the number of seconds it is ahead
}

// tellTime replaces that function on x86-64: it calls the kernel and, if asked for the time of day, adds the number
// that follows the code.
var tellTime = []byte{
	0xb8, 228, 0, 0, 0, // mov eax, 228 (clock_gettime)
	0x0f, 0x05, // syscall
	0x85, 0xff, // test edi, edi (0 is the time of day)
	0x75, 12, // jnz to the end
	0x48, 0x8b, 0x05, 6, 0, 0, 0, // mov rax, [rip+6]
	0x48, 0x01, 0x06, // add [rsi], rax
	0x31, 0xc0, // xor eax, eax
	0xc3, // ret
}

var vdsoLine = regexp.MustCompile(`(?m)^([0-9a-f]+)-([0-9a-f]+) .*\[vdso\]$`)

// Take takes over the clock of a paused process and moves it ahead.
func Take(pid int, ahead time.Duration) (*Clock, error) {
	if runtime.GOOS+"/"+runtime.GOARCH != "linux/amd64" {
		return nil, fmt.Errorf("the clock of a process can be moved on linux/amd64, not on %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil, err
	}
	found := vdsoLine.FindSubmatch(maps)
	if found == nil {
		return nil, fmt.Errorf("process %d has no functions of the kernel in its memory", pid)
	}
	begin, err := strconv.ParseInt(string(found[1]), 16, 64)
	if err != nil {
		return nil, err
	}
	end, err := strconv.ParseInt(string(found[2]), 16, 64)
	if err != nil {
		return nil, err
	}
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer memory.Close() //nolint:errcheck // what was written is there
	image := make([]byte, end-begin)
	if _, err := memory.ReadAt(image, begin); err != nil {
		return nil, err
	}
	file, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return nil, err
	}
	functions, err := file.DynamicSymbols()
	if err != nil {
		return nil, err
	}
	code := binary.LittleEndian.AppendUint64(tellTime, uint64(ahead/time.Second)) //nolint:gosec // the same bits
	for _, f := range functions {
		if f.Name == "__vdso_clock_gettime" && f.Size >= uint64(len(code)) {
			at := begin + int64(f.Value) //nolint:gosec // an address within the image
			_, err := memory.WriteAt(code, at)
			return &Clock{pid, at + int64(len(tellTime))}, err
		}
	}
	return nil, fmt.Errorf("the function that tells the time is not there, or smaller than %d bytes: %v", len(code), functions)
}

// Set changes how far the clock of the running process is ahead of the machine's.
func (c *Clock) Set(ahead time.Duration) error {
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", c.pid), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer memory.Close()                                                                                 //nolint:errcheck // what was written is there
	_, err = memory.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(ahead/time.Second)), c.address) //nolint:gosec // the same bits
	return err
}
