package ingest

import (
	"context"

	"almanac/internal/domain"
)

// LinkPrompts sets the prompt id of rows that name a prompt, if that prompt exists.
func (p *Pipeline) LinkPrompts(ctx context.Context, scope domain.ProjectScope, rows []domain.Observation) {
	if p.options.Prompts == nil {
		return
	}
	var ids map[domain.PromptReference]string // most exports need none
	for i := range rows {
		if ref, ok := promptOf(&rows[i]); ok {
			if ids == nil {
				ids = make(map[domain.PromptReference]string)
			}
			ids[ref] = ""
		}
	}
	if len(ids) == 0 {
		return
	}
	p.options.Prompts.FillIDs(ctx, scope, ids)
	for i := range rows {
		ref, ok := promptOf(&rows[i])
		if id := ids[ref]; ok && id != "" {
			rows[i].PromptID = id
		}
	}
}

// maxPromptName is the maximum length in bytes of a prompt name that is looked up.
const maxPromptName = 2000

// promptOf returns the prompt that a row refers to.
func promptOf(row *domain.Observation) (ref domain.PromptReference, ok bool) {
	if row.PromptName == "" || len(row.PromptName) > maxPromptName || !row.PromptVersion.Set || row.PromptVersion.Value < 1 {
		return ref, false
	}
	return domain.PromptReference{Name: row.PromptName, Version: int(row.PromptVersion.Value)}, true
}
