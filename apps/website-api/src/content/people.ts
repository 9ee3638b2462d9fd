/** Reads the names of people from front matter: a text, an object with `name`, or a list of both. Undefined for other values. */
export function peopleOf(value: unknown): string[] | undefined {
  const names = [value]
    .flat()
    .map((person) =>
      typeof person === 'object' && person !== null ? (person as { name?: unknown }).name : person,
    );
  if (!names.every((name) => typeof name === 'string' || typeof name === 'number')) return undefined;
  return names.map((name) => plainName(String(name))).filter((name) => name !== '');
}

/** Removes links, as in “[Name](https://…)”, and superfluous separators. */
function plainName(text: string): string {
  return text
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/^\s+|[\s,]+$/g, '');
}
