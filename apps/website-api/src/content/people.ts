const FULL_NAMES = ['name', 'display_name', 'displayname', 'full_name', 'fullname', 'author', 'title'];
const HANDLES = ['nickname', 'username', 'handle', 'login', 'github', 'twitter', 'id', 'email'];
/** Longer texts are not names. They are returned as written, so that the length limit applies. */
const MAX_NAME_LENGTH = 2_000;
/** Lists within lists. YAML aliases can make a list that contains itself. */
const MAX_DEPTH = 4;

/**
 * Reads the names of people from front matter: a text, an object, a list of both, or objects by key as in
 * `authors: {ada: {name: Ada}}`. Returns undefined if the value is something else.
 */
export function peopleOf(value: unknown, depth = 0): string[] | undefined {
  if (typeof value === 'string' || typeof value === 'number')
    return [plainName(String(value))].filter((name) => name !== '');
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return allOf(value.map((person) => peopleOf(person, depth + 1)));
  const name = nameOf(value);
  return name === undefined ? allOf(Object.entries(value).map(personByKey)) : [name];
}

function personByKey([key, person]: [string, unknown]): string[] | undefined {
  if (typeof person !== 'object' || person === null || Array.isArray(person)) return undefined;
  return [nameOf(person) ?? plainName(key)];
}

/** Returns undefined if any member is invalid. */
function allOf(people: (string[] | undefined)[]): string[] | undefined {
  return people.every((names) => names !== undefined) ? people.flat() : undefined;
}

/** Returns the full name of a person, or the best handle. */
function nameOf(person: object): string | undefined {
  const values = new Map(Object.entries(person).map(([key, value]) => [key.toLowerCase(), value as unknown]));
  const text = (key: string): string[] => {
    const value = values.get(key);
    return typeof value === 'string' && value.trim() !== '' ? [plainName(value)] : [];
  };
  const parts = [...text('first_name'), ...text('given'), ...text('last_name'), ...text('family')];
  return [
    ...FULL_NAMES.flatMap(text),
    ...(parts.length > 0 ? [parts.join(' ')] : []),
    ...HANDLES.flatMap(text),
  ][0];
}

/** Removes links, as in “[Name](https://…)”, and superfluous separators. */
function plainName(text: string): string {
  if (text.length > MAX_NAME_LENGTH) return text;
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/^\s+|[\s,]+$/g, '');
}
