import { parseTimestamp } from '@gpu-observatory/domain-types';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { RECORD_KINDS, type RecordKind, schemaOf } from './record-schemas.ts';
import type { Attributed, Attribution, ImportRecord } from './records.ts';

/** What the command says of records that do not say it themselves; it also refuses those that say otherwise. */
export interface AttributionDefaults {
  customerId: number | null;
  workspaceId: number | null;
  apiKeyId: number | null;
}

export type ReadResult = { record: Attributed } | { fault: string };

/** Clocks of machines differ a little; a record from further ahead would keep a dead GPU alive. */
const TOLERATED_FUTURE_MS = 3_600_000;
const TIME_FIELDS = ['at', 'created_at', 'ts', 'started_at'] as const;

/** Checks records against their schema, fills in whom they belong to, and writes times in the one canonical form. */
export class RecordReader {
  private readonly validators: Record<RecordKind, ValidateFunction>;

  constructor(
    private readonly defaults: AttributionDefaults,
    private readonly now: () => number = Date.now,
  ) {
    const ajv = new Ajv({ allowUnionTypes: true });
    (addFormats as unknown as (ajv: Ajv, formats: string[]) => void)(ajv, ['uuid', 'date']);
    // Stricter than ajv-formats' own: the services' one notion of a timestamp.
    ajv.addFormat('date-time', (text: string) => parseTimestamp(text) !== null);
    this.validators = Object.fromEntries(
      RECORD_KINDS.map((kind) => [kind, ajv.compile(schemaOf(kind))]),
    ) as Record<RecordKind, ValidateFunction>;
  }

  read(value: unknown): ReadResult {
    const kind = (value as { kind?: unknown } | null)?.kind;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { fault: 'not a JSON object' };
    if (typeof kind !== 'string' || !RECORD_KINDS.includes(kind as RecordKind)) {
      return { fault: `kind should be one of ${RECORD_KINDS.join(', ')}` };
    }
    const validate = this.validators[kind as RecordKind];
    if (!validate(value)) return { fault: describe(validate.errors?.[0]) };
    const text = illFormedText(value);
    if (text !== null) return { fault: text };

    const record = value as ImportRecord & Partial<Attribution>;
    const owner = this.attribute(record);
    if ('fault' in owner) return owner;
    const times = this.canonicalTimes(record);
    if (typeof times === 'string') return { fault: times };
    return { record: { ...record, ...times, ...owner } as Attributed };
  }

  private attribute(record: Partial<Attribution>): Attribution | { fault: string } {
    const { customerId, workspaceId, apiKeyId } = this.defaults;
    const customer = record.customer_id ?? customerId;
    if (customer === null)
      return { fault: 'customer_id is missing: give it in the record or with --customer' };
    if (customerId !== null && customer !== customerId) {
      return { fault: `customer_id is ${customer}, but --customer says ${customerId}` };
    }
    return {
      customer_id: customer,
      workspace_id: record.workspace_id === undefined ? workspaceId : record.workspace_id,
      api_key_id: record.api_key_id === undefined ? apiKeyId : record.api_key_id,
    };
  }

  /** @returns the record's times in canonical form, or what is wrong with one */
  private canonicalTimes(record: ImportRecord): Record<string, string> | string {
    const times: Record<string, string> = {};
    for (const field of TIME_FIELDS) {
      const text = (record as unknown as Record<string, string | undefined>)[field];
      if (text === undefined) continue;
      const instant = parseTimestamp(text) as Date;
      if (instant.getTime() > this.now() + TOLERATED_FUTURE_MS) {
        return `${field} lies in the future (${text})`;
      }
      times[field] = instant.toISOString();
    }
    return times;
  }
}

/** PostgreSQL stores no NUL, and a lone surrogate is no text (decisions, section 1, Text). */
function illFormedText(value: unknown): string | null {
  if (typeof value === 'string') {
    if (value.includes('\0')) return 'a text contains a NUL character';
    return value.isWellFormed() ? null : 'a text is not well-formed Unicode (a lone surrogate)';
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'number' || typeof member === 'boolean') continue;
    const fault = illFormedText(name) ?? illFormedText(member);
    if (fault !== null) return fault;
  }
  return null;
}

function describe(error: ErrorObject | undefined): string {
  if (!error) return 'does not fit the schema';
  const place = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'additionalProperties') {
    return `${place ? `${place}.` : ''}${String(error.params.additionalProperty)} is not a field of this kind`;
  }
  if (error.keyword === 'enum')
    return `${place} should be one of ${(error.params.allowedValues as string[]).join(', ')}`;
  if (error.keyword === 'format' && error.params.format === 'date-time') {
    return `${place} should be an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z`;
  }
  return `${place ? `${place} ` : ''}${error.message ?? 'does not fit the schema'}`;
}
