import { MAX_ID } from '@gpu-observatory/domain-types';
import {
  HOSTNAME_LENGTH,
  MAX_MEGABYTES_PER_SECOND,
  MAX_MILLIJOULES,
  MAX_SUMMED_COUNTER,
  MIN_MEMORY_MIB,
  NAME_LENGTH,
  TEXT_LENGTH,
} from './limits.ts';

export interface KindSchema {
  required: readonly string[];
  properties: Record<string, object>;
  /** Fields that must be present together. */
  dependencies?: Record<string, readonly string[]>;
}

export const id = { type: 'integer', minimum: 1, maximum: MAX_ID } as const;
export const timestamp = { type: 'string', format: 'date-time' } as const;
export const name = { type: 'string', maxLength: NAME_LENGTH } as const;
export const hostname = { type: 'string', maxLength: HOSTNAME_LENGTH } as const;
export const longText = { type: 'string', maxLength: TEXT_LENGTH } as const;
export const percent = { type: ['number', 'null'], minimum: 0, maximum: 100 } as const;
/** A fan may exceed 100 % (NVML, nvmlDeviceGetFanSpeed). */
export const fanPercent = { ...percent, maximum: 200 } as const;
export const reading = { type: ['number', 'null'], minimum: 0, maximum: 1e9 } as const;
export const memoryTotal = { ...reading, minimum: MIN_MEMORY_MIB } as const;
export const counter = { type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
export const megabytesPerSecond = { ...reading, maximum: MAX_MEGABYTES_PER_SECOND } as const;
export const energy = { ...counter, maximum: MAX_MILLIJOULES } as const;
export const summedCounter = { ...counter, maximum: MAX_SUMMED_COUNTER } as const;
/** `GPU-…`, or `host|pci|guest` for a GPU without a UUID (docs/fleet-api.md#list-gpus). */
export const gpuId = {
  type: 'string',
  pattern: '^(GPU-[^|]|[^|]+\\|[^|]+\\|[^|]*$)',
  format: 'id-bytes',
} as const;
export const celsius = { type: ['number', 'null'], minimum: -100, maximum: 300 } as const;
export const pid = { type: 'integer', minimum: 0, maximum: 4_294_967_295 } as const;
/** An XID code, 0 for none. */
export const xidCode = { type: ['integer', 'null'], minimum: 0, maximum: 100_000 } as const;
export const health = { enum: ['healthy', 'degraded', 'critical', null] } as const;
export const nullableName = { ...name, type: ['string', 'null'] } as const;
export const nullableBoolean = { type: ['boolean', 'null'] } as const;
