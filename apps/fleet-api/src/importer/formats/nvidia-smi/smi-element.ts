import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An XML element: its children by name. */
export type SmiElement = { [name: string]: SmiElement | SmiElement[] | string | undefined };

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  isArray: (name) => name === 'gpu' || name === 'process_info',
});

/** Names of processes, which nvidia-smi does not escape. */
const PROCESS_NAME = /(?<=<process_name>).*?(?=<\/process_name>)/gs;
const UNESCAPED_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);)/gi;

/** Parses a document. @returns its root element, or a fault */
export function parseSmiDocument(text: string): { root: SmiElement } | { fault: string } {
  const xml = text.replace(PROCESS_NAME, (name) =>
    name.replaceAll(UNESCAPED_AMPERSAND, '&amp;').replaceAll('<', '&lt;'),
  );
  // The driver declares no entities; a declaration would be an entity expansion attack.
  if (/<!ENTITY/i.test(xml)) return { fault: 'the document declares an entity, which nvidia-smi never does' };
  const valid = XMLValidator.validate(xml);
  if (valid !== true) return { fault: `not XML: ${valid.err.msg} (line ${valid.err.line} of the document)` };
  const root = (parser.parse(xml) as SmiElement).nvidia_smi_log;
  return typeof root === 'object' && !Array.isArray(root)
    ? { root }
    : { fault: 'not the output of nvidia-smi -q -x: there is no nvidia_smi_log element' };
}

/** Texts that the driver prints in place of a missing text or number. */
const PLACEHOLDER =
  /^(?:\[?(?:N\/A|Not Supported|Unknown Error|Insufficient Permissions|GPU is lost|GPU requires reset)\]?|ERR!|)$/i;

/** Returns the text at a path, or undefined if it is absent, empty or a placeholder such as N/A. */
export function textAt(element: SmiElement, ...path: string[]): string | undefined {
  const text = rawTextAt(element, path);
  return PLACEHOLDER.test(text) ? undefined : text;
}

/** Returns the text at a path, which may be a placeholder; empty if it is absent. */
export function rawTextAt(element: SmiElement, path: string[]): string {
  let node: SmiElement | SmiElement[] | string | undefined = element;
  for (const name of path) node = typeof node === 'object' && !Array.isArray(node) ? node[name] : undefined;
  return typeof node === 'string' ? node.trim() : '';
}

const NUMBER = /^(?<number>-?\d+(?:\.\d+)?) ?(?<unit>[A-Za-z%/]*)$/;

/** Returns the first number with this unit at one of the paths; null when none of them has such a number. */
export function numberAt(element: SmiElement, unit: string, ...paths: string[][]): number | null {
  for (const path of paths) {
    const groups = NUMBER.exec(textAt(element, ...path) ?? '')?.groups;
    if (groups !== undefined && groups.unit === unit) return Number(groups.number);
  }
  return null;
}

/** Returns true for Yes at a path, false for No, and null for other texts. */
export function yesOrNoAt(element: SmiElement, ...path: string[]): boolean | null {
  const text = textAt(element, ...path);
  return text === 'Yes' || text === 'No' ? text === 'Yes' : null;
}

/** Returns the child elements of a name that may occur several times: `isArray` of the parser has these names. */
export function elementsAt(element: SmiElement, name: string): SmiElement[] {
  const elements = element[name];
  return Array.isArray(elements) ? elements : [];
}
