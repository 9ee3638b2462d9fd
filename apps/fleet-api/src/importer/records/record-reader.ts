import { isUuid, parseTimestamp } from '@gpu-observatory/domain-types';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { GPU_ID_BYTES, RETENTION_MONTHS, MAX_FUTURE_MS } from './limits.ts';
import { RECORD_KINDS, type RecordKind, schemaOf } from './record-schemas.ts';
import type { Attributed, Attribution, ImportRecord } from './records.ts';
import { clip } from './clip.ts';
import { unstorable } from './unstorable.ts';

/** Owner of records that have none. A record of another customer is rejected. */
export interface AttributionDefaults {
  customerId: number | null;
  workspaceId: number | null;
  apiKeyId: number | null;
}

export type ReadResult = { record: Attributed } | { fault: string };

/** Time fields of records. Only started_at may be older than the retention. */
const TIME_FIELDS = ['at', 'created_at', 'ts', 'day', 'started_at'] as const;
const EARLIEST_START_MS = Date.UTC(1970, 0, 1);
/** Smaller readings become 0: float4 rejects values that it would round to 0. */
const MIN_READING = 1e-30;

interface ParsedTime {
  text: string;
  instant: Date | null;
}
const NO_TIME: ParsedTime = { text: '', instant: null };

/** Validates records against their schema, fills in their owner, and normalizes times. */
export class RecordReader {
  private readonly validators: Record<RecordKind, ValidateFunction>;
  /** The last two parsed times: the records of a scrape have one, and an event of Falco has its own and that of its process. */
  private lastTimes: [ParsedTime, ParsedTime] = [NO_TIME, NO_TIME];
  private lastNormalized = { text: '', time: '' };
  private retention = { nowMs: 0, startMs: 0 };

  constructor(
    private readonly defaults: AttributionDefaults,
    private readonly now: () => number = Date.now,
  ) {
    const ajv = new Ajv({ allowUnionTypes: true });
    (addFormats as unknown as (ajv: Ajv, formats: string[]) => void)(ajv, ['date']);
    // Stricter than ajv-formats: the same UUIDs and timestamps as in the API.
    ajv.addFormat('uuid', isUuid);
    ajv.addFormat('date-time', (text: string) => this.instantOf(text) !== null);
    ajv.addFormat('gpu-id', (text: string) => Buffer.byteLength(text) <= GPU_ID_BYTES);
    this.validators = Object.fromEntries(
      RECORD_KINDS.map((kind) => [kind, ajv.compile(schemaOf(kind))]),
    ) as Record<RecordKind, ValidateFunction>;
  }

  /** Validates a value and completes it in place. */
  read(value: unknown): ReadResult {
    const kind = (value as { kind?: unknown } | null)?.kind;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { fault: 'not a JSON object' };
    if (typeof kind !== 'string' || !RECORD_KINDS.includes(kind as RecordKind)) {
      return {
        fault: `kind must be one of ${RECORD_KINDS.join(', ')}, got ${clip(JSON.stringify(kind) ?? 'none', 100)}`,
      };
    }
    const unstorableFault = unstorable(value);
    if (unstorableFault !== null) return { fault: unstorableFault };
    const validate = this.validators[kind as RecordKind];
    if (!validate(value)) return { fault: describe(validate.errors?.[0]) };

    const record = value as ImportRecord & Partial<Attribution>;
    const owner = this.attribute(record);
    if ('fault' in owner) return owner;
    const timeFault = this.normalizeTimes(record);
    if (timeFault !== null) return { fault: timeFault };
    return { record: withoutSubnormals(Object.assign(record, owner)) };
  }

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

  /** @returns the fault of a time, or null */
  private normalizeTimes(record: ImportRecord): string | null {
    const times = record as unknown as Record<string, string | undefined>;
    const now = this.now();
    for (const field of TIME_FIELDS) {
      const text = times[field];
      if (text === undefined) continue;
      const instant = this.instantOf(field === 'day' ? `${text}T00:00:00Z` : text) as Date;
      if (instant.getTime() > now + MAX_FUTURE_MS) return `${field} is in the future (${text})`;
      const earliest = field === 'started_at' ? EARLIEST_START_MS : this.retentionStartMs(now);
      if (instant.getTime() < earliest) {
        return field === 'started_at'
          ? `${field} is before 1970 (${text})`
          : `${field} is older than the ${RETENTION_MONTHS} months of retention (${text})`;
      }
      if (field !== 'day') times[field] = this.normalized(text, instant);
    }
    return null;
  }

  private normalized(text: string, instant: Date): string {
    if (text !== this.lastNormalized.text) this.lastNormalized = { text, time: instant.toISOString() };
    return this.lastNormalized.time;
  }

  private retentionStartMs(nowMs: number): number {
    if (nowMs !== this.retention.nowMs) this.retention = { nowMs, startMs: retentionStartMs(nowMs) };
    return this.retention.startMs;
  }

  private instantOf(text: string): Date | null {
    const [last, previous] = this.lastTimes;
    if (text === last.text) return last.instant;
    const time = text === previous.text ? previous : { text, instant: parseTimestamp(text) };
    this.lastTimes = [time, last];
    return time.instant;
  }
}

/** Returns the start of the retention period. */
export function retentionStartMs(now: number): number {
  const start = new Date(now);
  const day = start.getUTCDate();
  start.setUTCMonth(start.getUTCMonth() - RETENTION_MONTHS);
  // As in PostgreSQL, a month without that day ends on its last.
  if (start.getUTCDate() !== day) start.setUTCDate(0);
  return start.getTime();
}

function withoutSubnormals<R extends object>(record: R): Attributed {
  const fields = record as Record<string, unknown>;
  for (const field in fields) {
    const value = fields[field];
    if (typeof value === 'number' && value !== 0 && Math.abs(value) < MIN_READING) fields[field] = 0;
  }
  return record as unknown as Attributed;
}

function describe(error: ErrorObject | undefined): string {
  if (!error) return 'does not match the schema';
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  if (error.keyword === 'additionalProperties') {
    return `${path ? `${path}.` : ''}${String(error.params.additionalProperty)} is not a field of this kind`;
  }
  if (error.keyword === 'enum')
    return `${path} must be one of ${(error.params.allowedValues as string[]).join(', ')}`;
  if (error.keyword === 'dependencies')
    return `${String(error.params.property)} and ${String(error.params.missingProperty)} must be present together`;
  if (error.keyword === 'format' && error.params.format === 'date-time') {
    return `${path} must be an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z`;
  }
  if (error.keyword === 'format' && error.params.format === 'gpu-id')
    return `${path} must be at most ${GPU_ID_BYTES} bytes long`;
  if (error.keyword === 'pattern') {
    return `${path} must be GPU-… or host|pci|guest, not for example a bare PCIe address`;
  }
  return `${path ? `${path} ` : ''}${error.message ?? 'does not match the schema'}`;
}
