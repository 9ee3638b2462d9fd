import { crc32 } from 'node:zlib';

// Words of the texts of an alert, for the index of text filters (docs/decisions/alert-queries.md#text-filters). Importer and API
// split texts in the same way, so that every alert that contains a text has its words.

/** Minimum length of an indexed word, in code points. Shorter words are in too many alerts to be worth an index entry. */
export const MIN_WORD_LENGTH = 3;
/** A run of letters and digits in lower case. */
const INDEXED_WORD = new RegExp(`[\\p{L}\\p{N}]{${MIN_WORD_LENGTH},}`, 'gu');
/** Longer words are indexed only with the key of `LONG_WORD`, because the size of an index entry is limited. */
const MAX_WORD_LENGTH = 100;
/** Replaces all long words. It contains spaces, so it is not a word of any text. */
const LONG_WORD = 'a long word';
const TRIGRAM_LENGTH = 3;

/** Returns the words of a text in lower case. A word may repeat. */
export function wordsOf(text: string): string[] {
  const words: string[] = text.toLowerCase().match(INDEXED_WORD) ?? [];
  return words.some(isLong) ? words.map((word) => (isLong(word) ? LONG_WORD : word)) : words;
}

export const isLong = (word: string) => word.length > MAX_WORD_LENGTH;

/** Returns the index key of a word of a customer. Two words may share a key, so filters also compare the texts. */
export function wordKey(customerId: number, word: string): number {
  return crc32(`${customerId} ${word}`) | 0;
}

/** Returns the key of alerts with words that are too long to be indexed. */
export const longWordKey = (customerId: number) => wordKey(customerId, LONG_WORD);

/**
 * Returns the index keys of all trigrams of a word.
 *
 * @param known cache of the keys of the customer's trigrams
 */
export function trigramKeys(customerId: number, word: string, known = new Map<string, number>()): number[] {
  const keys = new Set<number>();
  for (let at = 0; at + TRIGRAM_LENGTH <= word.length; at++) {
    const trigram = word.slice(at, at + TRIGRAM_LENGTH);
    let key = known.get(trigram);
    if (key === undefined) {
      key = wordKey(customerId, trigram);
      known.set(trigram, key);
    }
    keys.add(key);
  }
  return [...keys];
}
