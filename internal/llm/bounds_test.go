package llm

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/oauth2"

	"almanac/internal/domain"
	"almanac/internal/netguard"
)

// TestGreedyProjects: a project whose calls hang takes no turn that others need, and more than it may have wait.
func TestGreedyProjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{Calls: 8, PerConnection: 100, PerMinute: 1000})
		ctx, cancel := context.WithCancel(t.Context())
		greedy := Connection{Project: "greedy", Key: "a"}
		var all sync.WaitGroup
		var entered, ended int
		var mu sync.Mutex
		for range 20 {
			all.Go(func() {
				_, err := c.enter(ctx, greedy)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					entered++
				} else {
					ended++
				}
			})
		}
		synctest.Wait()
		if entered != 6 {
			t.Errorf("%d calls of one project are in progress, want three quarters of 8", entered)
		}
		leave, err := c.enter(t.Context(), Connection{Project: "modest", Key: "b"})
		if err != nil {
			t.Fatalf("another project: %v", err)
		}
		leave()
		cancel()
		all.Wait()
		if entered+ended != 20 || entered != 6 {
			t.Errorf("%d calls were made and %d ended", entered, ended)
		}
	})
}

// TestConnectionsAreLimited: calls of one connection wait for each other, also for their number in a minute, and too many
// are refused. Another connection of the project is not concerned.
func TestConnectionsAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{PerConnection: 2, PerMinute: 10})
		conn := Connection{Project: "p", Key: "a"}
		began := time.Now()
		for range 10 {
			leave, err := c.enter(t.Context(), conn)
			if err != nil {
				t.Fatal(err)
			}
			leave()
		}
		if waited := time.Since(began); waited > 0 {
			t.Errorf("the calls of a minute had to wait %s", waited)
		}
		leave, err := c.enter(t.Context(), conn)
		if err != nil || time.Since(began) < 6*time.Second || time.Since(began) > 7*time.Second {
			t.Errorf("the next call began after %s, %v", time.Since(began), err)
		}
		other, err := c.enter(t.Context(), conn)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.enter(ctx, conn); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a third call at once: %v", err)
		}
		unconcerned, err := c.enter(t.Context(), Connection{Project: "p", Key: "b"})
		if err != nil {
			t.Errorf("another connection: %v", err)
		}
		ctx, cancel = context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range maxQueue {
			all.Go(func() {
				if _, err := c.enter(ctx, conn); err == nil {
					t.Error("a call was made that was to wait")
				}
			})
		}
		synctest.Wait()
		_, err = c.enter(t.Context(), conn)
		if failed, ok := errors.AsType[*Error](err); !ok || failed.Kind != Busy {
			t.Errorf("one more: %v", err)
		}
		cancel()
		all.Wait()
		leave()
		other()
		unconcerned()
	})
}

// TestTurnsOfFailedCalls: a call that ends with an error gives back its turns with the connection and with the server.
func TestTurnsOfFailedCalls(t *testing.T) {
	c := New(Options{Guard: netguard.Guard{}, Calls: 4, PerConnection: 1})
	conn := Connection{Project: "p", Key: "a", Adapter: domain.AdapterOpenAI, BaseURL: "http://127.0.0.1:1/v1"}
	for n := range 5 {
		result, err := c.Complete(t.Context(), conn, Request{Model: "m", Messages: []Message{Text(User, "Hi")}, Timeout: 10 * time.Second})
		if failed, ok := errors.AsType[*Error](err); !ok || failed.Kind != Unreachable || result.Attempts != 1 {
			t.Fatalf("call %d, with %d attempts: %v", n+1, result.Attempts, err)
		}
	}
	if held := c.turns.Held(); held != 0 {
		t.Errorf("%d turns of the server are held", held)
	}
}

// TestTurnsOfThoseWhoGaveUp: a call that ends while it waits, wherever that is, leaves no trace in its lane.
func TestTurnsOfThoseWhoGaveUp(t *testing.T) {
	conn := Connection{Project: "p", Key: "a"}
	enter := func(t *testing.T, c *Client, conn Connection) func() {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		leave, err := c.enter(ctx, conn)
		if err != nil {
			t.Fatalf("a turn is not given back: %v", err)
		}
		return leave
	}
	giveUp := func(t *testing.T, c *Client, times int) {
		t.Helper()
		for range times {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err := c.enter(ctx, conn)
			cancel()
			if failed, ok := errors.AsType[*Error](err); !ok || failed.Kind != Canceled || !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("the call that gives up: %v", err)
			}
		}
	}
	t.Run("for another call", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := New(Options{PerConnection: 1})
			leave := enter(t, c, conn)
			giveUp(t, c, maxQueue+1) // and are not counted among those who wait
			leave()
			enter(t, c, conn)()
		})
	})
	t.Run("for the next minute", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := New(Options{PerConnection: 1, PerMinute: 1})
			enter(t, c, conn)()
			giveUp(t, c, 1)
			if _, err := c.enter(t.Context(), conn); !isBusy(err) {
				t.Errorf("too many calls began: %v", err)
			}
			time.Sleep(2 * time.Minute)
			enter(t, c, conn)()
		})
	})
	t.Run("for the server", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := New(Options{Calls: 4, PerConnection: 1})
			var leave []func()
			for _, key := range []string{"x", "y", "z"} {
				leave = append(leave, enter(t, c, Connection{Project: conn.Project, Key: key}))
			}
			giveUp(t, c, 2)
			leave[0]()
			enter(t, c, conn)()
			leave[1]()
			leave[2]()
			if held := c.turns.Held(); held != 0 {
				t.Errorf("%d turns of the server are held", held)
			}
		})
	})
}

