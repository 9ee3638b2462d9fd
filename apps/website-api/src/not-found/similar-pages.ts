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

/** Returns the pages whose paths are most similar to an unknown path, best match first. */
export function similarPages(path: string, pages: PageLink[]): PageLink[] {
  if (path.length > MAX_PATH_LENGTH) return [];
  const requested = normalizePath(path);
  return pages
    .map((page) => ({ page, score: similarity(requested, normalizePath(page.path)) }))
    .filter((candidate) => candidate.score >= MIN_SIMILARITY)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ page }) => page);
}

/** Returns the higher of two scores: how much of the longer path the shorter one covers, and shared bigrams. */
function similarity(requested: string, page: string): number {
  const [short, long] = [requested, page].map((words) => words.replaceAll(' ', '')) as [string, string];
  const isPart = short.length >= MIN_PART_LENGTH && long.includes(short);
  const asPart = isPart ? MIN_SIMILARITY + (1 - MIN_SIMILARITY) * (short.length / long.length) : 0;
  return Math.max(asPart, diceCoefficient(bigrams(requested), bigrams(page)));
}

/** Dice's coefficient of two lists of bigrams, from 0 to 1. */
function diceCoefficient(a: string[], b: string[]): number {
  const unmatched = [...b];
  let shared = 0;
  for (const pair of a) {
    const at = unmatched.indexOf(pair);
    if (at < 0) continue;
    unmatched.splice(at, 1);
    shared += 1;
  }
  return a.length + b.length === 0 ? 0 : (2 * shared) / (a.length + b.length);
}

/** Strips what many paths share: the folder of posts, dates and file name extensions. */
function normalizePath(path: string): string {
  return decode(path)
    .toLowerCase()
    .replace(/\.(md|html?|php)$/, '')
    .replace(/^\/(blog|posts?|articles?|news|research)\/(?=.)/, '/')
    .replace(/\d{4}\/(\d{2}\/){0,2}/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function bigrams(letters: string): string[] {
  return [...` ${letters} `].slice(0, -1).map((letter, index) => letter + ` ${letters} `[index + 1]);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
