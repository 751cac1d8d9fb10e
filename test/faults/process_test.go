package faults

import (
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"almanac/test/harness"
)

// killRound kills the server under load and starts it again.
func killRound(w *world) tally {
	w.underLoad(w.between(50*time.Millisecond, 600*time.Millisecond), w.kill)
	for range w.rng.IntN(3) { // killed again while it starts
		w.interruptStart(w.between(0, 60*time.Millisecond))
	}
	w.start()
	found := w.check(true)
	w.doctor()
	return found
}

// underLoad calls do while clients write.
func (w *world) underLoad(after time.Duration, do func()) {
	l := w.startLoad()
	time.Sleep(after)
	do()
	l.end()
}

// interruptStart starts a server and kills it before it is ready.
func (w *world) interruptStart(after time.Duration) {
	harness.RunFor(w.t, after, append([]string{"serve", "--listen", "127.0.0.1:0", "--data", w.data}, options()...)...)
}

// freezeRound stops the process for longer than its clients wait.
func freezeRound(w *world) tally {
	patient := w.client
	w.client = newClient(time.Second)
	defer func() { w.client = patient }()
	process := w.server.Process.Process
	w.underLoad(w.between(50*time.Millisecond, 500*time.Millisecond), func() {
		if err := process.Signal(syscall.SIGSTOP); err != nil {
			w.t.Fatal(err)
		}
		time.Sleep(w.between(200*time.Millisecond, 2*time.Second))
		if err := process.Signal(syscall.SIGCONT); err != nil {
			w.t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
	})
	w.client = patient
	w.writeEach(5*time.Second, "after a freeze")
	return w.check(false)
}

// descriptorsRound takes all file descriptors away from the running server.
func descriptorsRound(w *world) tally {
	pid := w.server.Process.Process.Pid
	before := descriptorLimit(w, pid, nil)
	w.underLoad(w.between(50*time.Millisecond, 300*time.Millisecond), func() {
		less := syscall.Rlimit{Cur: uint64(openDescriptors(w, pid) + w.rng.IntN(8)), Max: before.Max}
		descriptorLimit(w, pid, &less)
		// These connections wait to be accepted and take every descriptor that becomes free.
		address := strings.TrimPrefix(w.server.URL, "http://")
		for range 50 {
			if c, err := net.DialTimeout("tcp", address, time.Second); err == nil {
				defer c.Close()
			}
		}
		time.Sleep(w.between(500*time.Millisecond, 2*time.Second))
		descriptorLimit(w, pid, &before)
	})
	w.writeEach(10*time.Second, "with descriptors again")
	found := w.check(false)
	w.doctor()
	return found
}

func openDescriptors(w *world, pid int) int {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		w.t.Fatal(err)
	}
	return len(entries)
}

// descriptorLimit returns the limit of file descriptors of a process, and changes it if a limit is given.
func descriptorLimit(w *world, pid int, limit *syscall.Rlimit) (old syscall.Rlimit) {
	_, _, code := syscall.RawSyscall6(syscall.SYS_PRLIMIT64, uintptr(pid), syscall.RLIMIT_NOFILE,
		uintptr(unsafe.Pointer(limit)), uintptr(unsafe.Pointer(&old)), 0, 0)
	if code != 0 {
		w.t.Fatalf("cannot change how many descriptors the server may have: %v", code)
	}
	return old
}
