/** Search parameters are plain strings, as in the API: `?severity=critical,high`. */
export type Search = Record<string, string | undefined>;

/** Returns the search without these parameters. */
export function withoutParameters(search: Search, names: readonly string[]): Search {
  return { ...search, ...Object.fromEntries(names.map((name) => [name, undefined])) };
}
