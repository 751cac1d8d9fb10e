package server

import (
	"log/slog"
	"os/exec"
	"runtime"
)

// openBrowser opens a page in the operator's browser. If that fails, the printed address has to do.
func openBrowser(address string, log *slog.Logger) {
	command := []string{"xdg-open"}
	switch runtime.GOOS {
	case "darwin":
		command = []string{"open"}
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler"}
	}
	process := exec.Command(command[0], append(command[1:], address)...) //nolint:gosec,noctx // an address of ours; it outlives everything here
	if err := process.Start(); err != nil {
		log.Warn("cannot open a browser: open the address yourself", "error", err)
		return
	}
	go func() { _ = process.Wait() }() // reap the process
}
