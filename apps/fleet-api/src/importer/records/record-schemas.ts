import { ALERT_RECORD_SCHEMAS } from './alert-record-schemas.ts';
import { id, type KindSchema, name } from './field-schemas.ts';
import { GPU_RECORD_SCHEMAS } from './gpu-record-schemas.ts';
import { HOST_RECORD_SCHEMAS } from './host-record-schemas.ts';

const attribution = {
  customer_id: id,
  workspace_id: { ...id, type: ['integer', 'null'] },
  api_key_id: { ...id, type: ['integer', 'null'] },
} as const;

/**
 * Kinds of records (JSON Schema, draft 7). Readings that a source does not have are null or absent, never 0. Every record may
 * have its owner; `--customer`, `--workspace` and `--api-key` are the defaults.
 */
export const KIND_SCHEMAS = {
  /** Name of a workspace, for alert details. */
  workspace: {
    required: ['workspace_id', 'name'],
    properties: { workspace_id: attribution.workspace_id, name },
  },
  ...GPU_RECORD_SCHEMAS,
  ...HOST_RECORD_SCHEMAS,
  ...ALERT_RECORD_SCHEMAS,
} as const satisfies Record<string, KindSchema>;

export type RecordKind = keyof typeof KIND_SCHEMAS;
export const RECORD_KINDS = Object.keys(KIND_SCHEMAS) as RecordKind[];

/** Returns the JSON Schema of one kind. Unknown fields are errors, so that no data is lost silently. */
export function schemaOf(kind: RecordKind): object {
  const { required, properties, dependencies } = KIND_SCHEMAS[kind] as KindSchema;
  return {
    type: 'object',
    required: ['kind', ...required],
    additionalProperties: false,
    properties: { kind: { const: kind }, ...attribution, ...properties },
    ...(dependencies === undefined ? {} : { dependencies }),
  };
}
