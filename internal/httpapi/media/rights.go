package media

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"almanac/internal/access/annotators"
	"almanac/internal/domain"
	"almanac/internal/httpapi/endpoint"
	"almanac/internal/httpapi/respond"
	"almanac/internal/transfer/export"
)

// holderOf returns whom a signed URL was made for.
func holderOf(by string) domain.Actor {
	kind, id, _ := strings.Cut(by, ":")
	return domain.Actor{Kind: kind, ID: id}
}

// rightsOf returns the present permissions in a project of whom a signed URL was made for. URLs work for hours, so they
// must not outlive a role or a key.
func (h *Handlers) rightsOf(ctx context.Context, scope domain.ProjectScope, by string) (domain.PermissionSet, error) {
	var may domain.PermissionSet
	var err error
	switch holder := holderOf(by); holder.Kind {
	case "user":
		var role domain.Role
		role, err = h.Catalog.RoleInProject(ctx, scope, holder.ID)
		may = role.InProject()
	case "api-key":
		var key domain.APIKey
		if key, err = h.Catalog.KeyOfProject(ctx, scope, holder.ID); err == nil && !key.Expired(time.Now()) {
			may = key.Permissions
		}
	case "admin-key":
		may = domain.AllPermissions()
	}
	if errors.Is(err, domain.ErrNotFound) {
		err = nil
	}
	return may, err
}

// lostRight is the error for a signed URL whose holder has lost the right to use it.
func lostRight() error {
	return &respond.Error{
		Status: http.StatusForbidden, Name: "ForbiddenError",
		Message: "Whoever this address was made for has no access any more. Ask for a new one.",
	}
}

// require returns an error unless whom a signed URL was made for still has one of the permissions.
func (h *Handlers) require(ctx context.Context, scope domain.ProjectScope, by string, permission domain.Permission) error {
	may, err := h.rightsOf(ctx, scope, by)
	if err == nil && !may.Has(permission) {
		err = lostRight()
	}
	return err
}

// mayDownload returns an error unless whom a URL was made for may still read a medium: all media, or, as an annotator,
// those of the traces in their queues.
func (h *Handlers) mayDownload(c *endpoint.Call, scope domain.ProjectScope, by, mediaID string) error {
	may, err := h.rightsOf(c.Context(), scope, by)
	if err != nil || may.Has(domain.TracesRead|domain.DatasetsRead) {
		return err
	}
	if !may.Has(domain.QueuesAnnotate) {
		return lostRight()
	}
	queues := &annotators.Queues{Catalog: h.Catalog, Observations: h.Observations, Scope: scope, UserID: holderOf(by).ID}
	ok, err := h.MediumQueued(c.Context(), queues, mediaID)
	if err == nil && !ok {
		err = lostRight()
	}
	return err
}

// mayDownloadExport returns the request of an export, or an error unless whom a URL was made for may still read everything
// in the file.
func (h *Handlers) mayDownloadExport(ctx context.Context, scope domain.ProjectScope, by string, e *domain.Export) (*export.Request, error) {
	var request export.Request
	if err := json.Unmarshal(e.Request, &request); err != nil {
		return nil, fmt.Errorf("cannot read what export %s is of: %w", e.ID, err)
	}
	may, err := h.rightsOf(ctx, scope, by)
	if err != nil {
		return nil, err
	}
	needs := request.Needs()
	if holderOf(by).Kind == "user" {
		needs = append(needs, domain.ExportsWrite)
	}
	for _, permission := range needs {
		if !may.Has(permission) {
			return nil, lostRight()
		}
	}
	return &request, nil
}
