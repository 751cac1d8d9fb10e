package httpapi

import (
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/httpapi/scores"
)

// annotationRoutes returns the routes behind the pages of annotation queues, beside those of the public API. Annotators
// are admitted to queues that they are assigned to.
func (a *API) annotationRoutes() []route {
	h := a.scoring
	page := rules{errors: respond.ForPeople, pages: noPages, private: true}
	events := page.reading()
	const (
		project = "/api/ui/projects/{projectId}/"
		one     = project + "annotation-queues/{queueId}"
		item    = one + "/items/{itemId}"
	)
	review := func(
		read func(*endpoint.Call) (scores.ReviewRequest, error),
		h func(*endpoint.Call, domain.ProjectScope, scores.ReviewRequest) (any, error),
	) access {
		return mirrored(orQueued(projectKey, domain.ScoresWrite, read, scores.ReviewQueued, h))
	}
	return []route{
		{
			"POST", project + "query/annotation-queues", projectMember(domain.ScoresRead|domain.QueuesAnnotate, h.BrowseQueues), page,
		},
		{"PATCH", one, projectMember(domain.EvaluationWrite, h.ChangeQueue), page},
		{"DELETE", one, projectMember(domain.EvaluationWrite, h.DeleteQueue), page},
		{"GET", one + "/assignments", projectMember(domain.MembersRead, h.ListAssignees), page},
		{
			"POST", one + "/items/query",
			mirrored(orQueued(projectKey, domain.ScoresRead, scores.ReadQueueItems, scores.ReviewQueued, h.BrowseQueueItems)), page,
		},
		{"POST", one + "/next", review(scores.ReadNext, h.NextItem), events},
		{"POST", item + "/open", review(scores.ReadReview, h.OpenItem), events},
		{"POST", item + "/renew", review(scores.ReadReview, h.RenewItem), page},
		{"POST", item + "/release", review(scores.ReadReview, h.ReleaseItem), page},
		{"POST", item + "/skip", review(scores.ReadSkip, h.SkipItem), page},
		{"POST", item + "/complete", review(scores.ReadCompletion, h.CompleteItem), events},
	}
}
