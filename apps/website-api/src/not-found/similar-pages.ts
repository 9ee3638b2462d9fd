import { decodePath } from '../content/former-paths.ts';

export interface PageLink {
  path: string;
  title: string;
}

const MAX_SUGGESTIONS = 3;
/** From 0 to 1. Below this, two paths have little in common. */
const MIN_SIMILARITY = 0.45;
/** Shorter parts occur in too many paths. */
const MIN_PART_LENGTH = 3;
/** Limits the cost of the comparison; real paths are shorter. */
const MAX_PATH_LENGTH = 200;

/** A path prepared for comparison. */
interface ComparedPath {
  /** Words without the spaces between them. */
  letters: string;
  /** Number of occurrences of each pair of adjacent characters. */
  bigrams: ReadonlyMap<string, number>;
  bigramCount: number;
  numbers: readonly string[];
}

/** Prepared paths of pages. A 404 compares all pages, so preparing them each time would be expensive. */
const preparedPages = new WeakMap<PageLink, ComparedPath>();

/** Returns the pages whose paths are most similar to an unknown path, best match first. */
export function similarPages(path: string, pages: PageLink[]): PageLink[] {
  if (path.length > MAX_PATH_LENGTH) return [];
  const requested = preparePath(path);
  return pages
    .map((page) => ({ page, score: similarity(requested, preparePage(page)) }))
    .filter((candidate) => candidate.score >= MIN_SIMILARITY)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ page }) => page);
}

function preparePage(page: PageLink): ComparedPath {
  const prepared = preparedPages.get(page) ?? preparePath(page.path);
  preparedPages.set(page, prepared);
  return prepared;
}

function preparePath(path: string): ComparedPath {
  const words = normalizePath(path);
  const characters = [...` ${words} `];
  const bigrams = new Map<string, number>();
  for (const [index, character] of characters.slice(0, -1).entries()) {
    const pair = character + characters[index + 1];
    bigrams.set(pair, (bigrams.get(pair) ?? 0) + 1);
  }
  return {
    letters: words.replaceAll(' ', ''),
    bigrams,
    bigramCount: characters.length - 1,
    numbers: words.match(/\d+/g) ?? [],
  };
}

/** Returns the higher of two scores: how much of the longer path the shorter one covers, and shared bigrams. */
function similarity(requested: ComparedPath, page: ComparedPath): number {
  // Xid 78 and Xid 79 are different subjects, although their paths differ in one character.
  if (haveOtherNumbers(requested, page)) return 0;
  const [short, long] = [requested.letters, page.letters];
  const isPart = short.length >= MIN_PART_LENGTH && long.includes(short);
  const asPart = isPart ? MIN_SIMILARITY + (1 - MIN_SIMILARITY) * (short.length / long.length) : 0;
  return Math.max(asPart, diceCoefficient(requested, page));
}

const haveOtherNumbers = ({ numbers: a }: ComparedPath, { numbers: b }: ComparedPath): boolean =>
  a.length > 0 && b.length > 0 && !a.some((number) => b.includes(number));

/** Dice's coefficient of the bigrams of two paths, from 0 to 1. */
function diceCoefficient(a: ComparedPath, b: ComparedPath): number {
  let shared = 0;
  for (const [pair, count] of a.bigrams) shared += Math.min(count, b.bigrams.get(pair) ?? 0);
  return (2 * shared) / (a.bigramCount + b.bigramCount);
}

/** Strips what many paths share: the folder of posts, dates and file name extensions. */
function normalizePath(path: string): string {
  return decodePath(path)
    .toLowerCase()
    .replace(/\.(md|html?|php)$/, '')
    .replace(/^\/(blog|posts?|articles?|news|research)\/(?=.)/, '/')
    .replace(/\d{4}\/(\d{2}\/){0,2}/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
