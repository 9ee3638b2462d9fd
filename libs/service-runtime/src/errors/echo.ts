/** Longest text of a request that an error message repeats, in characters. */
const MAX_LENGTH = 100;
/** Largest number of names of a request that an error message repeats. */
const MAX_NAMES = 10;

/** Returns a text of the request for an error message, cut where it is long. */
export function echo(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text;
}

/** Returns names of the request for an error message, such as "a, b"; cut where they are long or many. */
export function echoNames(names: readonly string[]): string {
  const hidden = names.length - MAX_NAMES;
  return [...names.slice(0, MAX_NAMES).map(echo), ...(hidden > 0 ? [`${hidden} more`] : [])].join(', ');
}
