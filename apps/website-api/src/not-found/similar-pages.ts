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
  const wanted = normalizePath(path);
  return pages
    .map((page) => ({ page, score: similarity(wanted, normalizePath(page.path)) }))
    .filter((candidate) => candidate.score >= MIN_SIMILARITY)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ page }) => page);
}

/** Returns the higher of two scores: how much of the longer path the shorter one covers, and shared bigrams. */
function similarity(wanted: string, page: string): number {
  const [short, long] = [wanted, page].map((words) => words.replaceAll(' ', '')) as [string, string];
  const isPart = short.length >= MIN_PART_LENGTH && long.includes(short);
  const asPart = isPart ? MIN_SIMILARITY + (1 - MIN_SIMILARITY) * (short.length / long.length) : 0;
  return Math.max(asPart, diceCoefficient(bigrams(wanted), bigrams(page)));
}

/** Dice's coefficient of two lists of bigrams, from 0 to 1. */
function diceCoefficient(one: string[], other: string[]): number {
  const left = [...other];
  let shared = 0;
  for (const pair of one) {
    const at = left.indexOf(pair);
    if (at < 0) continue;
    left.splice(at, 1);
    shared += 1;
  }
  return one.length + other.length === 0 ? 0 : (2 * shared) / (one.length + other.length);
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
