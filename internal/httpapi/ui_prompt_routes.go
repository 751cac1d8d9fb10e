package httpapi

import (
	"almanac/internal/domain"
	"almanac/internal/httpapi/prompts"
	"almanac/internal/httpapi/respond"
)

// promptRoutes returns the routes behind the pages of prompts and skills, beside those of the public API.
func (a *API) promptRoutes() []route {
	h := a.prompting
	page := rules{errors: respond.ForPeople, pages: noPages, private: true}
	writing, importing := page, page
	writing.maxBody, importing.maxBody = prompts.MaxPromptBody, prompts.MaxImportBody
	const (
		project = "/api/ui/projects/{projectId}/"
		all     = project + "prompts"
		one     = all + "/{promptName}"
	)
	return []route{
		{"POST", project + "query/prompts", projectMember(domain.PromptsRead, h.BrowsePrompts), page},
		{
			"POST", project + "query/prompt-uses", projectMember(domain.TracesRead, h.CountPromptUses),
			page.reading(),
		},
		{"POST", all, projectMember(domain.PromptsWrite, h.AddPromptVersion), writing},
		{"POST", all + "/check-name", projectMember(domain.PromptsRead, h.CheckPromptName), page},
		{"POST", all + "/copy", projectMember(domain.PromptsWrite, h.CopyPrompts), page},
		{"POST", all + "/metrics", projectMember(domain.TracesRead, h.GetPromptMetrics), page.reading()},
		{"GET", all + "/export", projectMember(domain.PromptsRead, h.ExportPrompts), page},
		{"POST", all + "/import", projectMember(domain.PromptsWrite, h.ImportPrompts), importing},
		{"DELETE", one, projectMember(domain.PromptsDelete, h.RemovePrompt), page},
		{"GET", one + "/versions", projectMember(domain.PromptsRead, h.ListPromptVersions), page},
		{"GET", one + "/versions/{version}", projectMember(domain.PromptsRead, h.GetPromptVersion), page},
		{"PUT", one + "/versions/{version}/labels", projectMember(domain.PromptsWrite, h.SetPromptLabels), page},
		{"PUT", one + "/tags", projectMember(domain.PromptsWrite, h.SetPromptTags), page},
		{"GET", one + "/dependents", projectMember(domain.PromptsRead, h.ListDependents), page},
		{"GET", one + "/label-moves", projectMember(domain.PromptsRead, h.ListLabelMoves), page},
		{"GET", project + "prompt-labels", projectMember(domain.PromptsRead, h.ListPromptLabels), page},
		{"PUT", project + "prompt-labels", projectMember(domain.ProjectAdmin, h.ProtectPromptLabels), page},
		{"GET", project + "deleted-prompts", projectMember(domain.PromptsRead, h.ListPromptDeletions), page},
		{"POST", project + "deleted-prompts/{deletionId}/restore", projectMember(domain.PromptsWrite, h.RestorePrompt), page},
		{"GET", project + "skills/{skillName}/versions", projectMember(domain.PromptsRead, h.ListSkillVersions), page},
	}
}
