import { isUuid } from '@gpu-observatory/domain-types';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { clip } from './clip.ts';
import { GPU_ID_BYTES } from './limits.ts';
import { RECORD_KINDS, type RecordKind, schemaOf } from './record-schemas.ts';
import { RecordTimes } from './record-times.ts';
import type { Attributed, Attribution, ImportRecord } from './records.ts';
import { schemaFault } from './schema-fault.ts';
import { unstorableFault } from './unstorable.ts';

/** Owner of records that have none; null for no default. With a default, a record of another customer is rejected. */
export interface AttributionDefaults {
  customerId: number | null;
  workspaceId: number | null;
  apiKeyId: number | null;
}

export type ReadResult = { record: Attributed } | { fault: string };

/** Smaller readings become 0: the type real of PostgreSQL rejects values that it would round to 0. */
const MIN_READING = 1e-30;

/** Validates records against their schema, fills in their owner, and normalizes times. */
export class RecordReader {
  private readonly ajv = new Ajv({ allowUnionTypes: true });
  private readonly times: RecordTimes;

  constructor(
    private readonly defaults: AttributionDefaults,
    now: () => number = Date.now,
  ) {
    this.times = new RecordTimes(now);
    const { ajv } = this;
    // The types of this CommonJS module declare its default export as a namespace.
    (addFormats as unknown as (ajv: Ajv, formats: string[]) => void)(ajv, ['date']);
    // Stricter than ajv-formats: the same UUIDs and timestamps as in the API.
    ajv.addFormat('uuid', isUuid);
    // The parsed time is cached: `normalize` needs it next.
    ajv.addFormat('date-time', (text: string) => this.times.parse(text) !== null);
    ajv.addFormat('id-bytes', (text: string) => Buffer.byteLength(text) <= GPU_ID_BYTES);
    for (const kind of RECORD_KINDS) ajv.addSchema(schemaOf(kind), kind);
  }

  /** Validates a value, and completes and normalizes it in place. */
  read(value: unknown): ReadResult {
    const kind = (value as { kind?: unknown } | null)?.kind;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { fault: 'not a JSON object' };
    if (typeof kind !== 'string' || !RECORD_KINDS.includes(kind as RecordKind)) {
      return {
        fault: `kind must be one of ${RECORD_KINDS.join(', ')}, got ${clip(JSON.stringify(kind) ?? 'none', 100)}`,
      };
    }
    const storageFault = unstorableFault(value);
    if (storageFault !== null) return { fault: storageFault };
    // Compiles the schema of a kind for its first record: all of them take 0.1 s.
    const validate = this.ajv.getSchema(kind) as ValidateFunction;
    if (!validate(value)) return { fault: schemaFault(validate.errors?.[0]) };

    const record = value as ImportRecord & Partial<Attribution>;
    const owner = this.attribute(record);
    if ('fault' in owner) return owner;
    const timeFault = this.times.normalize(record);
    if (timeFault !== null) return { fault: timeFault };
    return { record: withoutTinyReadings(Object.assign(record, owner)) };
  }

  /** Returns the owner of a record, completed with the defaults. */
  private attribute(record: Partial<Attribution>): Attribution | { fault: string } {
    const { customerId, workspaceId, apiKeyId } = this.defaults;
    const customer = record.customer_id ?? customerId;
    if (customer === null) return { fault: 'customer_id is missing: set it in the record, or --customer' };
    if (customerId !== null && customer !== customerId) {
      return { fault: `customer_id is ${customer}, but --customer is ${customerId}` };
    }
    return {
      customer_id: customer,
      workspace_id: record.workspace_id === undefined ? workspaceId : record.workspace_id,
      api_key_id: record.api_key_id === undefined ? apiKeyId : record.api_key_id,
    };
  }
}

/** Sets readings that are too small to 0, in place. */
function withoutTinyReadings(record: Attributed): Attributed {
  const fields = record as unknown as Record<string, unknown>;
  for (const field in fields) {
    const value = fields[field];
    if (typeof value === 'number' && value !== 0 && Math.abs(value) < MIN_READING) fields[field] = 0;
  }
  return record;
}
