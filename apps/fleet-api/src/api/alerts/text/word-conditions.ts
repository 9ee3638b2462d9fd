import { isLong, MIN_WORD_LENGTH } from '../../../model/alerts/alert-words.ts';
import type { TextFilter } from '../filters/alert-filters.ts';

/** A word, or a part of one, in every alert that a text filter selects. */
export interface WordCondition {
  text: string;
  part: 'whole' | 'start' | 'end' | 'any';
}

const WORD = /[\p{L}\p{N}]+/gu;
/** More words rarely select fewer alerts. */
const MAX_CONDITIONS = 4;
/** Whether a text may have more characters before and after the value; null for operators that select texts without it. */
const CONTINUES = {
  contains: { before: true, after: true },
  startsWith: { before: false, after: true },
  endsWith: { before: true, after: false },
  equals: { before: false, after: false },
  notContains: null,
  notEquals: null,
} as const;

/** Returns the words of the filters, whole and long ones first. Without any, no index serves the filters. */
export function wordConditions(filters: readonly TextFilter[]): WordCondition[] {
  const conditions = filters.flatMap(({ operator, value }) => {
    const continues = CONTINUES[operator];
    if (continues === null) return [];
    const text = value.toLowerCase();
    return [...text.matchAll(WORD)].flatMap(({ 0: word, index }): WordCondition[] => {
      if ([...word].length < MIN_WORD_LENGTH || isLong(word)) return [];
      const beginsBefore = continues.before && index === 0;
      const endsAfter = continues.after && index + word.length === text.length;
      return [{ text: word, part: partOf(beginsBefore, endsAfter) }];
    });
  });
  const rank = ({ part, text }: WordCondition) => (part === 'whole' ? Infinity : text.length);
  return conditions.toSorted((a, b) => rank(b) - rank(a)).slice(0, MAX_CONDITIONS);
}

function partOf(beginsBefore: boolean, endsAfter: boolean): WordCondition['part'] {
  if (beginsBefore && endsAfter) return 'any';
  if (beginsBefore) return 'end';
  return endsAfter ? 'start' : 'whole';
}
