import {
  HOSTNAME_LENGTH,
  LEAST_MEMORY_MIB,
  NAME_LENGTH,
  SUMMED_COUNTER_MOST,
  TEXT_LENGTH,
} from './limits.ts';

export interface KindSchema {
  required: string[];
  properties: Record<string, object>;
  /** Fields that are given together or not at all. */
  dependencies?: Record<string, string[]>;
}

export const id = { type: 'integer', minimum: 1, maximum: 2_147_483_647 };
export const timestamp = { type: 'string', format: 'date-time' };
export const name = { type: 'string', maxLength: NAME_LENGTH };
export const hostname = { type: 'string', maxLength: HOSTNAME_LENGTH };
export const longText = { type: 'string', maxLength: TEXT_LENGTH };
export const percent = { type: ['number', 'null'], minimum: 0, maximum: 100 };
/** NVML: a fan may run above what is called its full speed. */
export const fanPercent = { ...percent, maximum: 200 };
export const reading = { type: ['number', 'null'], minimum: 0, maximum: 1e9 };
export const memoryTotal = { ...reading, minimum: LEAST_MEMORY_MIB };
export const counter = { type: ['integer', 'null'], minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const summedCounter = { ...counter, maximum: SUMMED_COUNTER_MOST };
/** `GPU-…`, or `host|pci|guest` for a GPU without a UUID (docs/fleet-api.md#gpu). */
export const gpuId = { type: 'string', pattern: '^(GPU-[^|]|[^|]+\\|[^|]+\\|[^|]*$)', format: 'gpu-id' };
export const celsius = { type: ['number', 'null'], minimum: -100, maximum: 300 };
export const pid = { type: 'integer', minimum: 0, maximum: 4_294_967_295 };
