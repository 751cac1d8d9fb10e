package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"almanac/bench/internal/process"
)

// outcome holds the durations of requests.
type outcome struct {
	took  time.Duration
	times []time.Duration // sorted
}

func (o *outcome) quantile(q float64) float64 {
	return float64(o.times[int(q*float64(len(o.times)-1))].Microseconds()) / 1000
}

// readAll reads prompts over the given number of connections for a duration.
func readAll(ctx context.Context, s *process.Server, names []string, connections int, duration time.Duration) (*outcome, error) {
	results := make([]*outcome, connections)
	failures := make([]error, connections)
	var work sync.WaitGroup
	for n := range connections {
		work.Go(func() { results[n], failures[n] = readOver(ctx, s, names, n, duration) })
	}
	began := time.Now()
	work.Wait()
	total := &outcome{took: time.Since(began)}
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	for _, r := range results {
		total.times = append(total.times, r.times...)
	}
	slices.Sort(total.times)
	return total, nil
}

// readOver reads over one connection. It speaks HTTP by hand: the client shares the machine with the server and must
// use little of it.
func readOver(ctx context.Context, s *process.Server, names []string, first int, duration time.Duration) (*outcome, error) {
	address := strings.TrimPrefix(s.URL, "http://")
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	defer connection.Close() //nolint:errcheck // nothing is left to send
	credentials := base64.StdEncoding.EncodeToString([]byte(s.PublicKey + ":" + s.SecretKey))
	requests := make([][]byte, len(names))
	for n, name := range names {
		requests[n] = fmt.Appendf(nil, "GET /api/public/v2/prompts/%s?label=production HTTP/1.1\r\nHost: %s\r\nAuthorization: Basic %s\r\n"+
			"Accept: */*\r\nAccept-Encoding: gzip, deflate\r\nUser-Agent: bench\r\nX-Langfuse-Sdk-Name: "+
			"python\r\nX-Langfuse-Sdk-Version: 4.14.3\r\nX-Langfuse-Public-Key: %s\r\n\r\n",
			name, address, credentials, s.PublicKey)
	}
	result := new(outcome)
	reader := bufio.NewReaderSize(connection, 64<<10)
	for n, until := first, time.Now().Add(duration); ctx.Err() == nil && time.Now().Before(until); n++ {
		sent := time.Now()
		if _, err := connection.Write(requests[n%len(requests)]); err != nil {
			return nil, err
		}
		if err := readAnswer(reader); err != nil {
			return nil, err
		}
		result.times = append(result.times, time.Since(sent))
	}
	return result, ctx.Err()
}

// readAnswer reads the response to one request, which must be successful and have a known length.
func readAnswer(r *bufio.Reader) error {
	status, err := r.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !strings.HasPrefix(string(status), "HTTP/1.1 200") {
		return fmt.Errorf("the server answered %q", status)
	}
	length := -1
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return err
		}
		line = textproto.TrimBytes(line)
		if len(line) == 0 {
			break
		}
		if value, found := strings.CutPrefix(string(line), "Content-Length: "); found {
			if length, err = strconv.Atoi(value); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return errors.New("the answer has no length")
	}
	_, err = io.CopyN(io.Discard, r, int64(length))
	return err
}
