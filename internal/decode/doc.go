// Package decode reads query parameters and JSON bodies into typed values, and reports what is wrong with them as the
// issue objects that API clients expect.
//
// Fields are read one by one. A field that does not fit records an issue and yields its zero value, so a handler reads
// everything it needs and checks for errors once at the end:
//
//	q := decode.NewQuery(r.URL.Query())
//	limit := q.Int("limit", decode.IntRule{Default: 50, Min: 1, Max: 100})
//	from := q.Time("fromStartTime")
//	if err := q.Err(); err != nil {
//		return nil, err
//	}
//
//	b := decode.NewBody(raw).Object()
//	name := b.Field("name").TextLen(3, 60)
//	note := decode.Nullish(b.Field("note"), decode.Value.Text)
//	b.Strict()
//	if err := b.Err(); err != nil {
//		return nil, err
//	}
//
// Issues are reported in the order in which fields were read, so read fields in the order the contract lists them.
package decode
