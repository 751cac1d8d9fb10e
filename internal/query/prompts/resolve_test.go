package prompts

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"almanac/internal/domain"
)

func TestTags(t *testing.T) {
	version := func(name string, n int) domain.PromptReference { return domain.PromptReference{Name: name, Version: n} }
	label := func(name, l string) domain.PromptReference { return domain.PromptReference{Name: name, Label: l} }
	tests := []struct {
		text string
		want []domain.PromptReference
	}{
		{"", nil},
		{"@@@langfusePrompt:name=a|version=1@@@", []domain.PromptReference{version("a", 1)}},
		{"x@@@langfusePrompt:name=a/b c|label=prod.x_y-z@@@y", []domain.PromptReference{label("a/b c", "prod.x_y-z")}},
		{
			"@@@langfusePrompt:name=a|version=1@@@@@@langfusePrompt:name=b|label=l@@@ @@@langfusePrompt:name=a|version=1@@@",
			[]domain.PromptReference{version("a", 1), label("b", "l")},
		},
		{"@@@langfusePrompt:name=a=b|label=c=d@@@", []domain.PromptReference{label("a=b", "c=d")}},
		{"@@@langfusePrompt:name=a@@@", nil},
		{"@@@langfusePrompt:name=a|@@@", nil},
		{"@@@langfusePrompt:a|version=1@@@", nil},
		{"@@@langfusePrompt:name=|version=1@@@", nil},
		{"@@@langfusePrompt:version=1|name=a@@@", nil},
		{"@@@langfusePrompt:name=a|version=1|label=b@@@", nil},
		{"@@@langfusePrompt:name=a|version=0@@@", nil},
		{"@@@langfusePrompt:name=a|version=-1@@@", nil},
		{"@@@langfusePrompt:name=a|version=1.5@@@", nil},
		{"@@@langfusePrompt:name=a|version=99999999999@@@", nil},
		{"@@@langfusePrompt:name=a|version=2147483647@@@", []domain.PromptReference{version("a", 2147483647)}},
		{"@@@langfusePrompt:name=a|version=2147483648@@@", nil},
		{"@@@langfusePrompt:@@@ @@@langfusePrompt:name=a|version=1@@@", []domain.PromptReference{version("a", 1)}},
		{"@@@langfusePrompt:name=a|label=@@@", nil},
		{"@@@langfusePrompt:name=a|Label=b@@@", nil},
		{"@@@langfusePrompt:name=a|version=1", nil},
		{"@@langfusePrompt:name=a|version=1@@", nil},
		// A tag ends at the first mark, even if another tag begins there.
		{"@@@langfusePrompt:broken @@@langfusePrompt:name=a|version=1@@@", nil},
	}
	for _, test := range tests {
		if diff := cmp.Diff(test.want, References(domain.Prompt{Text: test.text})); diff != "" {
			t.Errorf("References(%q) (-want +got):\n%s", test.text, diff)
		}
		chat := domain.Prompt{Messages: []domain.PromptMessage{{Content: "x"}, {Placeholder: "p"}, {Content: test.text}}}
		if diff := cmp.Diff(test.want, References(chat)); diff != "" {
			t.Errorf("References of a chat with %q (-want +got):\n%s", test.text, diff)
		}
	}
}

// shelf has prompts by reference.
type shelf map[domain.PromptReference]domain.Prompt

func (s shelf) find(_ context.Context, ref domain.PromptReference) (domain.Prompt, error) {
	p, ok := s[ref]
	if !ok {
		return p, domain.ErrNotFound
	}
	return p, nil
}

// put adds version 1 of a text prompt, with the label l.
func (s shelf) put(name, text string) domain.Prompt {
	p := domain.Prompt{ID: "id-" + name, Name: name, Version: 1, Type: domain.PromptText, Text: text}
	p.References = References(p)
	s[domain.PromptReference{Name: name, Version: 1}] = p
	s[domain.PromptReference{Name: name, Label: "l"}] = p
	return p
}

func tag(name string) string { return "@@@langfusePrompt:name=" + name + "|label=l@@@" }

