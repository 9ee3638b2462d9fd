/** Search parameters are plain strings, as in the API: `?severity=critical,high`. */
export type Search = Record<string, string | undefined>;
