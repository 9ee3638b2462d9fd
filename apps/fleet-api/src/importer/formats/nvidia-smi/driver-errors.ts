import { rawTextAt, type SmiElement } from './smi-element.ts';

// Texts that the driver prints in place of a UUID or a reading. Some releases add brackets.
const UUID_ERROR = /^\[?(?:GPU is lost|GPU requires reset|Unknown Error|ERR!)\]?$/i;
const LOST_UUID = /^\[?(?:GPU is lost|Unknown Error)\]?$/i;
const LOST_READING = /"\[?GPU is lost\]?"/i;
const RESET_READING = /"\[?GPU requires reset\]?"/i;

/** Returns whether the driver reports the GPU as lost, in place of its UUID or of a reading. */
export function isLostGpu(gpu: SmiElement): boolean {
  return LOST_UUID.test(rawTextAt(gpu, ['uuid'])) || LOST_READING.test(JSON.stringify(gpu));
}

/** Returns whether the driver reports an error in place of the UUID. A board without a UUID has N/A instead. */
export function hasUuidError(gpu: SmiElement): boolean {
  return UUID_ERROR.test(rawTextAt(gpu, ['uuid']));
}

/** Returns whether the driver reports in place of a reading that the GPU requires a reset. */
export function requiresReset(gpu: SmiElement): boolean {
  return RESET_READING.test(JSON.stringify(gpu));
}
