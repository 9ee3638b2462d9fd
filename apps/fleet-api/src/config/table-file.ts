import { readFileSync } from 'node:fs';
import { ConfigurationError } from '@gpu-observatory/service-runtime';
import { parse, YAMLParseError } from 'yaml';
import type { z } from 'zod';

/**
 * Reads a table that is kept as data, in YAML (of which JSON is a part): one that ships, or an operator's own.
 *
 * @param name what the operator called it by: an option or a variable
 * @throws {ConfigurationError} naming the file, each entry at fault, and what would be right there
 */
export function readTableFile<Table>(file: string | URL, schema: z.ZodType<Table>, name: string): Table {
  const refuse = (reason: string) => {
    throw new ConfigurationError(`${name} (${file instanceof URL ? file.pathname : file}) ${reason}`);
  };
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (failure) {
    refuse(`cannot be read: ${(failure as NodeJS.ErrnoException).code}`);
  }
  let value: unknown;
  try {
    value = parse(text);
  } catch (failure) {
    refuse(`is not YAML: ${failure instanceof YAMLParseError ? failure.message : String(failure)}`);
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const faults = read.error.issues.map((issue) => {
    // What is wrong with a key is told of the key.
    const { message } = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue;
    return `  ${issue.path.join(' → ') || 'the file'}: ${message}`;
  });
  return refuse(`is not valid:\n${faults.join('\n')}`) as never;
}
