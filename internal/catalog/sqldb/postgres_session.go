package sqldb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/internal/domain"
)

// What a session knows, messages it waits for and locks it holds, is lost with it. So these have connections of their own, and
// look often whether they still have them.

const (
	// lockChecks is how often a server looks whether it still has the lock that it runs something under.
	lockChecks  = time.Second
	channel     = "almanac"
	notifyOnIt  = "SELECT pg_notify('" + channel + "', ?)"
	connecting  = 5 * time.Second // for a connection to be made
	answering   = 3 * time.Second // for a short statement on it
	listenQuiet = 2 * time.Second // without a message before the connection is looked at
)

// ErrDeaf means that the database can be reached and its messages cannot.
var ErrDeaf = errors.New("a message to ourselves does not arrive")

// connectPostgres makes a connection of its own. The database notices within half a minute if this machine is gone, and gives
// free what the session holds.
func connectPostgres(ctx context.Context, address string) (*pgx.Conn, error) {
	limited, cancel := context.WithTimeout(ctx, connecting)
	defer cancel()
	conn, err := pgx.Connect(limited, address)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(limited, "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"); err != nil {
		closePostgres(conn)
		return nil, err
	}
	return conn, nil
}

// closePostgres ends a connection, whatever state it is in.
func closePostgres(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = conn.Close(ctx)
}

func ping(ctx context.Context, conn *pgx.Conn) error {
	limited, cancel := context.WithTimeout(ctx, answering)
	defer cancel()
	return conn.Ping(limited)
}

// Listener returns what waits for messages until its context is done or the connection fails. It calls hearing when
// every later message will be heard, and heard for each. Patience is how long a message may be on its way.
func Listener(address string, pool *sql.DB, patience time.Duration) func(ctx context.Context, hearing func(), heard func(text string)) error {
	return func(ctx context.Context, hearing func(), heard func(text string)) error {
		conn, err := connectPostgres(ctx, address)
		if err != nil {
			return err
		}
		defer closePostgres(conn)
		if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
			return err
		}
		if err := checkLoopback(ctx, conn, pool, patience); err != nil {
			return err
		}
		hearing()
		for {
			text, err := nextNotice(ctx, conn, listenQuiet)
			switch {
			case err == nil:
				heard(text)
			case ctx.Err() != nil:
				return ctx.Err()
			case !errors.Is(err, context.DeadlineExceeded):
				return err
			default:
				if err := ping(ctx, conn); err != nil {
					return err
				}
			}
		}
	}
}

// checkLoopback makes sure that messages arrive: some proxies before a database take the place of sessions and lose them.
func checkLoopback(ctx context.Context, conn *pgx.Conn, pool *sql.DB, patience time.Duration) error {
	hello := `{"kind":"hello","from":"` + domain.NewID() + `"}`
	if _, err := pool.ExecContext(ctx, numberPlaceholders(notifyOnIt), hello); err != nil {
		return err
	}
	for {
		text, err := nextNotice(ctx, conn, patience)
		if err != nil {
			return fmt.Errorf("%w (is there a proxy that shares connections between transactions?): %w", ErrDeaf, err)
		}
		if text == hello {
			return nil // whatever came before it is no loss: anything may have changed
		}
	}
}

func nextNotice(ctx context.Context, conn *pgx.Conn, patience time.Duration) (string, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	n, err := conn.WaitForNotification(limited)
	if err != nil {
		return "", err
	}
	return n.Payload, nil
}

// postgresLock returns what runs a function while it holds the lock of a name; it waits for its turn until ctx is done. The
// function's context ends when the connection that holds the lock fails, and the lock is released when the function returns.
func postgresLock(address string) func(ctx context.Context, name string, run func(context.Context)) error {
	return func(ctx context.Context, name string, run func(context.Context)) error {
		conn, err := connectPostgres(ctx, address)
		if err != nil {
			return err
		}
		defer closePostgres(conn)
		for wait := FirstWait; ; wait = min(2*wait, LongWait) {
			mine, err := tryLock(ctx, conn, name)
			if err != nil {
				return fmt.Errorf("cannot ask for the lock of %s: %w", name, err)
			}
			if mine {
				break
			}
			if Sleep(ctx, wait) != nil {
				return ctx.Err()
			}
		}
		held, cancel := context.WithCancel(ctx)
		defer cancel()
		done := make(chan struct{})
		go func() { defer close(done); run(held) }()
		defer func() { cancel(); <-done }() // before the connection is closed
		for ticker := time.Tick(lockChecks); ; {
			select {
			case <-done:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			case <-ticker:
				if err := ping(ctx, conn); err != nil && ctx.Err() == nil {
					return fmt.Errorf("lost the lock of %s: %w", name, err)
				}
			}
		}
	}
}

// tryLock takes the lock of a name if nobody has it. Installations that share a database have schemas of their own.
func tryLock(ctx context.Context, conn *pgx.Conn, name string) (mine bool, err error) {
	limited, cancel := context.WithTimeout(ctx, answering)
	defer cancel()
	err = conn.QueryRow(limited, "SELECT pg_try_advisory_lock(hashtextextended('almanac ' || current_schema() || ' ' || $1::text, 0))", name).Scan(&mine)
	return mine, err
}
