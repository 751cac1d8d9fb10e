package clock

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Variable is the environment variable that tells a test how far its clock is ahead of the machine's. Programs that it
// starts get the same clock.
const Variable = "ALMANAC_TEST_CLOCK"

// Ahead returns how far ahead the clock of this process was set when it was started.
func Ahead() (time.Duration, error) {
	given := os.Getenv(Variable)
	if given == "" {
		return 0, nil
	}
	ahead, err := time.ParseDuration(given)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", Variable, err)
	}
	return ahead, nil
}

// Start starts a process with the clock of this one.
func Start(process *exec.Cmd) error {
	ahead, err := Ahead()
	if err != nil {
		return err
	}
	if ahead == 0 {
		return process.Start()
	}
	return startAhead(process, ahead)
}

// StartAt starts a process at the given time, which also applies to what it starts with Start.
func StartAt(process *exec.Cmd, at time.Time) error {
	ahead := time.Until(at).Round(time.Second)
	process.Env = append(process.Environ(), Variable+"="+ahead.String())
	return startAhead(process, ahead)
}

func startAhead(process *exec.Cmd, ahead time.Duration) error {
	return StartPaused(process, func(pid int) error {
		_, err := Take(pid, ahead)
		return err
	})
}

// StartPaused starts a process as a debugger does: it waits before the first instruction of the program until paused,
// which gets its id, has returned.
func StartPaused(process *exec.Cmd, paused func(pid int) error) error {
	runtime.LockOSThread() // only the thread that started the process may resume it
	defer runtime.UnlockOSThread()
	if process.SysProcAttr == nil {
		process.SysProcAttr = new(syscall.SysProcAttr)
	}
	process.SysProcAttr.Ptrace = true
	if err := process.Start(); err != nil {
		return err
	}
	pid := process.Process.Pid
	var status syscall.WaitStatus
	_, err := syscall.Wait4(pid, &status, 0, nil)
	if err == nil && !status.Stopped() {
		err = fmt.Errorf("process %d does not wait to be let go: status %#x", pid, status)
	}
	if err == nil {
		err = paused(pid)
	}
	if err = errors.Join(err, syscall.PtraceDetach(pid)); err != nil {
		_ = process.Process.Kill()
	}
	return err
}
