package faults

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"syscall"
	"time"
)

const (
	// roomy is the size of the disk when there is no fault.
	roomy = 2 << 30
	// freed is how long the server may take to notice that there is space again. It checks four times a second, and
	// tries to write a segment at least every ten seconds.
	freed = 15 * time.Second
)

// onSmallDisk puts the data on its own file system, whose size can be changed while it is in use. That needs root.
func onSmallDisk(w *world) {
	if err := syscall.Mount("tmpfs", w.data, "tmpfs", 0, fmt.Sprintf("size=%d", roomy)); err != nil {
		w.t.Fatalf("cannot mount a small disk at %s: %v (this needs root, and a container that may mount)", w.data, err)
	}
	w.t.Cleanup(func() {
		if err := syscall.Unmount(w.data, syscall.MNT_DETACH); err != nil {
			w.t.Error(err)
		}
	})
}

// leave resizes the disk so that the given number of bytes is free. Files may grow meanwhile, so it retries until it
// succeeds.
func (w *world) leave(free int64) {
	for range 1000 {
		var s syscall.Statfs_t
		if err := syscall.Statfs(w.data, &s); err != nil {
			w.t.Fatal(err)
		}
		used := int64(s.Blocks-s.Bfree) * s.Bsize
		err := syscall.Mount("tmpfs", w.data, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", max(used+free, s.Bsize)))
		if err == nil {
			return
		}
		if !errors.Is(err, syscall.EINVAL) { // more has been used meanwhile
			w.t.Fatalf("cannot change the size of the disk: %v", err)
		}
	}
	w.t.Fatal("cannot make the disk full: more and more is written")
}

func (w *world) freeSpace() {
	if err := syscall.Mount("tmpfs", w.data, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", roomy)); err != nil {
		w.t.Fatal(err)
	}
}

// diskLowRound leaves less than the reserve. Nothing breaks: writes are refused before that.
func diskLowRound(w *world) tally {
	w.underLoad(300*time.Millisecond, func() {
		w.leave(100 << 20)
		time.Sleep(500 * time.Millisecond) // until the server has noticed
	})
	for n, write := range []writer{writeSpans, writeSpansByGRPC, writeScore, writeScores, writeMedium} {
		if got := write(w); got != refused {
			w.violation("with little space left, writer %d is not refused (%d)", n, got)
		}
	}
	for n, write := range []writer{writeItem, writePrompt} { // the catalog may use the rest
		if got := write(w); got != acknowledged {
			w.violation("with little space left, writer %d of the catalog is not acknowledged (%d)", n, got)
		}
	}
	found := w.check(false)
	w.freeSpace()
	w.writeEach(freed, "with space again")
	found.add(w.check(false))
	w.doctor()
	return found
}

// diskFullRound leaves no space at all, under load.
func diskFullRound(w *world) tally {
	var found tally
	w.underLoad(w.between(200*time.Millisecond, 1200*time.Millisecond), func() {
		w.leave(w.rng.Int64N(3) * 300 << 10) // nothing, or too little for a segment
		time.Sleep(w.between(300*time.Millisecond, 1500*time.Millisecond))
		found = w.checkReads()
	})
	w.freeSpace()
	w.writeEach(freed, "with space again")
	found.add(w.check(false))
	if w.rng.IntN(2) == 0 {
		w.kill()
		w.start()
		found.add(w.check(true))
	}
	w.doctor()
	return found
}

// checkReads reads a page of each list while the disk is full.
func (w *world) checkReads() (t tally) {
	for _, path := range []string{
		"/api/public/v2/observations?limit=50", "/api/public/v3/scores?limit=50", "/api/public/v2/prompts",
		"/api/public/dataset-items?limit=50",
	} {
		if code, text, _, err := w.do(http.MethodGet, w.server.URL+path, "", nil); err != nil || code != http.StatusOK {
			t.complain("with a full disk, GET %s: %d %.300s, %v", path, code, text, err)
		}
	}
	return t
}

// diskFullStartRound starts with next to no space.
func diskFullStartRound(w *world) tally {
	w.underLoad(w.between(200*time.Millisecond, 600*time.Millisecond), w.kill)
	w.leave(w.rng.Int64N(300 << 10))
	if err := w.tryStart(); err != nil {
		if !strings.Contains(err.Error(), "no space left") && !strings.Contains(err.Error(), "full") {
			w.violation("a server that cannot start on a full disk does not say so: %v", err)
		}
	} else {
		found := w.checkReads()
		w.violations = append(w.violations, found.problems...)
		w.kill()
	}
	w.freeSpace()
	w.start()
	found := w.check(true)
	w.doctor()
	return found
}
