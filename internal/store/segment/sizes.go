package segment

import (
	"context"
	"maps"
	"slices"

	"almanac/internal/domain"
	"almanac/internal/store"
)

func dayOfMillis(ms int64) int64 { return domain.Micros(ms * 1000).Day() }

// projectDay identifies a day of a project.
type projectDay struct {
	project string
	day     int64
}

// Sizes implements store.Store. The share of a project is summed page by page, and a page shared with other projects is
// divided by rows, as are the index and the share of a project that has rows of several days in a row group. Rows in
// memory count with the memory they take.
func (s *Store) Sizes(ctx context.Context) ([]store.DaySize, error) {
	sizes := make(map[projectDay]*store.DaySize)
	if err := s.observations.addSizes(ctx, sizes); err != nil {
		return nil, err
	}
	if err := s.scores.addSizes(ctx, sizes); err != nil {
		return nil, err
	}
	list := make([]store.DaySize, 0, len(sizes))
	for size := range maps.Values(sizes) {
		list = append(list, *size)
	}
	return list, nil
}

func (t *table[R]) addSizes(ctx context.Context, sizes map[projectDay]*store.DaySize) error {
	v, err := t.view()
	if err != nil {
		return err
	}
	add := func(project string, day, rows, bytes int64) {
		if rows == 0 {
			return
		}
		key := projectDay{project, day}
		if sizes[key] == nil {
			sizes[key] = &store.DaySize{ProjectID: project, Day: day}
		}
		sizes[key].Rows += rows
		sizes[key].Bytes += bytes
	}
	for _, g := range v.groups {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, p := range g.projects {
			days, err := g.livingByDay(p)
			if err != nil {
				return err
			}
			bytes := g.bytesOf(p.start, p.end)
			for day, living := range days {
				add(p.project, day, living, max(1, int64(float64(bytes)*float64(living)/float64(max(1, p.end-p.start)))))
			}
		}
	}
	for _, hot := range v.hot {
		rows, bytes := hot.size()
		each := bytes / int64(max(1, rows))
		for _, project := range hot.projectNames() {
			days := make(map[int64]int64)
			for _, run := range hot.snapshot(project) {
				for _, h := range run {
					if h.visible(v.seq) {
						days[dayOfMillis(h.millis)]++
					}
				}
			}
			for day, living := range days {
				add(project, day, living, living*each)
			}
		}
	}
	return nil
}

// livingByDay returns how many live rows a project has on each day. Most row groups have rows of a single day.
func (g liveGroup[R]) livingByDay(p projectRange) (map[int64]int64, error) {
	day := dayOfMillis(p.oldest)
	if day == dayOfMillis(p.youngest) {
		return map[int64]int64{day: int64(p.end - p.start - g.dead.between(p.start, p.end))}, nil
	}
	days := make(map[int64]int64)
	err := g.eachTime(p.start, p.end, func(row int, at domain.Micros) {
		if !g.dead.has(row) {
			days[at.Day()]++
		}
	})
	return days, err
}

// eachTime calls each with the time of every row in a range.
func (g *rowGroup[R]) eachTime(start, end int, each func(row int, at domain.Micros)) error {
	memory := getPage()
	defer putPage(memory)
	for row := start; row < end; {
		page, err := g.scanPage(g.schema.time, row/pageRows, memory)
		if err != nil {
			return err
		}
		for last := min(end, (row/pageRows+1)*pageRows); row < last; row++ {
			each(row, domain.Micros(page.ints[row-page.first]))
		}
	}
	return nil
}

// projectNames returns the projects that have rows.
func (t *hotTable[R]) projectNames() []string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.Collect(maps.Keys(t.projects))
}

// bytesOf returns the share of a row group's size that belongs to a range of rows.
func (g *rowGroup[R]) bytesOf(start, end int) int64 {
	share := func(bytes int64, first, last int) float64 {
		common := min(end, last) - max(start, first)
		if common <= 0 || last <= first {
			return 0
		}
		return float64(bytes) * float64(common) / float64(last-first)
	}
	total := share(int64(len(g.blob)), 0, g.rows)
	for n := range g.chunks {
		k := &g.chunks[n]
		total += share(int64(k.dictionary.size), 0, g.rows)
		for p := range k.pages {
			last := g.rows
			if p+1 < len(k.pages) {
				last = int(k.pages[p+1].firstRow)
			}
			total += share(int64(k.pages[p].size), int(k.pages[p].firstRow), last)
		}
	}
	return int64(total)
}
