import { readFileSync } from 'node:fs';
import { ConfigurationError } from '@gpu-observatory/service-runtime/process';
import { parse, YAMLParseError } from 'yaml';
import type { z } from 'zod';

/**
 * Reads a YAML (or JSON) table, built-in or from an operator.
 *
 * @param name name of the option or variable with the path, for error messages
 * @throws {ConfigurationError} with the file and each invalid entry
 */
export function readTableFile<Table>(file: string | URL, schema: z.ZodType<Table>, name: string): Table {
  const errorOf = (reason: string) =>
    new ConfigurationError(`${name} (${file instanceof URL ? file.pathname : file}) ${reason}`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw errorOf(`cannot be read: ${(error as NodeJS.ErrnoException).code}`);
  }
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw errorOf(`is not YAML: ${error instanceof YAMLParseError ? error.message : String(error)}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => {
    // The message for an invalid key is nested in the issue of its map.
    const { message } = issue.code === 'invalid_key' ? (issue.issues[0] ?? issue) : issue;
    return `  ${issue.path.join(' → ') || 'the file'}: ${message}`;
  });
  throw errorOf(`is not valid:\n${errors.join('\n')}`);
}
