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
/** Whether the value may begin and end within a word; null for operators that select alerts without it. */
const OPEN_ENDS = {
  contains: { start: true, end: true },
  startsWith: { start: false, end: true },
  endsWith: { start: true, end: false },
  equals: { start: false, end: false },
  notContains: null,
  notEquals: null,
} as const;

/** Returns the words of the filters, whole and long ones first. None: no index helps. */
export function wordConditions(filters: readonly TextFilter[]): WordCondition[] {
  const conditions = filters.flatMap(({ operator, value }) => {
    const open = OPEN_ENDS[operator];
    if (open === null) return [];
    const text = value.toLowerCase();
    return [...text.matchAll(WORD)].flatMap(({ 0: word, index }): WordCondition[] => {
      if ([...word].length < MIN_WORD_LENGTH || isLong(word)) return [];
      const beginsBefore = open.start && index === 0;
      const endsAfter = open.end && index + word.length === text.length;
      const part = beginsBefore ? (endsAfter ? 'any' : 'end') : endsAfter ? 'start' : 'whole';
      return [{ text: word, part }];
    });
  });
  const rank = ({ part, text }: WordCondition) => (part === 'whole' ? Infinity : text.length);
  return conditions.toSorted((a, b) => rank(b) - rank(a)).slice(0, MAX_CONDITIONS);
}
