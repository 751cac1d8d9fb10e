package prompts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"almanac/internal/catalog/prompts"
	"almanac/internal/decode"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/limits/memory"
	queryPrompts "almanac/internal/query/prompts"
)

// The limits of requests about many prompts.
const (
	MaxImportBody = 16 << 20 // bytes
	maxImported   = 500
	maxExported   = 10_000
	maxCopied     = 1000
)

// exportedPrompt is a version in a file.
type exportedPrompt struct {
	Name          string          `json:"name"`
	Version       int             `json:"version"`
	Type          string          `json:"type"`
	Prompt        any             `json:"prompt"`
	Config        json.RawMessage `json:"config"`
	Tags          []string        `json:"tags"`
	Labels        []string        `json:"labels"`
	CommitMessage *string         `json:"commitMessage"`
}

// ExportPrompts returns versions of prompts as a list for ImportPrompts.
func (h *Handlers) ExportPrompts(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	q := c.Query()
	text := func(name string) string { return endpoint.ValueOr(q.String(name), "") }
	selection := prompts.VersionSelection{HeadFilter: prompts.HeadFilter{
		Folder: strings.Trim(text("folder"), "/"), Name: text("name"), Label: text("label"), Tag: text("tag"),
	}}
	selection.Every = q.Enum("versions", "latest", "all") == "all"
	if err := q.Err(); err != nil {
		return nil, err
	}
	found, err := h.Catalog.SelectedPrompts(c.Context(), scope, selection, maxExported)
	if tooMany, ok := errors.AsType[*prompts.TooManyVersions](err); ok {
		return nil, respond.InvalidRequest(fmt.Sprintf("These are %d versions, and one file has at most %d. Export a folder, a tag, or "+
			"only the latest versions.", tooMany.Count, tooMany.Limit))
	}
	if err != nil {
		return nil, err
	}
	return c.Stream(func(p *endpoint.StreamWriter, dst []byte) ([]byte, error) {
		dst = append(dst, '[')
		first := true
		for version, err := range found {
			if err != nil {
				return nil, err
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			size := promptCopies * promptBytes(version)
			if err := memory.Of(c.Context()).Grow(c.Context(), size); err != nil {
				return nil, err
			}
			raw, err := respond.Marshal(exportedPrompt{
				version.Name, version.Version, version.Type, newPromptBody(*version, "").Prompt, version.Config,
				domain.NotNil(version.Tags), domain.NotNil(version.Labels), version.CommitMessage,
			})
			if err != nil {
				return nil, err
			}
			dst = p.Flush(append(dst, raw...))
			memory.Of(c.Context()).Shrink(size)
			if p.Failed() {
				return nil, nil
			}
		}
		return append(dst, ']'), nil
	})
}

type importedBody struct {
	Index   int     `json:"index"`
	Name    string  `json:"name"`
	Outcome string  `json:"outcome"`
	Version *int    `json:"version"`
	Message *string `json:"message"`
}

// ImportPrompts stores versions of prompts from a file. Invalid entries refuse the whole file; others that cannot be
// stored do not.
func (h *Handlers) ImportPrompts(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	var batch prompts.Batch
	keep := decode.NullishOr(b.Field("labels"), func(v decode.Value) string { return v.Enum("keep", "drop") }, "drop") == "keep"
	batch.SkipExisting = decode.NullishOr(b.Field("onExists"), func(v decode.Value) string {
		return v.Enum("version", "skip")
	}, "version") == "skip"
	batch.DryRun = decode.NullishOr(b.Field("dryRun"), decode.Value.Bool, false)
	for _, item := range b.Field("entries").ArrayLen(1, maxImported) {
		n, err := readNewPrompt(item)
		if err != nil {
			return nil, err
		}
		if !keep {
			n.Labels = nil
		}
		n.Labels = slices.DeleteFunc(n.Labels, func(label string) bool { return label == domain.LatestLabel })
		n.CreatedBy = author(c)
		batch.Entries = append(batch.Entries, n)
	}
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	batch.Check = func(n domain.Prompt, find prompts.FindPrompt) error { return resolvable(c.Context(), n)(find) }
	results, err := h.Catalog.AddPrompts(c.Context(), scope, batch, editor(c))
	if err != nil {
		return nil, err
	}
	list := make([]importedBody, len(results))
	for n, result := range results {
		list[n] = importedBody{Index: n, Name: batch.Entries[n].Name, Outcome: result.Outcome}
		if result.Version > 0 {
			list[n].Version = &results[n].Version
		}
		if result.Err != nil {
			list[n].Message = new(storingError(result.Err, batch.Entries[n]).Error())
		}
	}
	return map[string]any{"results": list, "dryRun": batch.DryRun}, nil
}

type copiedBody struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Versions []int  `json:"versions"`
}

