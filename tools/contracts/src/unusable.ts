/** What keeps a run from telling anything: words for the person who started it, and exit code 2. */
export class Unusable extends Error {
  override name = 'Unusable';
}
