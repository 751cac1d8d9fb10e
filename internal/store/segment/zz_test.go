package segment
import ("testing";"time";"path/filepath";"almanac/internal/filter";"almanac/internal/domain")
func filterObs() *filter.Catalogue[domain.Observation] { return filter.Observations() }
func TestZZ(t *testing.T){
	d:=damageStore(t)
	for range 6 {
		t0:=time.Now()
		c:=copyStore(t,d)
		t1:=time.Now()
		tb,err:=openTable(observationSchema(), filepath.Join(c,"observations"), damageOptions().withDefaults(), &freeSpace{directory:c})
		if err!=nil{t.Fatal(err)}
		t2:=time.Now()
		a:=map[string]answer{}
		for _,p:=range damageProjects { readTable(t.Context(),a,p,tb, filterObs(), observationRow)}
		t3:=time.Now()
		tb.close()
		t.Log("copy",t1.Sub(t0),"open",t2.Sub(t1),"read",t3.Sub(t2),"close",time.Since(t3))
	}
}
