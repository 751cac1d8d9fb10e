import { beforeEach, expect, test } from 'vitest'
import { findUnsent, forgetDrafts, keepDrafts, keepUnsent, takeUpDrafts } from './drafts'
import { endSessionState, hasSessionEnded, leaveSession, noteSession } from './sessionState'

beforeEach(forgetDrafts)

test('what was not sent when the session ended is there again for the same user', () => {
  keepUnsent('comment', { text: 'a thought' })
  keepDrafts('ada')
  endSessionState()
  expect(findUnsent('comment')).toBeUndefined()
  takeUpDrafts('ada')
  expect(findUnsent('comment')).toEqual({ text: 'a thought' })
  expect(sessionStorage.getItem('almanac-drafts')).toBeNull()
})

test('nobody else gets it', () => {
  keepUnsent('comment', { text: 'a thought' })
  keepDrafts('ada')
  endSessionState()
  takeUpDrafts('grace')
  takeUpDrafts('ada')
  expect(findUnsent('comment')).toBeUndefined()
})

test('what was sent is not there again', () => {
  keepUnsent('comment', { text: 'a thought' })
  keepUnsent('comment', undefined)
  keepDrafts('ada')
  endSessionState()
  takeUpDrafts('ada')
  expect(findUnsent('comment')).toBeUndefined()
})

test('a session that its user left has not ended by itself', () => {
  noteSession(true)
  leaveSession()
  noteSession(false)
  expect(hasSessionEnded()).toBe(false)
  noteSession(true)
  noteSession(false)
  expect(hasSessionEnded()).toBe(true)
  noteSession(true)
  expect(hasSessionEnded()).toBe(false)
})