func TestResolve(t *testing.T) {
	s := shelf{}
	s.put("leaf", "LEAF")
	s.put("left", "("+tag("leaf")+")")
	s.put("right", tag("leaf")+"@@@langfusePrompt:name=leaf|version=1@@@")
	top := s.put("top", tag("left")+" "+tag("right")+" @@@langfusePrompt:name=x@@@")
	got, graph, err := Resolve(t.Context(), top, s.find)
	if err != nil {
		t.Fatal(err)
	}
	if want := "(LEAF) LEAFLEAF @@@langfusePrompt:name=x@@@"; got.Text != want {
		t.Errorf("text %q, want %q", got.Text, want)
	}
	node := func(name string) Node { return Node{"id-" + name, name, 1} }
	want := &Graph{Root: node("top"), Dependencies: map[string][]Node{
		"id-top": {node("left"), node("right")}, "id-left": {node("leaf")}, "id-right": {node("leaf")},
	}}
	if diff := cmp.Diff(want, graph); diff != "" {
		t.Errorf("graph (-want +got):\n%s", diff)
	}
	if _, graph, err := Resolve(t.Context(), s[domain.PromptReference{Name: "leaf", Label: "l"}], s.find); graph != nil || err != nil {
		t.Errorf("of a prompt that names none: %v, %v", graph, err)
	}
	// Inserted text is not scanned for tags again.
	s.put("sly", "@@@langfuse")
	sly := s.put("trap", tag("sly")+"Prompt:name=leaf|label=l@@@")
	if got, _, err := Resolve(t.Context(), sly, s.find); err != nil || got.Text != "@@@langfusePrompt:name=leaf|label=l@@@" {
		t.Errorf("a tag that is put together: %q, %v", got.Text, err)
	}
}

// TestResolveLargest resolves a prompt to the maximum size.
func TestResolveLargest(t *testing.T) {
	s := shelf{}
	half := strings.Repeat("x", maxResolved/2)
	s.put("half", half)
	if got, _, err := Resolve(t.Context(), s.put("top", tag("half")), s.find); err != nil || got.Text != half {
		t.Errorf("%d bytes, %v, want all %d", len(got.Text), err, len(half))
	}
}

