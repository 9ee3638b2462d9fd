import { describeDifferences } from './differences.ts';
import type { FrozenResponse } from './exchange.ts';

const recorded: FrozenResponse = { status: 200, headers: { vary: 'Origin' }, body: '{"count":1}' };
const differencesOf = (response: FrozenResponse, isWhole = true) =>
  describeDifferences(new Map([['GET /x', response]]), new Map([['GET /x', recorded]]), { isWhole });

describe('describeDifferences', () => {
  it('reports nothing for equal responses', () => {
    expect(differencesOf({ ...recorded })).toEqual([]);
  });

  it.each([
    ['a status', { ...recorded, status: 404 }, 'status: 200 -> 404'],
    ['a changed header', { ...recorded, headers: { vary: 'Accept' } }, 'vary: "Origin" -> "Accept"'],
    ['a missing header', { ...recorded, headers: {} }, 'vary: "Origin" -> none'],
    ['a new header', { ...recorded, headers: { vary: 'Origin', allow: 'GET' } }, 'allow: none -> "GET"'],
    ['a byte of the body', { ...recorded, body: '{"count":2}' }, 'body: at character 9'],
  ])('reports %s', (_what, response, expected) => {
    const [difference, ...others] = differencesOf(response);
    expect(difference).toContain(`GET /x\n  ${expected}`);
    expect(others).toEqual([]);
  });

  it('reports requests that only one side has, recorded ones only for a whole replay', () => {
    const sent = new Map([['GET /new', recorded]]);
    const known = new Map([['GET /x', recorded]]);
    expect(describeDifferences(sent, known, { isWhole: false })).toEqual(['GET /new\n  is not recorded']);
    expect(describeDifferences(sent, known, { isWhole: true })).toHaveLength(2);
  });
});