func isBusy(err error) bool {
	failed, ok := errors.AsType[*Error](err)
	return ok && failed.Kind == Busy
}

// TestLanesAreForgotten: what is kept about connections does not grow with their number.
func TestLanesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(Options{})
		for n := range 10 * sweptLanes {
			leave, err := c.enter(t.Context(), Connection{Project: "p", Key: strconv.Itoa(n)})
			if err != nil {
				t.Fatal(err)
			}
			leave()
			time.Sleep(time.Second)
		}
		if got := len(c.lanes.lanes); got > 2*sweptLanes {
			t.Errorf("%d lanes are kept", got)
		}
	})
}

// TestForgottenModels: a project with endlessly many models makes others forget what they know, which costs them one attempt,
// and takes no more memory.
func TestForgottenModels(t *testing.T) {
	m := newMemory()
	learn := func(connection, model string) {
		m.put(connection, model, m.of(connection, model), func(k *knowledge) { k.refused["temperature"] = true })
	}
	learn("modest", "m")
	if !m.of("modest", "m").refused["temperature"] {
		t.Error("it was not remembered")
	}
	learn("", "m")
	if m.of("", "m").refused != nil {
		t.Error("something is remembered about a connection that is not stored")
	}
	for n := range 20_000 {
		learn("greedy", "model-"+strconv.Itoa(n))
	}
	if m.known.Bytes() > memoryBytes {
		t.Errorf("%d bytes are remembered", m.known.Bytes())
	}
	if k := m.of("modest", "m"); k.refused["temperature"] {
		t.Error("everything is remembered")
	}
	learn("modest", "m")
	if !m.of("modest", "m").refused["temperature"] {
		t.Error("nothing is learned any more")
	}
}

// TestKnowledgeAges: providers change what their models take.
func TestKnowledgeAges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory()
		m.put("c", "m", knowledge{}, func(k *knowledge) { k.refused["seed"] = true })
		time.Sleep(memoryTime / 2)
		m.put("c", "m", m.of("c", "m"), func(k *knowledge) { k.rung = PromptRung })
		if k := m.of("c", "m"); k.rung != PromptRung || !k.refused["seed"] {
			t.Errorf("after half of the time: %+v", k)
		}
		time.Sleep(memoryTime/2 + time.Second)
		if k := m.of("c", "m"); k.rung != NoRung || k.refused != nil {
			t.Errorf("after all of the time: %+v", k)
		}
	})
}

// TestForgottenTokens: tokens are kept until shortly before they end, and a project with endlessly many connections makes
// others ask for theirs again.
func TestForgottenTokens(t *testing.T) {
	kept := newTokens()
	asked := 0
	get := func(key string, life time.Duration) {
		t.Helper()
		if _, err := kept.of(key, func() (*oauth2.Token, error) {
			asked++
			return &oauth2.Token{AccessToken: "t", Expiry: time.Now().Add(life)}, nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{1, 1} {
		if get("modest", time.Hour); asked != want {
			t.Errorf("asked %d times, want %d", asked, want)
		}
	}
	get("short", 30*time.Second)
	if get("short", 30*time.Second); asked != 3 {
		t.Errorf("a token that ends is used: asked %d times", asked)
	}
	if get("", time.Hour); asked != 4 {
		t.Errorf("asked %d times", asked)
	}
	if get("", time.Hour); asked != 5 {
		t.Error("the token of a connection that is not stored is kept")
	}
	for n := range 10_000 {
		get("greedy-"+strconv.Itoa(n), time.Hour)
	}
	asked = 0
	if get("modest", time.Hour); asked != 1 || kept.kept.Bytes() > tokenBytes {
		t.Errorf("asked %d times, %d bytes are kept", asked, kept.kept.Bytes())
	}
}
