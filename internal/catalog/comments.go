package catalog

import (
	"context"
	"database/sql"

	"almanac/internal/domain"
)

const commentColumns = "id, object_type, object_id, content, author_user_id, created_at, updated_at"

func scanComment(r row) (domain.Comment, error) {
	var (
		comment          domain.Comment
		author           sql.Null[string]
		created, updated int64
	)
	err := r.Scan(&comment.ID, &comment.ObjectType, &comment.ObjectID, &comment.Content, &author, &created, &updated)
	comment.AuthorUserID, comment.CreatedAt, comment.UpdatedAt = optional(author), fromMillis(created), fromMillis(updated)
	return comment, err
}

// Comment returns a comment of the project.
func (c *Catalog) Comment(ctx context.Context, scope domain.ProjectScope, id string) (domain.Comment, error) {
	return c.reader().comment(ctx, scope, id)
}

// CommentFilter says which comments are wanted; empty members and nil stand for any.
type CommentFilter struct {
	ObjectType   string
	ObjectID     string
	AuthorUserID *string
}

// Comments returns a page of the project's comments, in the order of their making, and how many there are in all.
func (c *Catalog) Comments(ctx context.Context, scope domain.ProjectScope, f CommentFilter, page Page) ([]domain.Comment, int, error) {
	from, args := "FROM comments WHERE project_id = ?", []any{scope.ProjectID()}
	if f.ObjectType != "" {
		from, args = from+" AND object_type = ?", append(args, f.ObjectType)
	}
	if f.ObjectID != "" {
		from, args = from+" AND object_id = ?", append(args, f.ObjectID)
	}
	if f.AuthorUserID != nil {
		from, args = from+" AND author_user_id = ?", append(args, *f.AuthorUserID)
	}
	return queryPage(ctx, c.reader(), scanComment, commentColumns, from, "created_at, id", page, args...)
}

// CreateComment stores a new comment of the project; its id and its times are made here. Whether its object and its author exist
// is for the caller to know.
func (c *Catalog) CreateComment(ctx context.Context, scope domain.ProjectScope, n domain.Comment, actor domain.Actor) (domain.Comment, error) {
	var created domain.Comment
	err := c.update(ctx, func(s session) error {
		id, err := orderedID()
		if err != nil {
			return err
		}
		now := millis(c.now())
		if _, err := s.exec(ctx, "INSERT INTO comments (project_id, "+commentColumns+") VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			scope.ProjectID(), id, n.ObjectType, n.ObjectID, n.Content, n.AuthorUserID, now, now); err != nil {
			return err
		}
		if created, err = s.comment(ctx, scope, id); err != nil {
			return err
		}
		return s.auditInProject(ctx, scope, actor, "create", "comment", id, nil, stateOf(map[string]any{
			"objectType": created.ObjectType, "objectId": created.ObjectID, "content": created.Content, "authorUserId": created.AuthorUserID,
		}))
	})
	return created, err
}

func (s session) comment(ctx context.Context, scope domain.ProjectScope, id string) (domain.Comment, error) {
	comment, err := queryOne(ctx, s, scanComment,
		"SELECT "+commentColumns+" FROM comments WHERE id = ? AND project_id = ?", id, scope.ProjectID())
	return comment, named(err, "comment", id)
}
