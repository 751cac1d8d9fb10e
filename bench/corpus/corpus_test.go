package corpus

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"almanac/internal/domain"
)

var modes = []Mode{Text, Conversations, Chats, Threads}

// small keeps tests fast: a generator spends most of its time on its text.
func small(mode Mode, rows int) Options {
	return Options{Mode: mode, Seed: 7, Rows: rows, TextBytes: 1 << 20, PlantEvery: 1000}
}

// sent is a row and the project it went to.
type sent struct {
	project string
	row     domain.Observation
}

func generate(g *Generator, rows, batch int) []sent {
	var out []sent
	for len(out) < rows {
		b := make([]domain.Observation, batch)
		project := g.Fill(b)
		for i := range b {
			out = append(out, sent{project, b[i]})
		}
	}
	return out
}

func TestSameOptionsGiveSameRows(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.String(), func(t *testing.T) {
			g := New(small(mode, 2000))
			first := generate(g, 2000, 500)
			g.Restart()
			if diff := cmp.Diff(first, generate(g, 2000, 500), cmp.AllowUnexported(sent{})); diff != "" {
				t.Errorf("after Restart (-first +again):\n%s", diff)
			}
			if diff := cmp.Diff(first, generate(New(small(mode, 2000)), 2000, 500), cmp.AllowUnexported(sent{})); diff != "" {
				t.Errorf("another generator (-first +other):\n%s", diff)
			}
			other := small(mode, 2000)
			other.Seed++
			if generate(New(other), 500, 500)[0].row.TraceID == first[0].row.TraceID {
				t.Error("another seed gives the same ids")
			}
		})
	}
}

func TestSizes(t *testing.T) {
	type bounds struct{ least, most int }
	cases := []struct {
		mode                    Mode
		input, output, metadata bounds // on average
	}{
		{Text, bounds{1100, 1300}, bounds{730, 870}, bounds{360, 440}},
		{Conversations, bounds{4000, 9000}, bounds{350, 700}, bounds{360, 440}},
		{Chats, bounds{1900, 2150}, bounds{60, 85}, bounds{360, 440}},
		{Threads, bounds{1900, 2150}, bounds{60, 85}, bounds{360, 440}},
	}
	for _, c := range cases {
		t.Run(c.mode.String(), func(t *testing.T) {
			const rows = 20_000
			var input, output, metadata int
			for _, s := range generate(New(small(c.mode, rows)), rows, 500) {
				input += len(s.row.Input)
				output += len(s.row.Output)
				metadata += len(s.row.Metadata)
			}
			for _, f := range []struct {
				name string
				sum  int
				want bounds
			}{{"input", input, c.input}, {"output", output, c.output}, {"metadata", metadata, c.metadata}} {
				t.Logf("%s: %d bytes on average", f.name, f.sum/rows)
				if got := f.sum / rows; got < f.want.least || got > f.want.most {
					t.Errorf("%s: %d bytes on average, want %d to %d", f.name, got, f.want.least, f.want.most)
				}
			}
		})
	}
}

func TestShape(t *testing.T) {
	traceID, spanID := regexp.MustCompile(`^[0-9a-f]{32}$`), regexp.MustCompile(`^[0-9a-f]{16}$`)
	for _, mode := range modes {
		t.Run(mode.String(), func(t *testing.T) {
			const rows = 30_000
			g := New(small(mode, rows))
			all := generate(g, rows, 500)
			from, to := g.Bounds()
			projects, types, models := map[string]int{}, map[string]int{}, map[string]bool{}
			keys, traces := map[string]bool{}, map[string]int{}
			order := map[string]domain.Micros{} // the latest start so far, by project
			for _, s := range all {
				o := &s.row
				projects[s.project]++
				types[o.Type]++
				models[o.Model] = true
				traces[s.project+o.TraceID]++
				if !traceID.MatchString(o.TraceID) || !spanID.MatchString(o.ID) {
					t.Fatalf("ids are %q and %q", o.TraceID, o.ID)
				}
				if key := o.TraceID + o.ID; keys[key] {
					t.Fatalf("two rows are %s", key)
				} else {
					keys[key] = true
				}
				if o.StartTime < from || o.StartTime >= to || o.EndTime != 0 && o.EndTime < o.StartTime || o.CreatedAt < o.StartTime {
					t.Fatalf("times of %s: start %v, end %v, created %v, bounds %v to %v", o.ID, o.StartTime, o.EndTime,
						o.CreatedAt, from, to)
				}
				// A turn of a conversation takes longer than the jitter, since its rows follow each other.
				if late := order[s.project] - o.StartTime; late > 2*jitter+mostRows*250_000 {
					t.Fatalf("a row starts %d s before one that arrived earlier", late/1e6)
				}
				order[s.project] = max(order[s.project], o.StartTime)
				for _, text := range []string{
					o.Metadata, o.Usage, o.ProvidedUsage, o.Cost, o.ModelParameters, o.ToolCalls, o.ToolDefinitions, o.TraceMetadata,
				} {
					if text != "" && !json.Valid([]byte(text)) {
						t.Fatalf("not JSON: %s", text)
					}
				}
				if mode != Text && o.Type == "GENERATION" && !json.Valid([]byte(o.Input)) {
					t.Fatalf("not JSON: %s", o.Input)
				}
			}
			if share := float64(projects[g.Projects()[0]]) / rows; share < 0.83 || share > 0.87 {
				t.Errorf("the biggest project has %.0f %% of the rows", 100*share)
			}
			if len(projects) != 4 {
				t.Errorf("%d projects, want 4", len(projects))
			}
			if days := float64(to-from) / (24 * 3600 * 1e6); days < 9.5 || days > 10.3 {
				t.Errorf("rows cover %.2f days, want 10", days)
			}
			if share := float64(types["GENERATION"]) / rows; mode < Chats && (share < 0.33 || share > 0.45) {
				t.Errorf("%.0f %% of the rows are generations", 100*share)
			}
			if want := map[Mode]int{Text: 11, Conversations: 11, Chats: 10, Threads: 10}[mode]; len(models) < want {
				t.Errorf("%d models", len(models))
			}
			biggest := g.Projects()[0]
			for n := range g.Traces(biggest) {
				rows := traces[biggest+g.TraceID(biggest, n)]
				if mode == Text && rows != textRows || mode == Conversations && (rows < leastRows || rows > mostRows) || mode == Chats &&
					rows != 1 || mode == Threads && rows != turns {
					t.Fatalf("trace %d has %d rows", n, rows)
				}
			}
		})
	}
}

