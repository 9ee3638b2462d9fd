import type { Root } from 'mdast';
import { toString } from 'mdast-util-to-string';

const WORDS_A_MINUTE = 220;
/** Chinese and Japanese put no blanks between words; a character takes about this long. */
const CHARACTERS_A_MINUTE = 450;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const EXCERPT_LENGTH = 220;

/** How long a text takes to read, in whole minutes from 1. */
export function readingMinutes(text: string): number {
  const characters = text.match(UNSPACED)?.length ?? 0;
  const words = text.replace(UNSPACED, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return Math.max(1, Math.round(words / WORDS_A_MINUTE + characters / CHARACTERS_A_MINUTE));
}

/** The beginning of the first paragraph that has words, cut between two of them. */
export function excerptOf(tree: Root): string | undefined {
  const paragraph = tree.children.find((node) => node.type === 'paragraph' && toString(node).trim() !== '');
  const text = paragraph && toString(paragraph, { includeHtml: false }).replace(/\s+/g, ' ').trim();
  if (text === undefined || text.length <= EXCERPT_LENGTH) return text;
  const cut = text.slice(0, EXCERPT_LENGTH);
  const atWord = cut.lastIndexOf(' ') > EXCERPT_LENGTH / 2 ? cut.slice(0, cut.lastIndexOf(' ')) : cut;
  return `${atWord.replace(/[\s,;:.–-]+$/u, '')}…`;
}
