import type { ErrorObject } from 'ajv';
import { gpuId } from './field-schemas.ts';
import { GPU_ID_BYTES } from './limits.ts';

/** Texts that replace those of Ajv, by the format or pattern that a field violates. */
const EXPECTED: Record<string, string> = {
  'date-time': 'must be an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z',
  'id-bytes': `must be at most ${GPU_ID_BYTES} bytes long`,
  [gpuId.pattern]: 'must be GPU-… or host|pci|guest, not for example a bare PCIe address',
};

/** Returns the reason that a record does not match its schema, with the path of the field. */
export function schemaFault(error: ErrorObject | undefined): string {
  if (!error) return 'does not match the schema';
  const { keyword } = error;
  const params = error.params as Record<string, unknown>;
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  if (keyword === 'additionalProperties')
    return `${path ? `${path}.` : ''}${String(params.additionalProperty)} is not a field of this kind`;
  if (keyword === 'dependencies')
    return `${String(params.property)} and ${String(params.missingProperty)} must be present together`;
  const expected =
    keyword === 'enum'
      ? `must be one of ${(params.allowedValues as string[]).join(', ')}`
      : EXPECTED[String(params.format ?? params.pattern)];
  return `${path ? `${path} ` : ''}${expected ?? error.message ?? 'does not match the schema'}`;
}
