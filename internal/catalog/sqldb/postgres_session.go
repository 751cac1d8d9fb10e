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

// Notifications and session locks are lost with the session. So listeners and lock holders have their own connections,
// and check often that these are still alive.

const (
	// lockChecks is the interval at which a server checks that it still holds a lock.
	lockChecks  = time.Second
	channel     = "almanac"
	notifyOnIt  = "SELECT pg_notify('" + channel + "', ?)"
	connecting  = 5 * time.Second // to connect
	answering   = 3 * time.Second // for a short statement
	listenQuiet = 2 * time.Second // without a notification before the connection is checked
)

// ErrNotificationsLost means that the database can be reached but its notifications do not arrive.
var ErrNotificationsLost = errors.New("a notification sent to this server did not arrive")

// connectPostgres opens a connection outside the pools. If this machine disappears, the database notices within half a
// minute and releases what the session holds.
func connectPostgres(ctx context.Context, address string) (*pgx.Conn, error) {
	limited, cancel := context.WithTimeout(ctx, connecting)
	defer cancel()
	conn, err := pgx.Connect(limited, address)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(limited,
		"SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"); err != nil {
		closePostgres(conn)
		return nil, err
	}
	return conn, nil
}

// closePostgres closes a connection in any state.
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

// Listener returns a function that waits for notifications until its context is done or the connection fails. It calls
// onReady once no later notification can be missed, and onMessage for each. Patience is the maximum time for a notification
// to arrive.
func Listener(
	address string, pool *sql.DB, patience time.Duration,
) func(ctx context.Context, onReady func(), onMessage func(text string)) error {
	return func(ctx context.Context, onReady func(), onMessage func(text string)) error {
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
		onReady()
		for {
			text, err := nextNotice(ctx, conn, listenQuiet)
			switch {
			case err == nil:
				onMessage(text)
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

// checkLoopback checks that notifications arrive: proxies that pool connections per transaction lose them.
func checkLoopback(ctx context.Context, conn *pgx.Conn, pool *sql.DB, patience time.Duration) error {
	hello := `{"kind":"hello","from":"` + domain.NewID() + `"}`
	if _, err := pool.ExecContext(ctx, numberPlaceholders(notifyOnIt), hello); err != nil {
		return err
	}
	for {
		text, err := nextNotice(ctx, conn, patience)
		if err != nil {
			return fmt.Errorf("%w (is there a connection pooler in transaction mode?): %w", ErrNotificationsLost, err)
		}
		if text == hello {
			return nil // earlier messages are covered, since onReady announces that anything may have changed
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

// postgresLock returns a function that calls run while holding the named lock; it waits for the lock until ctx is done.
// The context of run is canceled when the connection that holds the lock fails, and the lock is released when run
// returns.
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
				return fmt.Errorf("cannot request the lock of %s: %w", name, err)
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

// tryLock acquires the named lock if it is free. Installations that share a database have separate schemas.
func tryLock(ctx context.Context, conn *pgx.Conn, name string) (mine bool, err error) {
	limited, cancel := context.WithTimeout(ctx, answering)
	defer cancel()
	err = conn.QueryRow(limited, "SELECT pg_try_advisory_lock(hashtextextended('almanac ' || current_schema() || ' ' || $1::text, 0))",
		name).Scan(&mine)
	return mine, err
}
