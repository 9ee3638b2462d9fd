const WORDS_PER_MINUTE = 220;
/** For Chinese and Japanese, which do not separate words. */
const CHARACTERS_PER_MINUTE = 450;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Estimates the reading time in whole minutes, at least 1. */
export function readingMinutes(text: string): number {
  const characters = text.match(UNSPACED)?.length ?? 0;
  const words = text.replace(UNSPACED, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / WORDS_PER_MINUTE + characters / CHARACTERS_PER_MINUTE));
}
