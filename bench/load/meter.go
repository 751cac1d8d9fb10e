package main

import (
	"time"

	"almanac/bench/internal/process"
)

// meter measures the resource usage of processes.
type meter struct {
	processes []named
	// server is the one started here, if any. It also reports its allocations.
	server *process.Server
	before []time.Duration
	allocs process.Usage
	memory []func() int64
	began  time.Time
}

// used is the resource usage of a process.
type used struct {
	cpu  time.Duration
	peak int64 // of anonymous memory, in bytes
}

// start begins to measure.
func (m *meter) start() {
	m.before, m.memory = nil, nil
	for _, p := range m.processes {
		m.before = append(m.before, p.pid.CPU())
		m.memory = append(m.memory, p.pid.WatchMemory())
	}
	if m.server != nil {
		m.allocs = m.server.Usage()
	}
	m.began = time.Now()
}

// cpu returns the CPU time of each process since start.
func (m *meter) cpu() []time.Duration {
	list := make([]time.Duration, len(m.processes))
	for n, p := range m.processes {
		list[n] = p.pid.CPU() - m.before[n]
	}
	return list
}

// stop ends the measurement and returns the usage of each process.
func (m *meter) stop() []used {
	cpu := m.cpu()
	list := make([]used, len(cpu))
	for n := range list {
		list[n] = used{cpu[n], m.memory[n]()}
	}
	return list
}

// allocated returns what the server has allocated since start.
func (m *meter) allocated() process.Usage {
	if m.server == nil {
		return process.Usage{}
	}
	return m.server.Usage().Minus(m.allocs)
}
