package domain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestWhatATraceHandsDown(t *testing.T) {
	root := Observation{TraceID: "t", ID: "root", StartTime: 1000, UserID: "u", SessionID: "s", Version: "v", Tags: []string{"b", "a"}}
	child := Observation{TraceID: "t", ID: "child", ParentID: "root", StartTime: 2000}
	own := Observation{TraceID: "t", ID: "own", StartTime: 3000, UserID: "other", Tags: []string{"c"}}
	elsewhere := Observation{TraceID: "u", ID: "child", StartTime: 2000}
	rows := []Observation{child, root, own, elsewhere}
	HandDown(rows)
	for n, want := range []string{
		// The newest row that names a user is the own one.
		"other s v [a b c] user_id session_id version tags", "u s v [b a] ", "other s v [c] session_id version", "   [] ",
	} {
		if got := fmt.Sprintf("%s %s %s %v %s", rows[n].UserID, rows[n].SessionID, rows[n].Version, rows[n].Tags, rows[n].Inherited); got != want {
			t.Errorf("row %d is %q, want %q", n, got, want)
		}
	}
	for n, want := range []Observation{child, root, own, elsewhere} {
		sent := *rows[n].Sent()
		if sent.Inherited != "" || !sent.SameInherited(&want) {
			t.Errorf("row %d was sent as %+v, want %+v", n, sent.Own(), want.Own())
		}
		rows[n].DropInherited()
		if !rows[n].SameInherited(&want) {
			t.Errorf("row %d without what it has inherited is %+v, want %+v", n, rows[n].Own(), want.Own())
		}
	}
}

// TestGivingAgain checks that observations follow what their trace hands down, and lose what it no longer does.
func TestGivingAgain(t *testing.T) {
	child := Observation{ID: "child", StartTime: 2}
	give := func(user string, tags ...string) bool {
		var h Heirloom
		h.See(&child)
		h.See(&Observation{ID: "root", StartTime: 1, UserID: user, Tags: tags})
		return h.Give(&child)
	}
	for _, step := range []struct {
		user, want string
		tags       []string
		changed    bool
	}{
		{"", " [] ", nil, false},
		{"u", "u [] user_id", nil, true},
		{"u", "u [] user_id", nil, false},
		{"v", "v [x] user_id tags", []string{"x"}, true},
		{"", " [x] tags", []string{"x"}, true},
		{"", " [] ", nil, true},
	} {
		if changed := give(step.user, step.tags...); changed != step.changed {
			t.Errorf("giving %q %v changed it: %v", step.user, step.tags, changed)
		}
		if got := fmt.Sprintf("%s %v %s", child.UserID, child.Tags, child.Inherited); got != step.want {
			t.Errorf("after %q %v it is %q, want %q", step.user, step.tags, got, step.want)
		}
	}
}

func TestLimitsOfWhatIsHandedDown(t *testing.T) {
	rows := []Observation{
		{TraceID: "t", ID: "a", StartTime: 1, UserID: strings.Repeat("u", MaxInheritedText+1), SessionID: strings.Repeat("s", MaxInheritedText)},
		{TraceID: "t", ID: "b", StartTime: 2},
	}
	rows[0].Tags = append(rows[0].Tags, strings.Repeat("0", MaxInheritedText+1))
	for n := range 10 * MaxInheritedTags {
		rows[0].Tags = append(rows[0].Tags, fmt.Sprintf("%04d", 10*MaxInheritedTags-n))
	}
	HandDown(rows)
	b := &rows[1]
	if b.UserID != "" || b.SessionID != rows[0].SessionID || b.Inherited != "session_id tags" {
		t.Errorf("it has inherited %q: a user of %d bytes and a session of %d", b.Inherited, len(b.UserID), len(b.SessionID))
	}
	if len(b.Tags) != MaxInheritedTags || b.Tags[0] != "0001" || !slices.IsSorted(b.Tags) {
		t.Errorf("it has inherited %d tags, from %q on", len(b.Tags), b.Tags[0])
	}
	rows[0].Tags, b.Tags, b.Inherited = []string{strings.Repeat("x", MaxInheritedText-1), "y", "z"}, nil, ""
	HandDown(rows)
	if len(b.Tags) != 2 { // the third has a byte too many
		t.Errorf("it has inherited %d tags, which are more bytes than allowed", len(b.Tags))
	}
}

