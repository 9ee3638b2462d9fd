import { Ajv } from 'ajv';
import addFormatsModule from 'ajv-formats';

/** A record as it is read back; which fields it has follows from its kind. */
export interface AnyRecord {
  kind: string;
  customer_id: number;
  [field: string]: unknown;
}

/**
 * Reads a line the way the importer does: against its published schemas. They are the contract between the two, so
 * they are taken from where they live and not copied.
 *
 * @returns what is wrong with the line; empty when nothing is
 */
export async function recordValidator(): Promise<(record: AnyRecord) => string> {
  const { RECORD_KINDS, schemaOf } =
    await import('../../../../apps/fleet-api/src/importer/records/record-schemas.ts');
  // Jest's sandbox makes every look-up of a global slow, and validators look these up for each number.
  const process = (code: string) => `const { isNaN, isFinite } = globalThis;${code}`;
  const ajv = new Ajv({ allowUnionTypes: true, code: { process } });
  addFormatsModule.default(ajv);
  // The importer's own format: what an index entry can hold.
  ajv.addFormat('gpu-id', (text: string) => Buffer.byteLength(text) <= 1_000);
  const validators = new Map<string, ReturnType<typeof ajv.compile>>(
    RECORD_KINDS.map((kind) => [kind, ajv.compile(schemaOf(kind))]),
  );
  return (record) => {
    const validate = validators.get(record.kind);
    if (!validate) return `unknown kind ${record.kind}`;
    return validate(record) ? '' : `${record.kind}: ${ajv.errorsText(validate.errors)}`;
  };
}
