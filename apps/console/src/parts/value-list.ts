/** Returns the values of a comma list in the URL, in which a `\` precedes each comma and `\` of a value, as in the API. */
export function listOf(text: string | undefined): string[] {
  const values = [''];
  for (const [part, escaped = part] of (text ?? '').matchAll(/\\(.)|./gsu)) {
    if (part === ',') values.push('');
    else values[values.length - 1] += escaped;
  }
  return values.filter(Boolean);
}

/** Returns a value as it is written in a list. */
export function listed(value: string): string {
  return value.replaceAll(/[\\,]/g, '\\$&');
}

/** Adds or removes a value of a comma list; undefined for an empty one. */
export function toggledList(text: string | undefined, value: string): string | undefined {
  const values = listOf(text);
  const next = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
  return next.length === 0 ? undefined : next.map(listed).join(',');
}
