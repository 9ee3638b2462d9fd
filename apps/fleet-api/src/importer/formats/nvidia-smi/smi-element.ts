import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An element of `nvidia-smi -q -x`: its children by name. */
export type SmiElement = { [name: string]: SmiElement | SmiElement[] | string | undefined };

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  isArray: (name) => name === 'gpu' || name === 'process_info',
});

/** @returns the document's root, or why it is none */
export function parseSmiDocument(xml: string): SmiElement | { fault: string } {
  // The driver declares no entities; whoever does wants them to expand.
  if (/<!ENTITY/i.test(xml)) return { fault: 'an entity is declared, which nvidia-smi does not do' };
  const valid = XMLValidator.validate(xml);
  if (valid !== true) return { fault: `not XML: ${valid.err.msg} (line ${valid.err.line} of the document)` };
  const root = (parser.parse(xml) as SmiElement).nvidia_smi_log;
  return typeof root === 'object' && !Array.isArray(root)
    ? root
    : { fault: 'not what nvidia-smi -q -x writes: there is no nvidia_smi_log' };
}

/** The text at a path, or undefined: absent, empty, or one of the ways to say that there is no value. */
export function textAt(element: SmiElement, ...path: string[]): string | undefined {
  let at: SmiElement | SmiElement[] | string | undefined = element;
  for (const name of path) at = typeof at === 'object' && !Array.isArray(at) ? at[name] : undefined;
  const text = typeof at === 'string' ? at.trim() : '';
  return /^(?:\[?(?:N\/A|Not Supported|Unknown Error|Insufficient Permissions|GPU is lost)\]?|ERR!|None|)$/i.test(
    text,
  )
    ? undefined
    : text;
}

/**
 * The number at the first of these paths that has one, without its unit.
 *
 * @returns null where none has: not measured
 */
export function numberAt(element: SmiElement, unit: string, ...paths: string[][]): number | null {
  for (const path of paths) {
    const [, number, given = ''] =
      /^(-?\d+(?:\.\d+)?) ?([A-Za-z%]*)$/.exec(textAt(element, ...path) ?? '') ?? [];
    if (number !== undefined && given === unit) return Number(number);
  }
  return null;
}

export function elementsAt(element: SmiElement, name: string): SmiElement[] {
  const at = element[name];
  return Array.isArray(at) ? at : [];
}
