package prompts

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"almanac/internal/domain"
)

// Limits on the dependencies of a prompt.
const (
	// maxDepth is the maximum length of a chain of prompts in which each refers to the next.
	maxDepth = 5
	// MaxReferences is the maximum number of references in the content of one prompt.
	MaxReferences = 100
	// maxParts is the maximum number of prompt versions that one prompt depends on, directly or not.
	maxParts = 500
	// maxResolved is the maximum total size of all resolved contents, in bytes.
	maxResolved = 8 << 20
)

// Unresolvable says why the references of a prompt cannot be resolved. The message is shown to the client.
type Unresolvable struct{ Message string }

func (e *Unresolvable) Error() string { return e.Message }

func unresolvable(format string, args ...any) error {
	return &Unresolvable{fmt.Sprintf(format, args...)}
}

// Node is a version of a prompt in a dependency graph.
type Node struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Version int    `json:"version"`
}

// Graph is the dependency graph of a prompt.
type Graph struct {
	Root Node
	// Dependencies has the direct dependencies of each prompt, by prompt id.
	Dependencies map[string][]Node
}

// Find looks up a prompt.
type Find func(ctx context.Context, ref domain.PromptReference) (domain.Prompt, error)

// Resolve replaces the references in p with the prompts that they refer to. The graph is nil if there are none. The
// error is an *Unresolvable if that is not possible. References are taken from the References field, not from the
// content.
func Resolve(ctx context.Context, p domain.Prompt, find Find) (domain.Prompt, *Graph, error) {
	if len(p.References) == 0 {
		return p, nil, nil
	}
	r := &resolver{
		find: find, root: p, parts: make(map[string]*part), room: maxResolved,
		graph: &Graph{Root: nodeOf(p), Dependencies: make(map[string][]Node)},
	}
	whole, err := r.resolve(ctx, p, 1)
	if err != nil {
		return domain.Prompt{}, nil, err
	}
	return whole.prompt, r.graph, nil
}

func nodeOf(p domain.Prompt) Node { return Node{p.ID, p.Name, p.Version} }

type resolver struct {
	find  Find
	root  domain.Prompt
	graph *Graph
	parts map[string]*part // by prompt id; each is resolved once, however many refer to it
	room  int              // bytes left
}

// part is a prompt with its references resolved.
type part struct {
	prompt domain.Prompt
	height int  // length of the longest chain that starts with it
	open   bool // it is being resolved: a reference to it closes a cycle
}

// resolve resolves the references of a prompt that is at the given depth of its chain.
func (r *resolver) resolve(ctx context.Context, p domain.Prompt, depth int) (*part, error) {
	this := &part{prompt: p, height: 1, open: true}
	r.parts[p.ID] = this
	texts := make(map[domain.PromptReference]string, len(p.References))
	listed := make(map[string]bool)
	for _, ref := range p.References {
		child, err := r.child(ctx, ref, depth+1)
		if err != nil {
			return nil, err
		}
		this.height = max(this.height, child.height+1)
		texts[ref] = child.prompt.Text
		if !listed[child.prompt.ID] {
			listed[child.prompt.ID] = true
			r.graph.Dependencies[p.ID] = append(r.graph.Dependencies[p.ID], nodeOf(child.prompt))
		}
	}
	var err error
	if this.prompt, err = r.fillIn(p, texts); err != nil {
		return nil, err
	}
	this.open = false
	return this, nil
}

// child returns a referenced prompt, at the given depth of its chain, with its references resolved.
func (r *resolver) child(ctx context.Context, ref domain.PromptReference, depth int) (*part, error) {
	p, err := r.find(ctx, ref)
	switch {
	case errors.Is(err, domain.ErrNotFound):
		return nil, unresolvable("Prompt dependency not found: %s", ref)
	case err != nil:
		return nil, err
	case p.Type != domain.PromptText:
		return nil, unresolvable("Prompt dependency is not a text prompt: %s", ref)
	case p.Name == r.root.Name:
		return nil, unresolvable("Circular dependency: prompt '%s' depends on itself", p.Name)
	}
	known, height := r.parts[p.ID], 1
	if known != nil {
		height = known.height
	}
	switch {
	case known != nil && known.open:
		return nil, unresolvable("Circular dependency: prompt '%s' depends on itself", p.Name)
	case depth+height-1 > maxDepth:
		return nil, unresolvable("Prompt '%s' is nested too deeply: at most %d prompts can stand in a chain", r.root.Name, maxDepth)
	case known != nil:
		return known, nil
	case len(r.parts) > maxParts:
		return nil, unresolvable("Prompt '%s' depends on more than %d prompts", r.root.Name, maxParts)
	}
	return r.resolve(ctx, p, depth)
}

// fillIn replaces tags with the texts that they refer to. Tags within these texts are left alone, since the texts are
// already resolved.
func (r *resolver) fillIn(p domain.Prompt, texts map[domain.PromptReference]string) (domain.Prompt, error) {
	fill := func(content string) (string, error) {
		var b strings.Builder
		rest := eachTag(content, func(before, tag string, ref domain.PromptReference) {
			text, ok := texts[ref]
			if !ok {
				text = tag
			}
			if r.room -= len(before) + len(text); r.room >= 0 {
				b.WriteString(before)
				b.WriteString(text)
			}
		})
		if r.room -= len(rest); r.room < 0 {
			return "", unresolvable("Prompt '%s' is larger than %d bytes with its dependencies", r.root.Name, maxResolved)
		}
		b.WriteString(rest)
		return b.String(), nil
	}
	var err error
	if p.Text, err = fill(p.Text); err != nil {
		return p, err
	}
	messages := p.Messages
	p.Messages = make([]domain.PromptMessage, len(messages))
	for n, message := range messages {
		if message.Content, err = fill(message.Content); err != nil {
			return p, err
		}
		p.Messages[n] = message
	}
	return p, nil
}
