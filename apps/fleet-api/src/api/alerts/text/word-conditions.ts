import { isLong, MIN_WORD_LENGTH } from '../../../model/alerts/alert-words.ts';
import type { TextFilter } from '../filters/alert-filters.ts';

/** A word, or a part of a word, that every alert selected by a text filter contains. */
export interface WordCondition {
  /** Name of the parameter with the text, without the colon. */
  parameter: string;
  /** In lower case. */
  text: string;
  /** Position of the text in the word. */
  part: 'whole' | 'start' | 'end' | 'any';
}

type UnnamedCondition = Omit<WordCondition, 'parameter'>;

const WORD = /[\p{L}\p{N}]+/gu;
/** Maximum number of conditions: more words rarely select fewer alerts. */
const MAX_CONDITIONS = 4;
/** Whether a matching text may have more characters before and after the value; null for negated operators. */
const CONTINUES = {
  contains: { before: true, after: true },
  startsWith: { before: false, after: true },
  endsWith: { before: true, after: false },
  equals: { before: false, after: false },
  notContains: null,
  notEquals: null,
} as const;

/** Returns the conditions of the filters, whole and long words first; empty if the word index serves no filter. */
export function wordConditions(filters: readonly TextFilter[]): WordCondition[] {
  const conditions = filters.flatMap(({ operator, value }) => {
    const continues = CONTINUES[operator];
    if (continues === null) return [];
    const text = value.toLowerCase();
    return [...text.matchAll(WORD)].flatMap(({ 0: word, index }): UnnamedCondition[] => {
      if ([...word].length < MIN_WORD_LENGTH || isLong(word)) return [];
      // At an open end of the value, the word may be longer in the alert.
      const isOpenBefore = continues.before && index === 0;
      const isOpenAfter = continues.after && index + word.length === text.length;
      return [{ text: word, part: partOfWord(isOpenBefore, isOpenAfter) }];
    });
  });
  const rank = ({ part, text }: UnnamedCondition) => (part === 'whole' ? Infinity : text.length);
  const first = conditions.toSorted((a, b) => rank(b) - rank(a)).slice(0, MAX_CONDITIONS);
  return first.map((condition, n) => ({ parameter: `word${n}`, ...condition }));
}

function partOfWord(isOpenBefore: boolean, isOpenAfter: boolean): WordCondition['part'] {
  if (isOpenBefore && isOpenAfter) return 'any';
  if (isOpenBefore) return 'end';
  return isOpenAfter ? 'start' : 'whole';
}
