package domain

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

// TestEveryTextOfAnObservation fills every string of a row, so that no new field is forgotten.
func TestEveryTextOfAnObservation(t *testing.T) {
	var o Observation
	bytes := 0
	v := reflect.ValueOf(&o).Elem()
	for n := range v.NumField() {
		text := fmt.Sprintf("text of field %d", n)
		switch field := v.Field(n); field.Kind() {
		case reflect.String:
			field.SetString(text)
			bytes += len(text)
		case reflect.Slice:
			field.Set(reflect.ValueOf([]string{text, text}))
			bytes += 2 * len(text)
		}
	}
	if got := o.TextBytes(); got != bytes {
		t.Errorf("%d bytes of texts, want %d", got, bytes)
	}
	c := o.Clone()
	if diff := cmp.Diff(o, c); diff != "" {
		t.Errorf("the copy differs: %s", diff)
	}
	o.eachText(func(text *string) {
		c.eachText(func(copied *string) {
			if unsafe.StringData(*text) == unsafe.StringData(*copied) {
				t.Errorf("the copy shares %q", *text)
			}
		})
	})
	if c := new(Observation).Clone(); c.Tags != nil {
		t.Error("no list became an empty one")
	}
}

func TestSentParentID(t *testing.T) {
	for _, c := range []struct {
		name string
		row  Observation
		want string
	}{
		{"none", Observation{TraceID: "a", Source: SourceIngestion}, ""},
		{"an observation", Observation{TraceID: "a", ParentID: "p", Source: SourceIngestion}, "p"},
		{"the trace record", Observation{TraceID: "a", ParentID: TraceRecordID("a"), Source: SourceIngestion}, ""},
		{"the record of another trace", Observation{TraceID: "a", ParentID: TraceRecordID("b"), Source: SourceIngestion}, "t-b"},
		{"a span's parent that looks like it", Observation{TraceID: "a", ParentID: TraceRecordID("a"), Source: SourceOTel}, "t-a"},
	} {
		if got := c.row.SentParentID(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
