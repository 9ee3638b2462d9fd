import { GPU_ID_BYTES } from './limits.ts';
import { RECORD_KINDS, schemaOf } from './record-schemas.ts';

/**
 * Returns the NDJSON format as JSON Schema, draft 7 (docs/import-records.schema.json). It limits the length of an id in characters,
 * the importer in bytes. The schema cannot express that used memory must not exceed total memory (`memory-fault.ts`).
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
    definitions: Object.fromEntries(RECORD_KINDS.map((kind) => [kind, withStandardFormats(schemaOf(kind))])),
  };
}

/** Replaces the custom format `id-bytes` by `maxLength` in a schema and the schemas within it. */
function withStandardFormats(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withStandardFormats);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { format, ...rest } = schema as { format?: unknown };
  if (format === 'id-bytes') return withStandardFormats({ ...rest, maxLength: GPU_ID_BYTES });
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, withStandardFormats(value)]),
  );
}
