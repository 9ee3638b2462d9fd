/** A page that somebody may have meant. */
export interface KnownPage {
  path: string;
  title: string;
}

const MAX_SUGGESTIONS = 3;
/** Of 1; below this, two paths have little more in common than being paths. */
const LIKE_ENOUGH = 0.45;
/** Less of a name than this is in too many. */
const SHORTEST_PART = 3;
/** Nobody types a longer one; comparing it would only cost time. */
const MAX_PATH_LENGTH = 200;

/** The pages whose paths are most like one that does not exist, the likest first. */
export function nearestPages(path: string, pages: KnownPage[]): KnownPage[] {
  if (path.length > MAX_PATH_LENGTH) return [];
  const wanted = wordsOf(path);
  return pages
    .map((page) => ({ page, likeness: likenessOf(wanted, wordsOf(page.path)) }))
    .filter((candidate) => candidate.likeness >= LIKE_ENOUGH)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ page }) => page);
}

/** Whether one is the other’s beginning or part, as somebody shortens a long address, or how many letters they share. */
function likenessOf(wanted: string, page: string): number {
  const [short, long] = [wanted, page].map((words) => words.replaceAll(' ', '')) as [string, string];
  const isPart = short.length >= SHORTEST_PART && long.includes(short);
  const asPart = isPart ? LIKE_ENOUGH + (1 - LIKE_ENOUGH) * (short.length / long.length) : 0;
  return Math.max(asPart, sharedPairs(pairsOf(wanted), pairsOf(page)));
}

/** How many pairs of neighbouring letters two words share, of all they have (Dice's coefficient). */
function sharedPairs(one: string[], other: string[]): number {
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

/** What sets pages apart is what is left without the folder that most posts are in and the ending of a twin. */
function wordsOf(path: string): string {
  return decode(path)
    .toLowerCase()
    .replace(/\.(md|html?|php)$/, '')
    .replace(/^\/(blog|posts?|articles?|news|research)\/(?=.)/, '/')
    .replace(/\d{4}\/(\d{2}\/){0,2}/, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function pairsOf(letters: string): string[] {
  return [...` ${letters} `].slice(0, -1).map((letter, index) => letter + ` ${letters} `[index + 1]);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
