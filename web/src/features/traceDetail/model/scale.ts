import type { Tree } from './tree'

/** A stretch of time in which nothing happens. */
export type Gap = { from: number; to: number }

/** Maps times to positions along the timeline, from 0 to 1; folded gaps are `foldedGap` wide. */
export type Scale = {
  from: number
  to: number
  gaps: readonly Gap[]
  toPosition: (time: number) => number
  toTime: (position: number) => number
}

/** The share of the width that a folded gap takes. */
const foldedGap = 0.015
/** A gap is folded if it exceeds this share of the trace and this many milliseconds. */
const leastShare = 0.05
const leastTime = 20
/** Anything without a duration counts as this long, so that it has a scale. */
const shortest = 1e-6

/**
 * The stretches in which only observations with children run: they wait for something that is not recorded, such as a
 * person.
 */
export function idleGaps(tree: Tree): Gap[] {
  const leaves: Gap[] = []
  for (let row = 0; row < tree.count; row++)
    if (tree.size[row] === 1) leaves.push({ from: tree.start[row] ?? 0, to: tree.end[row] ?? 0 })
  leaves.sort((a, b) => a.from - b.from)
  const least = Math.max(leastTime, (tree.to - tree.from) * leastShare)
  const gaps: Gap[] = []
  let at = tree.from
  for (const leaf of [...leaves, { from: tree.to, to: tree.to }]) {
    if (leaf.from - at > least) gaps.push({ from: at, to: leaf.from })
    at = Math.max(at, leaf.to)
  }
  return gaps
}

export function createScale(from: number, to: number, gaps: readonly Gap[] = []): Scale {
  const whole = Math.max(to - from, shortest)
  const folded = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0)
  const width = gaps.length * foldedGap
  // The width of one unit of time outside gaps. If there is nothing but gaps, they share the width.
  const rest = whole - folded
  const unit = rest > 0 ? Math.max(0, 1 - width) / rest : 0
  const gapWidth = rest > 0 ? Math.min(foldedGap, 1 / gaps.length) : 1 / Math.max(1, gaps.length)
  const toPosition = (time: number) => {
    const at = Math.min(to, Math.max(from, time))
    let position = 0
    let past = from
    for (const gap of gaps) {
      if (at <= gap.from) break
      position += (gap.from - past) * unit
      if (at < gap.to)
        return position + ((at - gap.from) / Math.max(gap.to - gap.from, shortest)) * gapWidth
      position += gapWidth
      past = gap.to
    }
    return position + (at - past) * unit
  }
  const toTime = (position: number) => {
    let left = Math.min(1, Math.max(0, position))
    let past = from
    for (const gap of gaps) {
      const before = (gap.from - past) * unit
      if (left <= before) break
      left -= before
      if (left < gapWidth) return gap.from + (left / gapWidth) * (gap.to - gap.from)
      left -= gapWidth
      past = gap.to
    }
    return unit > 0 ? Math.min(to, past + left / unit) : past
  }
  return { from, to, gaps, toPosition, toTime }
}

/** The visible part of the scale, from 0 to 1. */
export type Window = { from: number; to: number }

export const wholeWindow: Window = { from: 0, to: 1 }
const narrowest = 1e-6

/** Zooms around a position; a factor below 1 zooms in. */
export function zoomed({ from, to }: Window, around: number, factor: number): Window {
  const width = Math.min(1, Math.max(narrowest, (to - from) * factor))
  const share = to > from ? (around - from) / (to - from) : 0.5
  return moved({ from: around - width * share, to: around + width * (1 - share) }, 0)
}

/** Moves by a fraction of the visible part, without leaving the scale. */
export function moved({ from, to }: Window, by: number): Window {
  const width = Math.min(1, to - from)
  const start = Math.min(1 - width, Math.max(0, from + by * width))
  return { from: start, to: start + width }
}

/** The window between two positions, in either order. */
export function windowBetween(a: number, b: number): Window {
  const from = Math.max(0, Math.min(a, b))
  const to = Math.min(1, Math.max(a, b))
  return to - from < narrowest ? wholeWindow : { from, to }
}

/** Round times for the marks of a window, about `most` of them. */
export function marks(scale: Scale, window: Window, most: number): { time: number; at: number }[] {
  const from = scale.toTime(window.from)
  const to = scale.toTime(window.to)
  const step = roundStep((to - from) / most)
  if (!(step > 0)) return []
  const found: { time: number; at: number }[] = []
  for (
    let time = Math.ceil((from - scale.from) / step) * step;
    time + scale.from <= to;
    time += step
  ) {
    const at = (scale.toPosition(time + scale.from) - window.from) / (window.to - window.from)
    const last = found.at(-1)
    // Folded gaps bring marks close together; at the very end there is no room for a label.
    if (at < 0.94 && (!last || at - last.at > 0.6 / most)) found.push({ time, at })
    if (found.length > most * 2) break
  }
  return found
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10
  return step * power
}
