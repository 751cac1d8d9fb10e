import { expect, test } from 'vitest'
import { connectionProblems, connectionRequest, emptyConnection } from './connection'

const values = { ...emptyConnection, provider: ' openai ', secretKey: 'sk' }

test('a request has what the form says, and defaults for the rest', () => {
  expect(connectionRequest(values)).toEqual({
    provider: 'openai',
    adapter: 'openai',
    secretKey: 'sk',
    baseURL: null,
    customModels: [],
    withDefaultModels: true,
    extraHeaders: null,
    config: null,
  })
  expect(
    connectionRequest({
      ...values,
      adapter: 'bedrock',
      region: 'eu-central-1',
      customModels: 'a\n\n b ',
      extraHeaders: 'X-Team: travel:1',
    }),
  ).toMatchObject({
    config: { region: 'eu-central-1' },
    customModels: ['a', 'b'],
    extraHeaders: { 'X-Team': 'travel:1' },
  })
})

test('problems are named', () => {
  expect(connectionProblems(values)).toEqual({})
  expect(connectionProblems(emptyConnection)).toMatchObject({
    provider: 'Enter a name',
    secretKey: 'Enter the secret key',
  })
  expect(connectionProblems({ ...values, adapter: 'azure' }).baseURL).toBe(
    'Enter the address of the resource',
  )
  expect(connectionProblems({ ...values, baseURL: 'javascript:1' }).baseURL).toBe(
    'Enter a web address, such as https://api.example.com',
  )
  expect(connectionProblems({ ...values, adapter: 'bedrock' }).region).toBe('Enter the region')
  expect(connectionProblems({ ...values, extraHeaders: 'no header' }).extraHeaders).toBe(
    'One header per line, such as X-Team: travel',
  )
})
