package segment

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"almanac/internal/disk"
	"almanac/test/powerloss"
)

// killed runs do until the given site is about to sync, kills it there, and reopens the table.
func (r *powerRun) killed(site disk.Site, do func()) {
	r.t.Helper()
	r.recorder.KillBefore(site)
	if !r.survives(do) {
		r.t.Fatalf("%s was not reached", site)
	}
	r.recorder.KillAt(-1)
	r.open()
}

// full runs do while the disk has room for only that many bytes.
func (r *powerRun) full(bytes int64, do func()) {
	r.recorder.Limit(bytes)
	do()
	r.recorder.Limit(-1)
}

// powerScripts has, for each sync site, a sequence after which a power loss does harm if that sync is left out.
var powerScripts = map[disk.Site]func(r *powerRun){
	disk.LogCommit: func(r *powerRun) {
		r.open()
		r.write()
	},
	disk.LogHead: func(r *powerRun) {
		r.open()
		r.commit(appendRows, appendRows)
	},
	disk.LogName: func(r *powerRun) {
		r.open()
		r.write()
	},
	disk.LogUnwritten: func(r *powerRun) {
		r.open()
		r.write()
		r.full(1000, func() { r.commit(appendRows, appendRows, appendRows) })
		r.flush()
	},
	disk.LogTakenBack: func(r *powerRun) {
		r.open()
		r.commit(appendRows)
		r.full(10, r.flush)
		r.commit(appendRows, appendRows)
	},
	disk.LogReplayed: func(r *powerRun) {
		r.open()
		r.killed(disk.LogCommit, r.write)
		r.write()
	},
	disk.ManifestEdit: func(r *powerRun) {
		r.open()
		r.commit(appendRows)
		r.flush()
	},
	disk.ManifestAgain: func(r *powerRun) { r.open() },
	disk.ManifestName: func(r *powerRun) { // an edit, and nothing that syncs the directory
		r.open()
		r.commit(appendRows)
		r.table.manifest.limit = 1
		r.flush()
		r.commit(deleteAll)
		r.merge()
	},
	disk.TableName: func(r *powerRun) {
		r.open()
		r.write()
	},
	disk.TableRead: func(r *powerRun) { r.killed(disk.ManifestName, r.open) },
	disk.SegmentData: func(r *powerRun) {
		r.open()
		r.commit(appendRows)
		r.flush()
	},
	disk.MergedData: func(r *powerRun) {
		r.open()
		for range 3 {
			r.commit(appendRows)
			r.flush()
		}
		r.merge()
	},
	disk.IndexData: func(r *powerRun) {
		r.open()
		r.commit(appendRows)
		r.flush()
	},
	disk.SegmentNames: func(r *powerRun) {
		r.open()
		r.commit(appendRows)
		r.flush()
	},
}

// TestEverySyncIsNeeded leaves out each sync in turn: a power loss must then do harm, and the same loss must do none
// otherwise.
func TestEverySyncIsNeeded(t *testing.T) {
	seed := powerloss.Seed(t)
	for site, script := range powerScripts {
		t.Run(string(site), func(t *testing.T) {
			powerloss.Needs(t, seed, site, func(attempt uint64) (*powerloss.Recorder, powerloss.Check) {
				r := newPowerRun(t, attempt)
				r.record()
				script(r)
				return r.recorder, r.check
			})
		})
	}
}

// TestEverySyncOfARepairIsNeeded rebuilds an index and lets the power fail: an index that was reported must be good,
// and with any sync left out it need not be.
func TestEverySyncOfARepairIsNeeded(t *testing.T) {
	seed := powerloss.Seed(t)
	for _, site := range []disk.Site{disk.RebuiltIndex, disk.RebuiltName} {
		t.Run(string(site), func(t *testing.T) {
			powerloss.Needs(t, seed, site, func(uint64) (*powerloss.Recorder, powerloss.Check) {
				root, scratch := powerloss.TempDir(t), powerloss.TempDir(t)
				if err := os.CopyFS(filepath.Join(root, "events"), os.DirFS(smallStore(t))); err != nil {
					t.Fatal(err)
				}
				overwrite(t, indexFiles(t, filepath.Join(root, "events"))[0], []byte("no index"))
				r := powerloss.Record(t, root)
				if made, err := Repair(r.Disk(), filepath.Join(root, "events"), nil); err != nil || len(made) != 1 {
					t.Fatalf("made %q again, %v", made, err)
				}
				return r, func(changes int, random *rand.Rand, without disk.Site) error {
					after := filepath.Join(scratch, "after")
					defer os.RemoveAll(after)
					r.Crash(t, changes, random, without, after)
					found, err := Verify(filepath.Join(after, "events"), nil)
					if err != nil {
						return err
					}
					if changes < r.Len() && len(found.Faults) == found.Indexes { // not reported yet, and can be repaired again
						return nil
					}
					if len(found.Faults) > 0 {
						return errors.New(strings.Join(found.Faults, "; "))
					}
					return nil
				}
			})
		})
	}
}

// TestEverySyncOfAcceptedLossIsNeeded accepts the loss of a write in the middle of a log and lets the power fail: once
// that was reported, the store must open with all other rows, and with any sync left out it need not.
func TestEverySyncOfAcceptedLossIsNeeded(t *testing.T) {
	seed := powerloss.Seed(t)
	for _, site := range []disk.Site{disk.AcceptedLog, disk.AcceptedName} {
		t.Run(string(site), func(t *testing.T) {
			powerloss.Needs(t, seed, site, func(uint64) (*powerloss.Recorder, powerloss.Check) {
				root, scratch := powerloss.TempDir(t), powerloss.TempDir(t)
				killed, log := killedStore(t)
				if err := os.CopyFS(filepath.Join(root, "events"), os.DirFS(killed)); err != nil {
					t.Fatal(err)
				}
				log = filepath.Join(root, "events", "observations", filepath.Base(log))
				content, err := os.ReadFile(log)
				if err != nil {
					t.Fatal(err)
				}
				content[len(content)/2] ^= 1
				overwrite(t, log, content)
				r := powerloss.Record(t, root)
				if lost, err := AcceptLoss(r.Disk(), filepath.Join(root, "events")); err != nil || len(lost) == 0 {
					t.Fatalf("accepted the loss of %q, %v", lost, err)
				}
				return r, func(changes int, random *rand.Rand, without disk.Site) error {
					after := filepath.Join(scratch, "after")
					defer os.RemoveAll(after)
					r.Crash(t, changes, random, without, after)
					events := filepath.Join(after, "events")
					if changes < r.Len() { // not reported yet
						if _, err := AcceptLoss(unsynced(), events); err != nil {
							return err
						}
					}
					s, err := Open(events, unsyncedOptions())
					if err != nil {
						return err
					}
					names, err := observationNames(t, s)
					if err == nil && len(names) != 19 {
						err = fmt.Errorf("there are %d rows", len(names))
					}
					return errors.Join(err, s.Close())
				}
			})
		})
	}
}
