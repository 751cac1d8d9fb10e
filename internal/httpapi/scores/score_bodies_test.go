package scores

import (
	"testing"

	"almanac/internal/decode"
)

// FuzzSmallBodies checks that no body makes the readers of queues, items, comments and feedback panic.
func FuzzSmallBodies(f *testing.F) {
	for _, seed := range []string{
		`{"name":"q","scoreConfigIds":["a",1]}`, `{"objectId":"t","objectType":"TRACE","status":"COMPLETED"}`,
		`{"projectId":"p","objectType":"SESSION","objectId":"s","content":" x "}`,
		`{"targetType":"cli","target":"t","feedback":"f","goal":"g","referenceUrl":"http://x.test"}`, `[]`, `"x"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if decode.CheckJSON(text) != nil {
			return
		}
		if n, err := readAnnotationQueue(decode.NewBody(text)); err == nil &&
			(len(n.ScoreConfigIDs) == 0 || len(n.ScoreConfigIDs) > maxQueueConfigs) {
			t.Errorf("accepted %d configs", len(n.ScoreConfigIDs))
		}
		if n, err := readAnnotationItem(decode.NewBody(text)); err == nil && (n.ObjectType == "" || n.Status == "") {
			t.Errorf("accepted %+v", n)
		}
		if n, err := readComment(decode.NewBody(text)); err == nil && (n.Content == "" || n.ObjectType == "") {
			t.Errorf("accepted %+v", n)
		}
		if m, err := readFeedback(decode.NewBody(text)); err == nil && (m.Target == "" || m.Feedback == "" || m.TargetType == "") {
			t.Errorf("accepted %+v", m)
		}
	})
}
