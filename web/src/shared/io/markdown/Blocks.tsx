import type { Token, Tokens } from 'marked'
import { CodeBlock } from '@/shared/ui'
import { Inline } from './Inline'

/** Lists and quotations can be nested deeper than a page is wide. */
const deepest = 12

const headings = ['text-xl', 'text-lg', 'text-lg', 'text-base', 'text-base', 'text-base']

/** Markdown blocks as elements. HTML is shown as plain text. */
export function Blocks({ tokens, depth }: { tokens: readonly Token[]; depth: number }) {
  // Blocks have no identity other than their index.
  // oxlint-disable-next-line react/no-array-index-key
  return tokens.map((token, at) => <Block key={at} token={token as Known} depth={depth} />)
}

type Known =
  | Tokens.Heading
  | Tokens.Paragraph
  | Tokens.List
  | Tokens.Code
  | Tokens.Blockquote
  | Tokens.Table
  | Tokens.Hr
  | Tokens.Space
  | Tokens.Text
  | Tokens.HTML
  | Tokens.Def

function Block({ token, depth }: { token: Known; depth: number }) {
  if (depth > deepest) return <Verbatim text={token.raw} />
  switch (token.type) {
    case 'space':
      return null
    case 'hr':
      return <hr className="border-border" />
    case 'heading':
      // A heading in a text is not a heading of the page.
      return (
        <p dir="auto" className={`font-semibold ${headings[token.depth - 1] ?? 'text-base'}`}>
          <Inline tokens={token.tokens} />
        </p>
      )
    case 'paragraph':
      return (
        <p dir="auto">
          <Inline tokens={token.tokens} />
        </p>
      )
    case 'text':
      return <p dir="auto">{token.tokens ? <Inline tokens={token.tokens} /> : <>{token.text}</>}</p>
    case 'code':
      return <CodeBlock code={token.text} label={token.lang ? `${token.lang} code` : 'code'} />
    case 'blockquote':
      return (
        <blockquote
          dir="auto"
          className="flex flex-col gap-2 border-s-2 border-border ps-3 text-text-2"
        >
          <Blocks tokens={token.tokens} depth={depth + 1} />
        </blockquote>
      )
    case 'list':
      return <List list={token} depth={depth} />
    case 'table':
      return <Table table={token} />
    case 'html':
    case 'def':
      return <Verbatim text={token.raw} />
  }
}

function List({ list, depth }: { list: Tokens.List; depth: number }) {
  const items = list.items.map((item, at) => (
    // oxlint-disable-next-line react/no-array-index-key
    <li key={at} dir="auto">
      {item.task && (
        <input
          type="checkbox"
          checked={item.checked}
          readOnly
          disabled
          aria-label={item.checked ? 'done' : 'to do'}
          className="mr-1 align-middle"
        />
      )}
      <div className="inline-flex w-full flex-col gap-1 align-top">
        <Blocks tokens={item.tokens.filter(({ type }) => type !== 'checkbox')} depth={depth + 1} />
      </div>
    </li>
  ))
  const className = 'flex flex-col gap-1 ps-6'
  return list.ordered ? (
    <ol
      dir="auto"
      className={`list-decimal ${className}`}
      start={list.start === '' ? 1 : list.start}
    >
      {items}
    </ol>
  ) : (
    <ul dir="auto" className={`list-disc ${className}`}>
      {items}
    </ul>
  )
}

function Table({ table }: { table: Tokens.Table }) {
  const cell = 'border border-border px-2 py-1 text-start align-top'
  return (
    <div
      // A region that scrolls has to be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="group"
      aria-label="Table"
      className="overflow-x-auto"
    >
      <table className="border-collapse text-sm">
        <thead>
          <tr>
            {table.header.map((head, at) => (
              // oxlint-disable-next-line react/no-array-index-key
              <th key={at} dir="auto" className={`bg-surface-1 font-medium ${cell}`}>
                <Inline tokens={head.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, line) => (
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={line}>
              {row.map((each, at) => (
                // oxlint-disable-next-line react/no-array-index-key
                <td key={at} dir="auto" className={cell}>
                  <Inline tokens={each.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Verbatim({ text }: { text: string }) {
  return (
    <p dir="auto" className="whitespace-pre-wrap text-text-2">
      {text.replace(/\n+$/, '')}
    </p>
  )
}