// TestLongValuesAreNotKept checks that what a trace may hand down takes little memory, whatever its rows have, and that what
// is forgotten makes no difference.
func TestLongValuesAreNotKept(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	long := strings.Repeat("x", 1<<20)
	for range 20 {
		var tags []string
		for n := range 2000 {
			tags = append(tags, fmt.Sprintf("%04d", n)+strings.Repeat("t", random.IntN(1+random.IntN(MaxInheritedText-4))))
		}
		first := ""
		for range 3 {
			random.Shuffle(len(tags), func(a, b int) { tags[a], tags[b] = tags[b], tags[a] })
			var h Heirloom
			for n := range tags {
				h.See(&Observation{ID: "a", StartTime: 1, UserID: long, SessionID: long, Version: long, Tags: tags[n : n+1]})
			}
			kept := len(h.user.text) + len(h.session.text) + len(h.version.text)
			for tag := range h.tags {
				kept += len(tag)
			}
			if kept > 3*(MaxInheritedText+1)+5*MaxInheritedText {
				t.Fatalf("%d bytes are kept", kept)
			}
			o := Observation{ID: "b", StartTime: 2}
			if h.Give(&o); o.UserID+o.SessionID+o.Version != "" {
				t.Fatalf("long values are handed down: %q", o.Inherited)
			}
			handed := strings.Join(o.Tags, " ")
			if first == "" {
				first = handed
			}
			if handed != first {
				t.Fatalf("the tags are %.200q or %.200q, depending on their order", first, handed)
			}
		}
	}
}

// TestOrderOfRowsDoesNotMatter checks that a trace hands down the same however its rows come.
func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pick := func(of string) string {
		if n := random.IntN(3); n > 0 {
			return fmt.Sprint(of, n)
		}
		return ""
	}
	for range 500 {
		var rows []Observation
		for n := range 1 + random.IntN(6) {
			row := Observation{
				TraceID: "t", ID: strconv.Itoa(n), StartTime: Micros(1 + 1000*random.IntN(3)), UserID: pick("u"), SessionID: pick("s"),
				Version: pick("v"), Source: []string{SourceOTel, SourceIngestion, SourceIngestionTrace}[random.IntN(3)],
			}
			if tag := pick("t"); tag != "" {
				row.Tags = []string{tag}
			}
			rows = append(rows, row)
		}
		want := make(map[string]string)
		for range 3 {
			random.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
			given := slices.Clone(rows)
			HandDown(given)
			for _, row := range given {
				got := fmt.Sprintf("%+v %s", row.Own(), row.Inherited) + row.UserID + row.SessionID + row.Version + fmt.Sprint(row.Tags)
				if before, known := want[row.ID]; known && before != got {
					t.Fatalf("row %s is %s or %s, depending on the order of %+v", row.ID, before, got, rows)
				}
				want[row.ID] = got
			}
		}
	}
}

func BenchmarkHandDown(b *testing.B) {
	row := func(n int, user string) Observation {
		return Observation{TraceID: strconv.Itoa(n / 10), ID: strconv.Itoa(n), StartTime: Micros(1000 * n), UserID: user, SessionID: user}
	}
	for name, user := range map[string]func(n int) string{
		"every span": func(int) string { return "user" },
		"roots": func(n int) string {
			if n%10 == 0 {
				return "user"
			}
			return ""
		},
	} {
		b.Run(name, func(b *testing.B) {
			rows := make([]Observation, 500)
			for n := range rows {
				rows[n] = row(n, user(n))
			}
			work := make([]Observation, len(rows))
			for b.Loop() {
				b.StopTimer()
				copy(work, rows)
				b.StartTimer()
				HandDown(work)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/span")
		})
	}
}
