import { XMLParser, XMLValidator } from 'fast-xml-parser';

/** An XML element: its children by name. */
export type SmiElement = { [name: string]: SmiElement | SmiElement[] | string | undefined };

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  isArray: (name) => name === 'gpu' || name === 'process_info',
});

/** nvidia-smi prints the names of processes as they are. */
const PROCESS_NAME = /(?<=<process_name>).*?(?=<\/process_name>)/gs;
const NO_ENTITY = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-f]+);)/gi;

/** Parses a document. @returns its root element, or a fault */
export function parseSmiDocument(text: string): SmiElement | { fault: string } {
  const xml = text.replace(PROCESS_NAME, (name) =>
    name.replaceAll(NO_ENTITY, '&amp;').replaceAll('<', '&lt;'),
  );
  // The driver declares no entities; a declaration would be an entity expansion attack.
  if (/<!ENTITY/i.test(xml)) return { fault: 'the document declares an entity, which nvidia-smi never does' };
  const valid = XMLValidator.validate(xml);
  if (valid !== true) return { fault: `not XML: ${valid.err.msg} (line ${valid.err.line} of the document)` };
  const root = (parser.parse(xml) as SmiElement).nvidia_smi_log;
  return typeof root === 'object' && !Array.isArray(root)
    ? root
    : { fault: 'not the output of nvidia-smi -q -x: there is no nvidia_smi_log element' };
}

const PLACEHOLDER =
  /^(?:\[?(?:N\/A|Not Supported|Unknown Error|Insufficient Permissions|GPU is lost|GPU requires reset)\]?|ERR!|)$/i;
const UUID_ERROR = /^\[?(?:GPU is lost|GPU requires reset|Unknown Error|ERR!)\]?$/i;
const LOST_UUID = /^\[?(?:GPU is lost|Unknown Error)\]?$/i;
const LOST_READING = /"\[?GPU is lost\]?"/i;
const RESET_READING = /"\[?GPU requires reset\]?"/i;

/** Returns the text at a path, or undefined if it is absent, empty or a placeholder such as N/A. */
export function textAt(element: SmiElement, ...path: string[]): string | undefined {
  const text = rawTextAt(element, path);
  return PLACEHOLDER.test(text) ? undefined : text;
}

/** Returns whether the driver says that it has lost the GPU, in place of its UUID or of a reading. */
export function isLostGpu(gpu: SmiElement): boolean {
  return LOST_UUID.test(rawTextAt(gpu, ['uuid'])) || LOST_READING.test(JSON.stringify(gpu));
}

/** Returns whether the driver has an error in place of the UUID. A board without a UUID has N/A. */
export function hasUuidError(gpu: SmiElement): boolean {
  return UUID_ERROR.test(rawTextAt(gpu, ['uuid']));
}

/** Returns whether the driver says in place of a reading that it requires a reset. */
export function requiresReset(gpu: SmiElement): boolean {
  return RESET_READING.test(JSON.stringify(gpu));
}

function rawTextAt(element: SmiElement, path: string[]): string {
  let at: SmiElement | SmiElement[] | string | undefined = element;
  for (const name of path) at = typeof at === 'object' && !Array.isArray(at) ? at[name] : undefined;
  return typeof at === 'string' ? at.trim() : '';
}

/**
 * Returns the number, without its unit, at the first of these paths that has one.
 *
 * @returns null if none has: not measured
 */
export function numberAt(element: SmiElement, unit: string, ...paths: string[][]): number | null {
  for (const path of paths) {
    const [, number, actualUnit = ''] =
      /^(-?\d+(?:\.\d+)?) ?([A-Za-z%/]*)$/.exec(textAt(element, ...path) ?? '') ?? [];
    if (number !== undefined && actualUnit === unit) return Number(number);
  }
  return null;
}

export function elementsAt(element: SmiElement, name: string): SmiElement[] {
  const at = element[name];
  return Array.isArray(at) ? at : [];
}
