package scores

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/domain"
	"almanac/internal/store"
	"almanac/internal/store/storetest"
)

// pausingTable is a table whose appends wait for permission.
type pausingTable struct {
	store.Table[domain.Score]
	goOn chan struct{} // nil for no wait
}

func (p *pausingTable) Append(ctx context.Context, scope domain.ProjectScope, rows []domain.Score) error {
	if p.goOn != nil {
		<-p.goOn
	}
	return p.Table.Append(ctx, scope, rows)
}

// TestDeletedScoresStayDeleted deletes a score, in every way there is, while an update of it has read it and not yet
// written it.
func TestDeletedScoresStayDeleted(t *testing.T) {
	for name, selection := range map[string]store.Selection{
		"by id": {IDs: []string{"s"}}, "with its trace": {TraceIDs: []string{"t"}}, "by age": {Before: arrivalMicros() + 1_000_000_000},
		"with its project": {All: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				table := &pausingTable{Table: storetest.NewModel().Scores()}
				w := newWriter()
				w.Table = store.LockScores(table, nil)
				write := func(value string) {
					d := draft(t, 1, `"id":"s"`, `"traceId":"t"`, `"name":"n"`, `"value":`+value, `"dataType":"NUMERIC"`)
					if refusals, err := w.Write(t.Context(), scope, []Draft{d}); err != nil || refusals[0] != nil {
						t.Errorf("%v, %v", refusals, err)
					}
				}
				write("1")
				table.goOn = make(chan struct{})
				var wg sync.WaitGroup
				wg.Go(func() { write("2") })
				synctest.Wait() // it has read the score
				wg.Go(func() {
					if _, err := w.Table.Delete(t.Context(), scope, selection); err != nil {
						t.Error(err)
					}
				})
				synctest.Wait()
				close(table.goOn)
				wg.Wait()
				for s, err := range table.Lookup(t.Context(), scope, store.Lookup{IDs: []string{"s"}}) {
					t.Errorf("it is back: %+v, %v", s, err)
				}
			})
		})
	}
}

func arrivalMicros() domain.Micros { return domain.MicrosOf(arrival.Add(time.Hour)) }
