import { cx } from '@/shared/lib/cx'
import type { Line, Row } from './model/lineDiff'

type RowProps = { row: Row; /** The first of a stretch of changed lines. */ isFirst: boolean }

const numberClass = 'w-12 px-2 text-right align-top text-text-3 tabular select-none'
const textClass = 'px-2 align-top break-words whitespace-pre-wrap'

/** A line of both sides, or the line of one above the line of the other. */
export function InlineRow({ row, isFirst }: RowProps) {
  const { kind, a, b } = row
  if (kind === 'same')
    return (
      <tr>
        <NumberCell of={a} />
        <NumberCell of={b} />
        <td className={textClass}>
          <Sign />
          <Text line={a} />
        </td>
      </tr>
    )
  return (
    <>
      {a && (
        <tr data-change={isFirst || undefined} className={removedClass}>
          <NumberCell of={a} />
          <NumberCell />
          <td className={textClass}>
            <Sign sign="−" />
            <Text line={a} side="a" />
          </td>
        </tr>
      )}
      {b && (
        <tr data-change={(isFirst && !a) || undefined} className={addedClass}>
          <NumberCell />
          <NumberCell of={b} />
          <td className={textClass}>
            <Sign sign="+" />
            <Text line={b} side="b" />
          </td>
        </tr>
      )}
    </>
  )
}

/** Both sides beside each other. */
export function SideRow({ row, isFirst }: RowProps) {
  const isChanged = row.kind !== 'same'
  return (
    <tr data-change={(isChanged && isFirst) || undefined}>
      {(['a', 'b'] as const).map((side) => {
        const line = row[side]
        const tint = !line
          ? 'bg-surface-2'
          : isChanged && (side === 'a' ? removedClass : addedClass)
        return [
          <td
            key={`${side} number`}
            className={cx(numberClass, tint, side === 'b' && 'border-l border-border')}
          >
            {line?.number}
          </td>,
          <td key={side} className={cx(textClass, tint)}>
            {line && (
              <>
                <Sign sign={isChanged ? (side === 'a' ? '−' : '+') : undefined} />
                <Text line={line} side={isChanged ? side : undefined} />
              </>
            )}
          </td>,
        ]
      })}
    </tr>
  )
}

/** The number of a line; empty where this side has none. */
function NumberCell({ of }: { of?: Line }) {
  return <td className={numberClass}>{of?.number}</td>
}

const removedClass = 'bg-danger-soft'
const addedClass = 'bg-success-soft'

/** Colour is never the only sign. */
function Sign({ sign }: { sign?: '−' | '+' }) {
  return (
    <span
      className={cx(
        'inline-block w-4 select-none',
        sign === '−' ? 'text-danger' : sign === '+' && 'text-success',
      )}
    >
      {sign === undefined ? null : (
        <span className="sr-only">{sign === '−' ? 'removed' : 'added'} </span>
      )}
      <span aria-hidden>{sign}</span>
    </span>
  )
}

function Text({ line, side }: { line: Line | undefined; side?: 'a' | 'b' }) {
  if (!line) return null
  const isWhole = line.pieces.length === 1
  return line.pieces.map(({ text, isChanged }, at) => {
    // Pieces have no identity other than their place.
    const key = at
    if (side === undefined || !isChanged) return <span key={key}>{text.replace(/\r$/, '')}</span>
    const shown = visible(text, isWhole)
    return side === 'a' ? (
      <del
        key={key}
        className={cx('no-underline', isWhole ? 'text-danger' : 'rounded-xs bg-danger/20')}
      >
        {shown}
      </del>
    ) : (
      <ins
        key={key}
        className={cx('no-underline', isWhole ? 'text-success' : 'rounded-xs bg-success/20')}
      >
        {shown}
      </ins>
    )
  })
}

/** Text that would not be seen if it is all that differs: carriage returns, and spaces. */
function visible(text: string, isWhole: boolean): string {
  const withReturns = text.replace(/\r/g, '␍')
  return isWhole || /\S/.test(withReturns)
    ? withReturns
    : withReturns.replaceAll(' ', '·').replaceAll('\t', '→')
}
