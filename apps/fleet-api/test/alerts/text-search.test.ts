import { conditionsWorthSearching, type TextRead } from '../../src/api/alerts/text/text-search.ts';
import type { WordCondition } from '../../src/api/alerts/text/word-conditions.ts';

const CONDITION: WordCondition = { parameter: 'word0', text: 'node', part: 'whole' };

/** Returns whether a condition is searched. `hits` is the number of matches among 1,000 sampled alerts. */
function isSearched(hits: number, read: TextRead): boolean {
  const sample = { sampled: 1_000, hits, condition_hits: [hits], words: [0] };
  return conditionsWorthSearching([CONDITION], [sample], read).length === 1;
}

describe('conditionsWorthSearching', () => {
  const later = { inWindow: 1_000_000, selected: 1_000_000, rows: 50, hasTotal: false };
  const first = { ...later, hasTotal: true };

  it('reads a later page in order when the page is full before the matches are found', () => {
    expect(isSearched(0, later)).toBe(true);
    expect(isSearched(8, later)).toBe(false);
  });

  it('finds the matches of a first page by their words, which its total counts', () => {
    expect(isSearched(8, first)).toBe(true);
    expect(isSearched(90, first)).toBe(true);
  });

  it('reads a first page in order when its total could take longer than the page may', () => {
    expect(isSearched(110, first)).toBe(false);
    expect(isSearched(30, { ...first, inWindow: 10_000_000, selected: 10_000_000 })).toBe(false);
  });

  it('compares the few alerts of other filters in place of the many with a word', () => {
    const filtered = { ...first, selected: 2_000 };
    expect(isSearched(0, filtered)).toBe(true);
    expect(isSearched(8, filtered)).toBe(false);
    expect(isSearched(8, { ...filtered, rows: Infinity })).toBe(false);
  });

  it('compares all alerts when more than a third match', () => {
    const counts = { inWindow: 100_000, selected: 100_000, rows: Infinity, hasTotal: true };
    expect(isSearched(320, counts)).toBe(true);
    expect(isSearched(340, counts)).toBe(false);
  });
});
