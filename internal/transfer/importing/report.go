package importing

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"slices"
)

// Report is the outcome of importing a table.
type Report struct {
	Table string `json:"-"`
	// Counted is the number of records in the source: the sum of Imported, Unchanged and Skipped.
	Counted  int64 `json:"counted"`
	Imported int64 `json:"imported"`
	// Unchanged is the number of records that already existed.
	Unchanged int64 `json:"unchanged,omitempty"`
	// Skipped are the records that were left out, by reason.
	Skipped []Skip `json:"skipped,omitempty"`
	// Notes are remarks about the table.
	Notes []string `json:"notes,omitempty"`
	// Digest is the order-independent sum of the SHA-256 hashes of all imported and unchanged records.
	Digest Digest `json:"digest"`
}

// note adds a remark, once.
func (r *Report) note(text string) {
	if text != "" && !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}

// skip counts records that were left out.
func (r *Report) skip(reason, example string, count int64) {
	r.Counted += count
	for n := range r.Skipped {
		if r.Skipped[n].Reason == reason {
			r.Skipped[n].Count += count
			return
		}
	}
	r.Skipped = append(r.Skipped, Skip{Reason: reason, Example: example, Count: count})
}

// merge adds another report.
func (r *Report) merge(o *Report) {
	counted := r.Counted + o.Counted
	for _, s := range o.Skipped {
		r.skip(s.Reason, s.Example, s.Count)
	}
	for _, text := range o.Notes {
		r.note(text)
	}
	r.Counted, r.Imported, r.Unchanged = counted, r.Imported+o.Imported, r.Unchanged+o.Unchanged
	r.Digest.plus(o.Digest)
}

// clone returns a copy that shares no slices with the report.
func (r *Report) clone() Report {
	c := *r
	c.Skipped, c.Notes = slices.Clone(r.Skipped), slices.Clone(r.Notes)
	return c
}

// progress is the report of a table during its import.
type progress struct {
	Report
	// Projects are the reports per project, by source id.
	Projects map[string]Report `json:"projects,omitempty"`
}

// with returns the progress after a page, which may belong to no project.
func (p *progress) with(projectID string, page *Report) progress {
	after := progress{p.clone(), maps.Clone(p.Projects)}
	after.merge(page)
	if projectID != "" {
		before := p.Projects[projectID]
		own := before.clone()
		own.merge(page)
		if after.Projects == nil {
			after.Projects = make(map[string]Report)
		}
		after.Projects[projectID] = own
	}
	return after
}

// Digest is a sum of hashes. It does not depend on their order, so data imported page by page, from several sources or
// repeatedly has the same digest.
type Digest [4]uint64

// add adds the hash of a record.
func (d *Digest) add(record any) error {
	sum := sha256.New()
	if err := json.NewEncoder(sum).Encode(record); err != nil {
		return fmt.Errorf("cannot compute the digest of a record: %w", err)
	}
	var hash [sha256.Size]byte
	sum.Sum(hash[:0])
	var one Digest
	for n := range one {
		one[n] = binary.LittleEndian.Uint64(hash[8*n:])
	}
	d.plus(one)
	return nil
}

// plus adds another digest.
func (d *Digest) plus(o Digest) {
	carry := uint64(0)
	for n := range d {
		d[n], carry = bits.Add64(d[n], o[n], carry)
	}
}

// String returns the digest in hexadecimal.
func (d Digest) String() string {
	var sum [sha256.Size]byte
	for n := range d {
		binary.LittleEndian.PutUint64(sum[8*n:], d[n])
	}
	return hex.EncodeToString(sum[:])
}

// MarshalText returns the digest as String does.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses what MarshalText returns.
func (d *Digest) UnmarshalText(text []byte) error {
	sum, err := hex.DecodeString(string(text))
	if err != nil || len(sum) != sha256.Size {
		return fmt.Errorf("%q is not a digest", text)
	}
	for n := range d {
		d[n] = binary.LittleEndian.Uint64(sum[8*n:])
	}
	return nil
}
