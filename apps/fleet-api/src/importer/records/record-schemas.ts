import { ALERT_RECORD_SCHEMAS } from './alert-record-schemas.ts';
import { id, type KindSchema, name } from './field-schemas.ts';
import { GPU_RECORD_SCHEMAS } from './gpu-record-schemas.ts';
import { HOST_RECORD_SCHEMAS } from './host-record-schemas.ts';

/**
 * The general door into the fleet schema: one JSON object a line, of one of these kinds (JSON Schema, draft 7 subset
 * that Ajv compiles). Readings that a source does not have are null or left out; nothing is ever guessed as zero.
 * Every record may say whom it belongs to; what it leaves out comes from the command's `--customer`, `--workspace`
 * and `--api-key`.
 */
export const KIND_SCHEMAS = {
  /** The name that alert details show for a workspace. */
  workspace: { required: ['workspace_id', 'name'], properties: { name } },
  ...GPU_RECORD_SCHEMAS,
  ...HOST_RECORD_SCHEMAS,
  ...ALERT_RECORD_SCHEMAS,
} as const satisfies Record<string, KindSchema>;

const attribution = {
  customer_id: id,
  workspace_id: { ...id, type: ['integer', 'null'] },
  api_key_id: { ...id, type: ['integer', 'null'] },
};

export type RecordKind = keyof typeof KIND_SCHEMAS;
export const RECORD_KINDS = Object.keys(KIND_SCHEMAS) as RecordKind[];

/** The whole JSON Schema of one kind: a field nobody knows is an error, not a field that is silently lost. */
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
