import { DAY_MS } from '@gpu-observatory/domain-types';
import { z } from 'zod';
import { telemetryParameters } from '../../model/gpu-days/read-telemetry.sql.ts';
import type { DataVersion } from '../data-version/data-version.ts';
import type { TelemetryWindow } from '../gpus/telemetry-window.ts';
import { compareCodePoints } from '../paging/code-points.ts';
import {
  hourOf,
  keyInteger,
  keyText,
  type PageToken,
  parsePageToken,
  rejectForeignToken,
  encodePageToken,
} from '../paging/page-token.ts';
import type { StatusFilter, StatusPage } from './status-filter.ts';
import type { StatusParameters, WindowParameters } from './status-columns.sql.ts';

/** Sort key of a row. Hosts have an empty gpu_id. */
const position = z.tuple([z.number(), keyText, keyText, keyInteger]);
type Position = z.infer<typeof position>;
export type StatusToken = PageToken<Position>;

/** Before all rows: sort keys are temperatures with the opposite sign, hundredths of percent or ranks. */
const BEGIN: Position = [-1e9, '', '', 0];
/** Reading the means or alerts of a longer window may take seconds. */
const LONG_WINDOW_MS = 31 * DAY_MS;

interface PositionedRow {
  sort_key: number;
  hostname: string;
  gpu_id?: string;
  customer_id: number;
}

/** @throws {DomainError} `invalid_cursor` */
export function parseStatusToken(
  { token: text, boundQuery }: StatusPage,
  customerIds: readonly number[],
): StatusToken | null {
  const token = text === undefined ? null : parsePageToken(text, boundQuery, position);
  if (token !== null) rejectForeignToken(token, customerIds);
  return token;
}

export function windowParameters(window: TelemetryWindow): WindowParameters {
  return { ...telemetryParameters(window), from: new Date(window.fromMs), to: new Date(window.toMs) };
}

export function isLong({ fromMs, toMs }: TelemetryWindow): boolean {
  return toMs - fromMs > LONG_WINDOW_MS;
}

export function statusParameters(
  { window, healths, models, idle, sort }: StatusFilter,
  { size }: StatusPage,
  token: StatusToken | null,
): StatusParameters {
  const [afterKey, afterHostname, afterGpuId, afterCustomer] = token?.after ?? BEGIN;
  const after = { afterKey, afterHostname, afterGpuId, afterCustomer };
  const needsMeans = idle !== null || sort === 'idle';
  const filters = { healths, models, idle, needsMeans, sort };
  return { ...windowParameters(window), ...filters, ...after, limit: size + 1 };
}

/** Returns the rows of a page, and the token of the next one. @param rows one more than the page of each customer, if there are more */
export function pageOf<Row extends PositionedRow>(
  rows: readonly Row[],
  { size, boundQuery }: StatusPage,
  { token, data }: { token: StatusToken | null; data: DataVersion },
): { rows: Row[]; next_page_token?: string } {
  const sorted = rows.toSorted(
    (a, b) =>
      a.sort_key - b.sort_key ||
      compareCodePoints(a.hostname, b.hostname) ||
      compareCodePoints(a.gpu_id ?? '', b.gpu_id ?? '') ||
      a.customer_id - b.customer_id,
  );
  const last = sorted.length > size ? sorted[size - 1] : undefined;
  if (last === undefined) return { rows: sorted };
  const after: Position = [last.sort_key, last.hostname, last.gpu_id ?? '', last.customer_id];
  const startedHourMs = token?.startedHourMs ?? hourOf(Date.now());
  return {
    rows: sorted.slice(0, size),
    next_page_token: encodePageToken({ startedHourMs, data, after }, boundQuery),
  };
}