// CopyPrompts copies a prompt or a folder to another name or project.
func (h *Handlers) CopyPrompts(c *endpoint.Call, scope domain.ProjectScope) (any, error) {
	b := c.Body().Object()
	name := decode.Nullish(b.Field("name"), func(v decode.Value) string { return v.TextLen(1, endpoint.MaxName) })
	folder := decode.Nullish(b.Field("folder"), func(v decode.Value) string { return v.TextLen(1, endpoint.MaxName) })
	to := readPromptName(b.Field("to"))
	every := b.Field("versions").Enum("latest", "all") == "all"
	project := decode.Nullish(b.Field("targetProjectId"), func(v decode.Value) string { return v.TextLen(1, maxSearch) })
	rewrite := decode.NullishOr(b.Field("rewriteReferences"), decode.Value.Bool, false)
	o := prompts.Copy{
		From: scope, CreatedBy: author(c), KeepLabels: b.Field("labels").Enum("keep", "drop") == "keep",
		DryRun: decode.NullishOr(b.Field("dryRun"), decode.Value.Bool, false),
		Check:  func(n domain.Prompt, find prompts.FindPrompt) error { return resolvable(c.Context(), n)(find) },
	}
	b.Strict()
	if err := b.Err(); err != nil {
		return nil, err
	}
	if (name == nil) == (folder == nil) {
		return nil, respond.InvalidRequest("Either name or folder says what to copy.")
	}
	o.Selection.Every = every
	by, target := editor(c), scope
	if project != nil {
		principal, other, _, err := c.Person().Project(*project, domain.PromptsWrite)
		if err != nil {
			return nil, err
		}
		target, by.MovesProtected = other, principal.May(domain.ProjectAdmin)
	}
	if name != nil {
		o.Selection.Name, o.Rename = *name, func(string) string { return to }
	} else {
		from := strings.Trim(*folder, "/")
		if from == "" {
			return nil, respond.InvalidRequest("A folder has a name. All prompts of a project are copied by exporting and importing them.")
		}
		if target == scope && (to == from || strings.HasPrefix(to, from+"/")) {
			return nil, respond.InvalidRequest("A folder cannot be copied into itself.")
		}
		o.Selection.Folder = from
		o.Rename = func(name string) string { return to + strings.TrimPrefix(name, from) }
		if rewrite {
			if err := h.rewriting(c.Context(), scope, &o); err != nil {
				return nil, err
			}
		}
	}
	copied, err := h.Catalog.CopyPrompts(c.Context(), target, o, maxCopied, by)
	if err != nil {
		return copyingError(err)
	}
	list := endpoint.Map(copied, func(p prompts.CopiedPrompt) copiedBody { return copiedBody(p) })
	return map[string]any{"copied": list, "dryRun": o.DryRun}, nil
}

// rewriting makes copies of a folder refer to each other where the prompts of the folder do.
func (h *Handlers) rewriting(ctx context.Context, scope domain.ProjectScope, o *prompts.Copy) error {
	heads, err := h.Catalog.PromptHeads(ctx, scope, o.Selection.HeadFilter)
	if err != nil {
		return err
	}
	newest := make(map[string]int, len(heads))
	for _, head := range heads {
		newest[head.Name] = head.Version
	}
	o.Rewrite = func(p domain.Prompt) domain.Prompt {
		return queryPrompts.Rewrite(p, func(ref domain.PromptReference) domain.PromptReference {
			version, inside := newest[ref.Name]
			switch {
			case !inside:
				return ref
			case ref.Version != 0 && !o.Selection.Every && ref.Version != version:
				return ref // of a version that is not copied
			case ref.Version != 0 && !o.Selection.Every:
				ref.Version = 1
			}
			ref.Name = o.Rename(ref.Name)
			return ref
		})
	}
	return nil
}

// copyingError returns the response for prompts that could not be copied.
func copyingError(err error) (any, error) {
	if taken, ok := errors.AsType[*prompts.NamesTaken](err); ok {
		first := strings.Join(taken.Names[:min(len(taken.Names), maxSince)], ", ")
		return conflict("There are prompts with these names already: "+first+".", map[string]any{"taken": taken.Names}), nil
	}
	if tooMany, ok := errors.AsType[*prompts.TooManyVersions](err); ok {
		return nil, respond.InvalidRequest(fmt.Sprintf("These are %d versions, and at most %d can be copied at once.", tooMany.Count,
			tooMany.Limit))
	}
	if refused, ok := errors.AsType[*prompts.Refused](err); ok {
		return nil, respond.Conflict("A copy would refer to what is not there: " + refused.Message +
			". Copy that too, keep the labels, or have references rewritten.")
	}
	if errors.Is(err, domain.ErrNotFound) {
		return nil, respond.NotFound("There is nothing to copy.")
	}
	return nil, protectedError(err)
}
