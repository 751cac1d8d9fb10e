import { describe, expect, test } from 'vitest'
import { completeKnownValues, insertValue, suggestedColumn } from '@/shared/query'
import { observationQueries } from './fields'

const { completeFields, completingAt } = observationQueries

/** The bar marks the caret. */
function at(marked: string) {
  const caret = marked.indexOf('|')
  const text = marked.replace('|', '')
  const found = completingAt(text, caret)
  if (!found) return undefined
  const replaced = text.slice(found.start, found.end)
  if (found.kind === 'value')
    return [
      found.kind,
      `${found.field.name}${found.key === undefined ? '' : `.${found.key}`}`,
      found.prefix,
      replaced,
    ]
  return found.kind === 'key'
    ? [found.kind, found.field.name, found.prefix, replaced]
    : [found.kind, found.isHas ? 'has' : '', found.prefix, replaced]
}

describe('where the caret stands', () => {
  test.each([
    ['|', ['field', '', '', '']],
    ['le|', ['field', '', 'le', 'le']],
    ['le|v', ['field', '', 'le', 'lev']],
    ['level:ERROR |', ['field', '', '', '']],
    ['level:ERROR na|', ['field', '', 'na', 'na']],
    ['-le|', ['field', '', 'le', 'le']],
    ['level:|', ['value', 'level', '', '']],
    ['level:E|', ['value', 'level', 'E', 'E']],
    ['level：E|', ['value', 'level', 'E', 'E']],
    ['level:(WARNING OR E|', ['value', 'level', 'E', 'E']],
    ['level:(WARNING OR |)', ['value', 'level', '', '']],
    ['level:(|', ['value', 'level', '', '']],
    ['name:=ch|', ['value', 'name', 'ch', '=ch']],
    ['name:"two w|', ['value', 'name', 'two w', '"two w']],
    ['metadata.|', ['key', 'metadata', '', '']],
    ['metadata.cu|', ['key', 'metadata', 'cu', 'cu']],
    ['metadata.customer:a|', ['value', 'metadata.customer', 'a', 'a']],
    ['metadata."odd key":a|', ['value', 'metadata.odd key', 'a', 'a']],
    ['has:u|', ['field', 'has', 'u', 'u']],
    ['has:metadata.k|', ['key', 'metadata', 'k', 'k']],
    ['name:"level:|', ['value', 'name', 'level:', '"level:']],
    ['"some te|', undefined],
    ['colour:|', undefined],
  ])('%s', (marked, want) => expect(at(marked)).toEqual(want))
})

describe('what is offered', () => {
  const value = (text: string) => {
    const found = completingAt(text, text.length)
    if (found?.kind !== 'value') throw new Error('no value')
    return found
  }
  test('fields by their names, columns and aliases', () => {
    expect(completeFields({ prefix: 'env', isHas: false })[0]?.insert).toBe('env:')
    expect(completeFields({ prefix: 'totalc', isHas: false })[0]?.insert).toBe('cost:')
    expect(completeFields({ prefix: 'meta', isHas: false })[0]?.insert).toBe('metadata.')
    expect(completeFields({ prefix: 'score', isHas: false })[0]?.insert).toBe('scores.')
    expect(completeFields({ prefix: 'ha', isHas: false })[0]?.insert).toBe('has:')
    expect(completeFields({ prefix: 'us', isHas: true })[0]?.insert).toBe('user ')
    expect(completeFields({ prefix: 'zzz', isHas: false })).toEqual([])
  })
  test('operators and fixed values', () => {
    expect(completeKnownValues(value('level:e')).map(({ insert }) => insert)).toEqual(['ERROR '])
    expect(completeKnownValues(value('level:(ERROR OR w')).map(({ insert }) => insert)).toEqual([
      'WARNING',
    ])
    expect(completeKnownValues(value('latency:')).map(({ insert }) => insert)).toEqual([
      '>',
      '>=',
      '<',
      '<=',
    ])
    expect(completeKnownValues(value('root:'))).toHaveLength(2)
    expect(completeKnownValues(value('latency:>'))).toEqual([])
  })
  test('values of the project are put in exactly, quoted where they must be', () => {
    expect(insertValue(value('user:a'), 'ann')).toBe('=ann ')
    expect(insertValue(value('user:a'), 'ann lee')).toBe('="ann lee" ')
    expect(insertValue(value('tags:a'), '>x')).toBe('">x" ')
    expect(insertValue(value('env:p'), 'prod')).toBe('prod ')
    expect(insertValue(value('user:(a OR b'), 'b or c')).toBe('"b or c"')
    expect(insertValue(value('scores.mood:g'), 'good')).toBe('good ')
    expect(insertValue(value('scores.mood:'), '5')).toBe('"5" ')
    expect(insertValue(value('scores.mood:(good OR '), 'true')).toBe('"true"')
  })
  test('keys and names are followed by what comes next', () => {
    const key = (text: string) => {
      const found = completingAt(text, text.length)
      if (!found) throw new Error('no key')
      return found
    }
    expect(insertValue(key('scores.q'), 'quality')).toBe('quality:')
    expect(insertValue(key('has:scores.q'), 'quality')).toBe('quality ')
  })
  test.each([
    ['user:', 'userId'],
    ['env:', 'environment'],
    ['level:', undefined],
    ['latency:', undefined],
    ['metadata.', 'metadata'],
    ['scores.', 'scores'],
    ['metadata.k:', 'metadata.k'],
    ['scores.mood:', 'scores.mood'],
    ['has:scores.', 'scores'],
    ['scores.mood:>', undefined],
    ['input:', undefined],
  ])('%s asks for the values of %s', (text, column) => {
    const found = completingAt(text, text.length)
    expect(found && suggestedColumn(found)).toBe(column)
  })
})
