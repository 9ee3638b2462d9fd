import fc from 'fast-check';
import { wordConditions, type WordCondition } from '../../src/api/alerts/text/word-conditions.ts';
import { longWordKey, trigramKeys, wordKey, wordsOf } from '../../src/model/alerts/alert-words.ts';

const CUSTOMER = 7;
const conditionsOf = (operator: string, value: string) =>
  wordConditions([{ fields: ['title'], operator, value } as never]).map(
    ({ part, text }) => `${part} ${text}`,
  );

describe('the words of a text filter', () => {
  it.each([
    ['contains', 'Shell in Container', ['start container', 'end shell']],
    ['contains', 'miner', ['any miner']],
    ['contains', '-miner-', ['whole miner']],
    ['startsWith', 'gpu7 shell', ['whole gpu7', 'start shell']],
    ['endsWith', 'gpu7 shell', ['whole shell', 'end gpu7']],
    ['equals', 'XID 79: fallen', ['whole xid', 'whole fallen']],
    ['contains', 'ab', []],
    ['contains', '温度', []],
    ['contains', '温度センサー', ['any 温度センサー']],
    ['contains', 'x'.repeat(101), []],
    ['notContains', 'miner', []],
    ['notEquals', 'miner', []],
  ])('%s "%s" are complete inside of the value and may go on at its open ends', (operator, value, words) => {
    expect(conditionsOf(operator, value)).toEqual(words);
  });
});

/** Texts of which one often contains another: words of few letters, with separators, scripts, long words. */
const piece = fc.constantFrom(
  'ab',
  'abc',
  'abcab',
  'Gpu7',
  ' ',
  '-',
  '_',
  'ß',
  'İ',
  'Σ',
  '温度計',
  '🌡',
  '042',
  'x'.repeat(101),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const OPERATORS = {
  contains: (whole: string, part: string) => whole.includes(part),
  startsWith: (whole: string, part: string) => whole.startsWith(part),
  endsWith: (whole: string, part: string) => whole.endsWith(part),
  equals: (whole: string, part: string) => whole === part,
};

function satisfies({ text, part }: WordCondition, words: readonly string[]): boolean {
  const compare = {
    whole: (word: string) => word === text,
    start: (word: string) => word.startsWith(text),
    end: (word: string) => word.endsWith(text),
    any: (word: string) => word.includes(text),
  }[part];
  return words.some(compare);
}

test('every text that a filter selects has its words, or a long word', () => {
  const long = longWordKey(CUSTOMER);
  let selected = 0;
  fc.assert(
    fc.property(
      text,
      text,
      fc.nat(),
      fc.nat(),
      fc.constantFrom('contains', 'startsWith', 'endsWith', 'equals'),
      (whole, other, from, length, operator) => {
        const lower = whole.toLowerCase();
        const start = from % (lower.length + 1);
        // Half of the values are parts of the text.
        const value = length % 2 === 0 ? other.toLowerCase() : lower.slice(start, start + (length % 12));
        if (!value.isWellFormed() || !OPERATORS[operator](lower, value.toLowerCase())) return;
        selected += 1;
        const words = wordsOf(whole);
        const hasLong = words.some((word) => wordKey(CUSTOMER, word) === long);
        for (const condition of wordConditions([{ fields: ['title'], operator, value }])) {
          expect(hasLong || satisfies(condition, words)).toBe(true);
          // The dictionary finds the word by the trigrams of its part.
          for (const word of words.filter((one) => satisfies(condition, [one]))) {
            expect(trigramKeys(CUSTOMER, word)).toEqual(
              expect.arrayContaining(trigramKeys(CUSTOMER, condition.text)),
            );
          }
        }
      },
    ),
    { numRuns: 20_000 },
  );
  expect(selected).toBeGreaterThan(2_000);
});

it('gives each customer keys of its own', () => {
  expect(wordKey(1, 'miner')).not.toBe(wordKey(2, 'miner'));
});
