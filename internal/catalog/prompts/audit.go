package prompts

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

// contentHash returns a digest of the content and config of a version. The order of keys in the config is irrelevant.
func contentHash(p *domain.Prompt) string {
	h := sha256.New()
	content, _ := asContent(p).Write().(string)
	_, _ = h.Write([]byte(p.Type + "\x00" + content + "\x00"))
	config := []byte(p.Config)
	var value any
	d := json.NewDecoder(bytes.NewReader(config))
	d.UseNumber()
	if d.Decode(&value) == nil {
		config = []byte(tables.TextOf(value))
	}
	_, _ = h.Write(config)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// promptState returns what the audit log records about a version: its identity, and everything that can change. The
// content cannot.
func promptState(p domain.Prompt) json.RawMessage { return tables.StateOf(promptFieldsOf(&p)) }

func promptFieldsOf(p *domain.Prompt) map[string]any {
	return map[string]any{
		"name": p.Name, "version": p.Version, "type": p.Type, "labels": p.Labels, "tags": p.Tags, "commitMessage": p.CommitMessage,
		"hash": contentHash(p),
	}
}

// auditVersion records a new version. Contents are recorded as hashes only: they never change, so that the versions
// themselves tell what did.
func auditVersion(
	ctx context.Context, s tables.Session, scope domain.ProjectScope, actor domain.Actor, previous *domain.Prompt, created domain.Prompt,
) error {
	state := promptFieldsOf(&created)
	if previous != nil {
		state["previousVersion"], state["previousHash"] = previous.Version, contentHash(previous)
	}
	return s.AuditInProject(ctx, scope, actor, tables.KindPrompt, created.ID, nil, tables.StateOf(state))
}