func TestPlanted(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.String(), func(t *testing.T) {
			const rows = 20_000
			g := New(small(mode, rows))
			words, values := 0, 0
			for _, s := range generate(g, rows, 500) {
				w := strings.Count(s.row.Input, RareWord)
				v := strings.Count(s.row.Metadata, `"`+RareKey+`":"`+RareValue+`"`)
				if w+v > 0 && s.project != g.Projects()[0] {
					t.Errorf("planted in %s", s.project)
				}
				if strings.Contains(s.row.Output+s.row.TraceInput, RareWord) {
					t.Error("the word is outside of the input")
				}
				words, values = words+w, values+v
			}
			if words != rows/1000 || values != rows/1000 {
				t.Errorf("%d words and %d values, want %d of each", words, values, rows/1000)
			}
			if w, v := g.Planted(); w != words || v != values {
				t.Errorf("Planted() = %d, %d; found %d, %d", w, v, words, values)
			}
		})
	}
	// Check the defaults without generating a million rows.
	p, s := newPlanter(Options{}.withDefaults().PlantEvery), &stream{share: shares[0]}
	for n := range 1_000_000 {
		p.word(s, n)
		p.value(s, n)
	}
	if p.words != 9 || p.values != 9 {
		t.Errorf("%d words and %d values in a million rows, want 9 of each", p.words, p.values)
	}
}

// TestHistoryRepeats checks that the input of a generation begins with that of the previous one in the same turn.
func TestHistoryRepeats(t *testing.T) {
	last := map[string]string{} // by trace
	repeated := 0
	for _, s := range generate(New(small(Conversations, 2000)), 2000, 500) {
		if s.row.Type != "GENERATION" {
			continue
		}
		if before := last[s.row.TraceID]; before != "" {
			if !strings.HasPrefix(s.row.Input, strings.TrimSuffix(before, "]")) {
				t.Fatalf("the history changed within trace %s", s.row.TraceID)
			}
			repeated++
		}
		last[s.row.TraceID] = s.row.Input
	}
	if repeated < 400 {
		t.Errorf("only %d inputs repeat another", repeated)
	}
}

// TestProseIsLikeLanguage guards the figures about disk space, which would all be wrong if the text compressed much
// better or worse than natural language.
func TestProseIsLikeLanguage(t *testing.T) {
	p := newProse(1, 4<<20)
	if strings.ContainsAny(string(p), "\"\\\n") {
		t.Error("the text needs escaping in JSON")
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write([]byte(p[:150<<10]))
	w.Close()
	ratio := float64(150<<10) / float64(out.Len())
	distinct := map[string]bool{}
	for word := range strings.FieldsSeq(string(p)) {
		distinct[word] = true
	}
	t.Logf("gzip makes it %.2f times smaller; %d different words in 4 MB", ratio, len(distinct))
	if ratio < 2.2 || ratio > 3.2 {
		t.Errorf("gzip makes it %.2f times smaller, want 2.2 to 3.2", ratio)
	}
}

func TestModeNames(t *testing.T) {
	for _, mode := range modes {
		var got Mode
		if err := got.UnmarshalText([]byte(mode.String())); got != mode || err != nil {
			t.Errorf("%q is read as %v, %v", mode, got, err)
		}
	}
	if err := new(Mode).UnmarshalText([]byte("images")); err == nil {
		t.Error("no error")
	}
}

func TestTagsComeFromTheList(t *testing.T) {
	g := New(small(Text, 2000))
	for _, s := range generate(g, 2000, 500) {
		if len(s.row.Tags) > 3 {
			t.Fatalf("%d tags", len(s.row.Tags))
		}
		for _, tag := range s.row.Tags {
			if !slices.Contains(g.Tags(), tag) {
				t.Fatalf("unknown tag %q", tag)
			}
		}
	}
}

func BenchmarkFill(b *testing.B) {
	for _, mode := range modes {
		b.Run(mode.String(), func(b *testing.B) {
			g := New(Options{Mode: mode})
			batch := make([]domain.Observation, 500)
			b.ReportAllocs()
			rows := 0
			for b.Loop() {
				g.Fill(batch)
				rows += len(batch)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/row")
		})
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(Options{})
	}
}
