import { MAX_ID, parsePositiveInteger, parseTimestamp } from '@gpu-observatory/domain-types';
import { InvalidArgumentError } from 'commander';
import { NAME_LENGTH } from './records/limits.ts';

// Parsers of option values for Commander.

/** Parses the id of a customer, a workspace or an API key. */
export function positiveId(text: string): number {
  const value = parsePositiveInteger(text);
  if (value === null || value > MAX_ID)
    throw new InvalidArgumentError(`It must be an integer from 1 to ${MAX_ID}.`);
  return value;
}

export function workspaceName(text: string): string {
  if (text.trim() === '' || text.length > NAME_LENGTH)
    throw new InvalidArgumentError(`It must have 1 to ${NAME_LENGTH} characters.`);
  return text;
}

export function timestamp(text: string): Date {
  const instant = parseTimestamp(text);
  if (instant === null) {
    throw new InvalidArgumentError('It must be an RFC 3339 time with a zone, such as 2026-11-21T08:00:00Z.');
  }
  return instant;
}

/** Parses an offset from UTC. @returns minutes east of UTC */
export function utcOffset(text: string): number {
  if (text === 'Z') return 0;
  const [match, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(text) ?? [];
  if (match === undefined || Number(hours) > 14 || Number(minutes) > 59)
    throw new InvalidArgumentError('It must be an offset from UTC, such as +02:00.');
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
