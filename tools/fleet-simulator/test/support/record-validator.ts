import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';

/** A parsed record. `kind` determines the other fields. */
export interface AnyRecord {
  kind: string;
  customer_id: number;
  [field: string]: unknown;
}

/**
 * Compiles a validator from the record schemas of the importer.
 *
 * @returns a function that returns the error of a record, empty for a valid one
 */
export async function recordValidator(): Promise<(record: AnyRecord) => string> {
  // The schemas have no package: only the importer validates records.
  const { RECORD_KINDS, schemaOf } =
    // oxlint-disable-next-line no-restricted-imports
    await import('../../../../apps/fleet-api/src/importer/records/record-schemas.ts');
  // Looking up globals is slow in Jest's sandbox, and validators use these for every number.
  const process = (code: string) => `const { isNaN, isFinite } = globalThis;${code}`;
  const ajv = new Ajv({ allowUnionTypes: true, code: { process } });
  addFormatsModule.default(ajv);
  // Custom format of the importer: the size limit of an index entry.
  ajv.addFormat('id-bytes', (text: string) => Buffer.byteLength(text) <= 1_000);
  const validators = new Map<string, ReturnType<typeof ajv.compile>>(
    RECORD_KINDS.map((kind) => [kind, ajv.compile(schemaOf(kind))]),
  );
  return (record) => {
    const validate = validators.get(record.kind);
    if (!validate) return `unknown kind ${record.kind}`;
    return validate(record) ? '' : `${record.kind}: ${ajv.errorsText(validate.errors)}`;
  };
}
