package catalog

import (
	"context"
	"maps"
	"slices"

	"almanac/internal/catalog/inbox"
	"almanac/internal/catalog/tables"
	"almanac/internal/domain"
)

var comments = tables.Table[domain.Comment]{
	Name: "comments", Kind: "comment", Audited: "comment", Order: "created_at, id",
	Columns: "id, object_type, object_id, content, author_user_id, anchor, created_at, updated_at",
	Fields: func(c *domain.Comment) []any {
		return []any{
			&c.ID, &c.ObjectType, &c.ObjectID, &c.Content, &c.AuthorUserID, asAnchor(&c.Anchor), tables.AsTime(&c.CreatedAt),
			tables.AsTime(&c.UpdatedAt),
		}
	},
	State: func(c *domain.Comment) map[string]any {
		state := map[string]any{"objectType": c.ObjectType, "objectId": c.ObjectID, "content": c.Content, "authorUserId": c.AuthorUserID}
		if c.Anchor != nil {
			state["anchor"] = c.Anchor
		}
		return state
	},
}

// CreateComment stores a new comment, and tells the people whom it mentions. traceID is the trace of an observation.
func (c *Catalog) CreateComment(
	ctx context.Context, scope domain.ProjectScope, n domain.Comment, traceID string, actor domain.Actor,
) (domain.Comment, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Comment, error) {
		created, err := comments.Create(ctx, s, scope, tables.OrderedID(), n, actor)
		if err != nil {
			return created, err
		}
		return created, inbox.Mentioned(ctx, s, scope, &created, traceID)
	})
}

// ChangeComment changes a comment, and tells the people whom it mentions and did not before.
func (c *Catalog) ChangeComment(
	ctx context.Context, scope domain.ProjectScope, id, traceID string, edit func(domain.Comment) (domain.Comment, error),
	actor domain.Actor,
) (domain.Comment, error) {
	return tables.Transact(ctx, c.db, func(s tables.Session) (domain.Comment, error) {
		changed, err := comments.Change(ctx, s, scope, id, edit, actor)
		if err != nil {
			return changed, err
		}
		return changed, inbox.Mentioned(ctx, s, scope, &changed, traceID)
	})
}

// CommentFilter selects comments; empty and nil fields match everything.
type CommentFilter struct {
	ObjectType   string
	ObjectID     string
	AuthorUserID *string
}

// Where returns the filter as conditions.
func (f CommentFilter) Where() []tables.Condition {
	return []tables.Condition{
		tables.If(f.ObjectType != "", "object_type = ?", f.ObjectType),
		tables.If(f.ObjectID != "", "object_id = ?", f.ObjectID),
		tables.If(f.AuthorUserID != nil, "author_user_id = ?", f.AuthorUserID),
	}
}

// asAnchor stores an anchor as JSON, and a nil anchor as NULL.
func asAnchor(a **domain.Anchor) *tables.Column {
	c := tables.AsJSON(a)
	write := c.Write
	c.Write = func() any {
		if *a == nil {
			return nil
		}
		return write()
	}
	return c
}

// CommentCounts returns the number of comments on objects of a type, by object id, for at most limit objects.
func (c *Catalog) CommentCounts(ctx context.Context, scope domain.ProjectScope, objectType string, limit int) (map[string]int, error) {
	return tables.QueryMap(ctx, c.db.Reader(), scanCount, countComments+" GROUP BY object_id ORDER BY object_id LIMIT ?",
		scope.ProjectID(), objectType, limit)
}

const countComments = "SELECT object_id, COUNT(*) FROM comments WHERE project_id = ? AND object_type = ?"

func scanCount(r tables.Row) (id string, count int, err error) {
	err = r.Scan(&id, &count)
	return id, count, err
}

// CommentCountsOf returns the number of comments on some objects of a type, by object id. Those without are left out.
func (c *Catalog) CommentCountsOf(
	ctx context.Context, scope domain.ProjectScope, objectType string, ids []string,
) (map[string]int, error) {
	found := make(map[string]int)
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return tables.Unstorable(id) })
	for some := range slices.Chunk(ids, tables.MaxListed) {
		q := tables.SQL(countComments, scope.ProjectID(), objectType).And(tables.In("object_id", some))
		counts, err := tables.QueryMap(ctx, c.db.Reader(), scanCount, q.Text+" GROUP BY object_id", q.Args...)
		if err != nil {
			return nil, err
		}
		maps.Copy(found, counts)
	}
	return found, nil
}

// HasComments reports whether any object of the given type has comments in the project.
func (c *Catalog) HasComments(ctx context.Context, scope domain.ProjectScope, objectType string) (bool, error) {
	return c.db.Reader().Exists(ctx, "SELECT id FROM comments WHERE project_id = ? AND object_type = ? LIMIT 1", scope.ProjectID(),
		objectType)
}

// CommentsOn returns the comments on objects of a type, oldest first, by object id.
func (c *Catalog) CommentsOn(
	ctx context.Context, scope domain.ProjectScope, objectType string, ids []string,
) (map[string][]domain.ExportedComment, error) {
	type comment struct {
		on string
		domain.ExportedComment
	}
	found := make(map[string][]domain.ExportedComment)
	for some := range slices.Chunk(ids, tables.MaxListed) {
		q := tables.SQL(`SELECT c.object_id, c.id, c.content,
			COALESCE((SELECT u.email FROM users u WHERE u.id = c.author_user_id), ''), c.created_at
			FROM comments c WHERE c.project_id = ? AND c.object_type = ?`, scope.ProjectID(),
			objectType).And(tables.In("c.object_id", some))
		all, err := tables.QueryAll(ctx, c.db.Reader(), func(r tables.Row) (n comment, err error) {
			err = r.Scan(&n.on, &n.ID, &n.Content, &n.AuthorEmail, tables.AsTime(&n.CreatedAt))
			return n, err
		}, q.Text+" ORDER BY c.created_at, c.id", q.Args...)
		if err != nil {
			return nil, err
		}
		for _, n := range all {
			found[n.on] = append(found[n.on], n.ExportedComment)
		}
	}
	return found, nil
}
