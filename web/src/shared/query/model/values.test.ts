import { describe, expect, test } from 'vitest'
import { createQueryLanguage } from './language'
import { chosenValues, excludeValue, includeValue, onlyValue, toggleValue } from './values'

const language = createQueryLanguage(
  (
    [
      ['level', 'level', 'option'],
      ['name', 'name', 'text'],
      ['tags', 'tags', 'list'],
      ['root', 'isRootObservation', 'boolean'],
      ['promptVersion', 'promptVersion', 'number'],
      ['metadata', 'metadata', 'metadata'],
      ['env', 'environment', 'option'],
    ] as const
  ).map(([name, column, kind]) => ({ name, column, kind, about: '' })),
)
const { compileQuery, printQuery } = language

const query = (text: string) => compileQuery(text).query

describe('a press on a value', () => {
  test.each([
    ['', 'level', 'ERROR', 'level:ERROR'],
    ['level:ERROR', 'level', 'WARNING', 'level:(ERROR OR WARNING)'],
    ['level:(ERROR OR WARNING)', 'level', 'ERROR', 'level:WARNING'],
    ['level:ERROR', 'level', 'ERROR', ''],
    ['name:=a refund', 'name', 'b c', 'name:(a OR "b c") refund'],
    ['name:chat', 'name', 'a', 'name:chat name:=a'],
    ['-level:DEBUG', 'level', 'ERROR', '-level:DEBUG level:ERROR'],
    ['tags:a', 'tags', 'b', 'tags:(a OR b)'],
    ['tags:a tags:b', 'tags', 'b', 'tags:a'],
    ['tags:(a OR b) tags:b refund', 'tags', 'b', 'tags:a refund'],
    ['', 'isRootObservation', 'true', 'root:true'],
    ['root:true', 'isRootObservation', 'false', 'root:false'],
    ['root:true', 'isRootObservation', 'true', ''],
    ['', 'promptVersion', '3', 'promptVersion:3'],
    ['', 'metadata.plan', 'pro', 'metadata.plan:=pro'],
    ['metadata.plan:=pro', 'metadata.plan', 'free', 'metadata.plan:=free'],
    ['metadata.plan:=pro', 'metadata.plan', 'pro', ''],
    ['level:ERROR env:a tags:b', 'environment', 'c', 'level:ERROR env:(a OR c) tags:b'],
  ])('%s, %s %s', (before, column, value, after) =>
    expect(printQuery(toggleValue(query(before), column, value, language))).toBe(after),
  )
  test('only this one', () => {
    expect(printQuery(onlyValue(query('level:(A OR B) x'), 'level', 'C', language))).toBe(
      'level:C x',
    )
  })
})

describe('a value of a cell', () => {
  test.each([
    ['', 'name', 'a b', 'name:="a b"'],
    ['name:=a', 'name', 'b', 'name:(a OR b)'],
    ['name:=a', 'name', 'a', 'name:=a'],
    ['-level:DEBUG', 'level', 'DEBUG', 'level:DEBUG'],
    ['-level:(DEBUG OR ERROR)', 'level', 'DEBUG', '-level:ERROR level:DEBUG'],
  ])('%s and %s %s', (before, column, value, after) =>
    expect(printQuery(includeValue(query(before), column, value, language))).toBe(after),
  )
  test.each([
    ['', 'name', 'a b', '-name:="a b"'],
    ['-name:=a', 'name', 'b', '-name:(a OR b)'],
    ['-name:=a', 'name', 'a', '-name:=a'],
    ['level:(ERROR OR DEBUG)', 'level', 'ERROR', 'level:DEBUG -level:ERROR'],
    ['', 'tags', 'x', '-tags:x'],
    ['', 'isRootObservation', 'true', 'root:false'],
    ['', 'promptVersion', '3', '-(promptVersion:3)'],
    ['', 'metadata.plan', 'pro', '-(metadata.plan:=pro)'],
  ])('%s without %s %s', (before, column, value, after) =>
    expect(printQuery(excludeValue(query(before), column, value, language))).toBe(after),
  )
})

test('what is chosen', () => {
  expect(chosenValues(query('level:(ERROR OR WARNING) tags:a'), 'level')).toEqual([
    'ERROR',
    'WARNING',
  ])
  expect(chosenValues(query('-level:ERROR'), 'level')).toEqual([])
  expect(chosenValues(query('name:chat'), 'name')).toEqual([])
  expect(chosenValues(query('root:true'), 'isRootObservation')).toEqual(['true'])
})
