import { GPU_ID_BYTES } from './limits.ts';
import { RECORD_KINDS, schemaOf } from './record-schemas.ts';

/**
 * The NDJSON format as JSON Schema, draft 7 (docs/import-records.schema.json): what a record must look like, whatever is
 * known already. It says of one format, an id's length in bytes, what any validator understands: its length in
 * characters. That a GPU uses no more memory than it has is no schema's to say (`memory-fault.ts`).
 */
export function publishedSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'A line of the NDJSON import of GPU Observatory',
    description: 'docs/importing.md tells what each kind is, and what the importer makes of it.',
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
  const told = format === 'gpu-id' ? { maxLength: GPU_ID_BYTES } : format === undefined ? {} : { format };
  return Object.fromEntries(
    Object.entries({ ...rest, ...told }).map(([name, value]) => [name, plain(value)]),
  );
}
