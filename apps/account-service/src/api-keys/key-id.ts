import { MAX_ID, parsePositiveInteger } from '@gpu-observatory/domain-types';
import { accountErrors, DomainError, echo } from '@gpu-observatory/service-runtime/process';

/** Parameter of a path, in the OpenAPI document. */
export const KEY_ID = {
  name: 'key_id',
  schema: { type: 'integer', minimum: 1 },
  description: 'Id from the key list.',
} as const;

/** @throws {DomainError} 400 */
export function parseKeyId(text: string): number {
  const id = parsePositiveInteger(text);
  if (id !== null) return id;
  throw new DomainError(
    accountErrors.invalidRequest,
    `key_id must be an integer from 1, got "${echo(text)}".`,
  );
}

/** Returns an id for a statement: 0, which no row has, for one above the range of the column. */
export const storedId = (id: number): number => (id > MAX_ID ? 0 : id);
