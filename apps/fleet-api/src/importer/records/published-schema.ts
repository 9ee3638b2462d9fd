import { GPU_ID_BYTES } from './limits.ts';
import { RECORD_KINDS, schemaOf } from './record-schemas.ts';

/**
 * Returns the NDJSON format as JSON Schema, draft 7 (docs/import-records.schema.json). The length of an id is limited in
 * characters there, and in bytes by the importer. The schema cannot express that a GPU uses no more memory than it has
 * (`memory-fault.ts`).
 */
export function publishedSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A line of the NDJSON import format of GPU Observatory',
    description: 'docs/importing.md describes each kind.',
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: RECORD_KINDS } },
    allOf: RECORD_KINDS.map((kind) => ({
      if: { properties: { kind: { const: kind } } },
      then: { $ref: `#/definitions/${kind}` },
    })),
    definitions: Object.fromEntries(RECORD_KINDS.map((kind) => [kind, plain(schemaOf(kind))])),
  };
}

function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { format, ...rest } = schema as { format?: unknown };
  const replacement =
    format === 'id-bytes' ? { maxLength: GPU_ID_BYTES } : format === undefined ? {} : { format };
  return Object.fromEntries(
    Object.entries({ ...rest, ...replacement }).map(([name, value]) => [name, plain(value)]),
  );
}