// TestResolveChat resolves references in chat messages, and leaves placeholders and roles alone.
func TestResolveChat(t *testing.T) {
	s := shelf{}
	s.put("leaf", "LEAF")
	chat := domain.Prompt{ID: "chat", Name: "chat", Type: domain.PromptChat, Messages: []domain.PromptMessage{
		{Role: "system", Content: "a " + tag("leaf")}, {Placeholder: "p"}, {Role: "user", Content: tag("leaf") + tag("leaf")},
	}}
	chat.References = References(chat)
	got, _, err := Resolve(t.Context(), chat, s.find)
	if err != nil {
		t.Fatal(err)
	}
	want := []domain.PromptMessage{{Role: "system", Content: "a LEAF"}, {Placeholder: "p"}, {Role: "user", Content: "LEAFLEAF"}}
	if diff := cmp.Diff(want, got.Messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if chat.Messages[0].Content != "a "+tag("leaf") {
		t.Error("the prompt that was given is changed")
	}
	s.put("half", strings.Repeat("x", maxResolved/2))
	chat.Messages = []domain.PromptMessage{{Content: tag("half")}, {Content: "y"}}
	chat.References = References(chat)
	if _, _, err := Resolve(t.Context(), chat, s.find); err == nil {
		t.Error("messages are too large together, and are put together")
	}
}

func TestUnresolvable(t *testing.T) {
	chain := func(length int) (shelf, domain.Prompt) {
		s := shelf{}
		p := s.put("p1", "x")
		for n := 2; n <= length; n++ {
			p = s.put(fmt.Sprintf("p%d", n), tag(fmt.Sprintf("p%d", n-1)))
		}
		return s, p
	}
	tests := []struct {
		name string
		make func() (shelf, domain.Prompt)
		want string // empty means that it can be resolved
	}{
		{"five in a chain", func() (shelf, domain.Prompt) { return chain(5) }, ""},
		{"six in a chain", func() (shelf, domain.Prompt) { return chain(6) }, "nested too deeply"},
		{"a long chain", func() (shelf, domain.Prompt) { return chain(1000) }, "nested too deeply"},
		{"six in a chain, found on a short way first", func() (shelf, domain.Prompt) {
			s, p := chain(5)
			return s, s.put("top", tag("p4")+tag(p.Name))
		}, "nested too deeply"},
		{"five in a chain, whose end was found on a short way first", func() (shelf, domain.Prompt) {
			s, p := chain(4)
			return s, s.put("top", tag("p1")+tag(p.Name))
		}, ""},
		{"missing", func() (shelf, domain.Prompt) {
			s := shelf{}
			return s, s.put("a", tag("b"))
		}, "Prompt dependency not found: 'b' with label 'l'"},
		{"itself", func() (shelf, domain.Prompt) {
			s := shelf{}
			return s, s.put("a", tag("a"))
		}, "Circular dependency: prompt 'a' depends on itself"},
		{"a circle with the root", func() (shelf, domain.Prompt) {
			s := shelf{}
			s.put("b", tag("a"))
			return s, s.put("a", tag("b"))
		}, "Circular dependency: prompt 'a' depends on itself"},
		{"a circle below the root", func() (shelf, domain.Prompt) {
			s := shelf{}
			s.put("b", tag("c"))
			s.put("c", tag("b"))
			return s, s.put("a", tag("b"))
		}, "Circular dependency: prompt 'b' depends on itself"},
		{"a chat within", func() (shelf, domain.Prompt) {
			s := shelf{}
			ref := domain.PromptReference{Name: "c", Label: "l"}
			s[ref] = domain.Prompt{ID: "c", Name: "c", Version: 1, Type: domain.PromptChat}
			return s, s.put("a", tag("c"))
		}, "Prompt dependency is not a text prompt: 'c' with label 'l'"},
		{"doubling again and again", func() (shelf, domain.Prompt) {
			s := shelf{}
			s.put("p1", strings.Repeat("x", 1000))
			for n := 2; n <= 4; n++ {
				s.put(fmt.Sprintf("p%d", n), strings.Repeat(tag(fmt.Sprintf("p%d", n-1)), 100))
			}
			return s, s.put("top", tag("p4"))
		}, "larger than 8388608 bytes"},
		{"one byte too large", func() (shelf, domain.Prompt) {
			s := shelf{}
			s.put("half", strings.Repeat("x", maxResolved/2))
			return s, s.put("top", tag("half")+"y")
		}, "larger than 8388608 bytes"},
		{"too many", func() (shelf, domain.Prompt) {
			s := shelf{}
			var top, text strings.Builder
			for n := range 30 {
				text.Reset()
				for m := range 30 {
					s.put(fmt.Sprintf("leaf-%d-%d", n, m), "x")
					text.WriteString(tag(fmt.Sprintf("leaf-%d-%d", n, m)))
				}
				s.put(fmt.Sprintf("mid-%d", n), text.String())
				top.WriteString(tag(fmt.Sprintf("mid-%d", n)))
			}
			return s, s.put("top", top.String())
		}, "depends on more than 500 prompts"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, p := test.make()
			_, _, err := Resolve(t.Context(), p, s.find)
			var unresolvable *Unresolvable
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (!errors.As(err, &unresolvable) || !strings.Contains(unresolvable.Message, test.want)):
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	broken := errors.New("broken")
	p := domain.Prompt{References: []domain.PromptReference{{Name: "x", Label: "l"}}}
	if _, _, err := Resolve(t.Context(), p, func(context.Context, domain.PromptReference) (domain.Prompt, error) {
		return domain.Prompt{}, broken
	}); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the catalog", err)
	}
}

// TestResolveAnything resolves random prompts that refer to each other, and compares with a naive implementation.
func TestResolveAnything(t *testing.T) {
	tags := regexp.MustCompile(`@@@langfusePrompt:name=([a-f])\|label=l@@@`)
	rapid.Check(t, func(t *rapid.T) {
		s := shelf{}
		for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
			part := rapid.SampledFrom([]string{"x", "@@@", tag("b"), tag("c"), tag("d"), tag("e"), tag("f")})
			s.put(name, strings.Join(rapid.SliceOfN(part, 0, 2).Draw(t, "parts"), ""))
		}
		// expand returns a prompt's text and the length of its longest chain, which is too long if there is a cycle.
		var expand func(name string, depth int) (string, int)
		expand = func(name string, depth int) (string, int) {
			longest := 1
			if depth > maxDepth {
				return "", depth
			}
			text := tags.ReplaceAllStringFunc(s[domain.PromptReference{Name: name, Version: 1}].Text, func(found string) string {
				text, length := expand(tags.FindStringSubmatch(found)[1], depth+1)
				longest = max(longest, length+1)
				return text
			})
			return text, longest
		}
		root := s[domain.PromptReference{Name: "a", Version: 1}]
		want, length := expand("a", 1)
		got, graph, err := Resolve(context.Background(), root, s.find)
		var unresolvable *Unresolvable
		switch {
		case errors.As(err, &unresolvable) != (length > maxDepth):
			t.Fatalf("error %v of a chain of %d", err, length)
		case err == nil && got.Text != want:
			t.Fatalf("text %q, want %q", got.Text, want)
		case err == nil && (graph == nil) != (len(root.References) == 0):
			t.Fatalf("graph %v of %q", graph, root.Text)
		}
	})
}

func FuzzTags(f *testing.F) {
	for _, seed := range []string{
		"", tag("a"), "@@@langfusePrompt:" + tag("a"), tag("a") + "@@@", "@@@langfusePrompt:name=a|version=007@@@",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var again strings.Builder
		again.WriteString(eachTag(text, func(before, tag string, ref domain.PromptReference) {
			if ref.Name == "" || (ref.Version == 0) == (ref.Label == "") {
				t.Errorf("tag %q names %+v", tag, ref)
			}
			again.WriteString(before)
			again.WriteString(tag)
		}))
		if rest := again.String(); len(rest) != len(text) {
			t.Errorf("%q was cut into %q", text, rest)
		}
	})
}
