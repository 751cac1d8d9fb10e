package wire

import (
	"time"

	"almanac/internal/domain"
)

// ScoreConfig is a score config.
type ScoreConfig struct {
	ID        string `json:"id"`
	ProjectID string `json:"projectId"`
	domain.ScoreConfig
	Stamps
}

// ScoreConfigs returns the function that converts the score configs of a project.
func ScoreConfigs(scope domain.ProjectScope) func(domain.ScoreConfig) ScoreConfig {
	return func(c domain.ScoreConfig) ScoreConfig {
		return ScoreConfig{c.ID, scope.ProjectID(), c, stamps(c.CreatedAt, c.UpdatedAt)}
	}
}

// Domain returns the score config.
func (c *ScoreConfig) Domain() domain.ScoreConfig {
	config := c.ScoreConfig
	config.ID = c.ID
	config.CreatedAt, config.UpdatedAt = c.times()
	return config
}

// AnnotationQueue is an annotation queue.
type AnnotationQueue struct {
	domain.AnnotationQueue
	Stamps
}

// FromAnnotationQueue converts a queue.
func FromAnnotationQueue(q domain.AnnotationQueue) AnnotationQueue {
	return AnnotationQueue{q, stamps(q.CreatedAt, q.UpdatedAt)}
}

// Domain returns the queue.
func (q *AnnotationQueue) Domain() domain.AnnotationQueue {
	queue := q.AnnotationQueue
	queue.CreatedAt, queue.UpdatedAt = q.times()
	return queue
}

// AnnotationItem is an item of an annotation queue.
type AnnotationItem struct {
	domain.AnnotationItem
	CompletedAt *Time `json:"completedAt"`
	Stamps
}

// FromAnnotationItem converts an item.
func FromAnnotationItem(i domain.AnnotationItem) AnnotationItem {
	return AnnotationItem{i, OptionalTime(i.CompletedAt), stamps(i.CreatedAt, i.UpdatedAt)}
}

// Domain returns the item.
func (i *AnnotationItem) Domain() domain.AnnotationItem {
	item := i.AnnotationItem
	item.CreatedAt, item.UpdatedAt = i.times()
	if at := i.CompletedAt; at != nil && !time.Time(*at).IsZero() {
		item.CompletedAt = new(time.Time(*at))
	}
	return item
}

// Comment is a comment without the place in a text that it refers to, which other installations write in another form.
type Comment struct {
	ID        string `json:"id"`
	ProjectID string `json:"projectId"`
	Stamps
	domain.Comment
}

// AnchoredComment is a comment with the range of text to which it refers; nil if it is about the whole object.
type AnchoredComment struct {
	Comment
	*domain.Anchor
}

// Comments returns the function that converts the comments of a project.
func Comments(scope domain.ProjectScope) func(domain.Comment) AnchoredComment {
	return func(c domain.Comment) AnchoredComment {
		return AnchoredComment{Comment{c.ID, scope.ProjectID(), stamps(c.CreatedAt, c.UpdatedAt), c}, c.Anchor}
	}
}

// Domain returns the comment.
func (c *Comment) Domain() domain.Comment {
	comment := c.Comment
	comment.ID = c.ID
	comment.CreatedAt, comment.UpdatedAt = c.times()
	return comment
}
