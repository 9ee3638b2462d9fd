/** Returns the values of a comma list in the URL. */
export function listOf(text: string | undefined): string[] {
  return text?.split(',').filter(Boolean) ?? [];
}

/** Adds or removes a value of a comma list; undefined for an empty one. */
export function toggledList(text: string | undefined, value: string): string | undefined {
  const values = listOf(text);
  const next = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
  return next.length === 0 ? undefined : next.join(',');
}
