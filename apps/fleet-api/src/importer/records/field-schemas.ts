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
  required: string[];
  properties: Record<string, object>;
  /** Fields that must be present together. */
  dependencies?: Record<string, string[]>;
}

export const id = { type: 'integer', minimum: 1, maximum: MAX_ID };
export const timestamp = { type: 'string', format: 'date-time' };
export const name = { type: 'string', maxLength: NAME_LENGTH };
export const hostname = { type: 'string', maxLength: HOSTNAME_LENGTH };
export const longText = { type: 'string', maxLength: TEXT_LENGTH };
export const percent = { type: ['number', 'null'], minimum: 0, maximum: 100 };
/** A fan may exceed 100 % (NVML, nvmlDeviceGetFanSpeed). */
export const fanPercent = { ...percent, maximum: 200 };
export const reading = { type: ['number', 'null'], minimum: 0, maximum: 1e9 };
export const memoryTotal = { ...reading, minimum: MIN_MEMORY_MIB };
export const counter = { type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const megabytesPerSecond = { ...reading, maximum: MAX_MEGABYTES_PER_SECOND };
export const energy = { ...counter, maximum: MAX_MILLIJOULES };
export const summedCounter = { ...counter, maximum: MAX_SUMMED_COUNTER };
/** `GPU-…`, or `host|pci|guest` for a GPU without a UUID (docs/fleet-api.md#list-gpus). */
export const gpuId = { type: 'string', pattern: '^(GPU-[^|]|[^|]+\\|[^|]+\\|[^|]*$)', format: 'id-bytes' };
export const celsius = { type: ['number', 'null'], minimum: -100, maximum: 300 };
export const pid = { type: 'integer', minimum: 0, maximum: 4_294_967_295 };
/** An XID code, 0 for none. */
export const xidCode = { type: ['integer', 'null'], minimum: 0, maximum: 100_000 };
export const health = { enum: ['healthy', 'degraded', 'critical', null] };
export const nullableName = { ...name, type: ['string', 'null'] };
