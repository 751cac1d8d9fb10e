package llm

import (
	"maps"
	"sync"
	"time"

	"almanac/internal/lru"
)

const (
	// memoryBytes is how much may be remembered about models.
	memoryBytes = 1 << 20
	// memoryTime is how long something is remembered: providers change what their models take.
	memoryTime = 24 * time.Hour
)

// knowledge is what a model was found to be like.
type knowledge struct {
	refused map[string]bool // parameters
	rung    Rung            // on which it gave a structured answer
	until   time.Time
}

// memory remembers what models are like. Whatever is forgotten costs one more attempt.
type memory struct {
	mu    sync.Mutex
	known *lru.Cache[string, knowledge]
}

func newMemory() *memory { return &memory{known: lru.New[string, knowledge](memoryBytes, nil)} }

func memoryKey(connection, model string) string { return connection + "\x00" + model }

// of returns what is known about a model. The caller must not change it.
func (m *memory) of(connection, model string) knowledge {
	if connection == "" {
		return knowledge{}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.known.Get(memoryKey(connection, model))
	if !ok || time.Now().After(k.until) {
		return knowledge{}
	}
	return k
}

// put remembers what is known about a model, with a change. Nothing is remembered about connections that are not stored.
func (m *memory) put(connection, model string, k knowledge, change func(*knowledge)) knowledge {
	k.refused = maps.Clone(k.refused)
	if k.refused == nil {
		k.refused = make(map[string]bool)
	}
	if k.until.IsZero() {
		k.until = time.Now().Add(memoryTime)
	}
	change(&k)
	if connection == "" {
		return k
	}
	key, size := memoryKey(connection, model), int64(200)
	for name := range k.refused {
		size += int64(len(name)) + 100
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known.Put(key, k, size+int64(len(key)))
	return k
}
