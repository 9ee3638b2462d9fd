import { z } from 'zod';
import type { DataVersion } from '../data-version/data-version.ts';
import { windowParameters } from '../gpus/telemetry-window.ts';
import { compareCodePoints } from '../paging/code-points.ts';
import { keyInteger, keyText } from '../paging/page-token.ts';
import { pageOf, type RequestedPage } from '../paging/requested-page.ts';
import type { StatusFilter } from './status-filter.ts';
import type { StatusParameters } from './status-columns.sql.ts';

/** Sort key of a row: key of the sort, hostname, gpu_id (empty for a host) and customer. */
export const statusKey = z.tuple([z.number(), keyText, keyText, keyInteger]);
type StatusKey = z.infer<typeof statusKey>;

/** Before all rows, whose sort keys are temperatures with the opposite sign, hundredths of percent or ranks. */
const BEGIN: StatusKey = [-1e9, '', '', 0];

interface PositionedRow {
  sort_key: number;
  hostname: string;
  gpu_id?: string;
  customer_id: number;
}

export function statusParameters(
  { window, healths, models, idle, sort }: StatusFilter,
  { size, token }: RequestedPage<StatusKey>,
): StatusParameters {
  const [afterKey, afterHostname, afterGpuId, afterCustomer] = token?.after ?? BEGIN;
  const after = { afterKey, afterHostname, afterGpuId, afterCustomer };
  const needsMeans = idle !== null || sort === 'idle';
  const filters = { healths, models, idle, needsMeans, sort };
  return { ...windowParameters(window), ...filters, ...after, limit: size + 1 };
}

/** Returns the rows of a page of several customers, and the token of the next one. */
export function statusPage<Row extends PositionedRow>(
  rows: readonly Row[],
  page: RequestedPage<StatusKey>,
  data: DataVersion,
): { rows: Row[]; next_page_token?: string } {
  const sorted = rows.toSorted(
    (a, b) =>
      a.sort_key - b.sort_key ||
      compareCodePoints(a.hostname, b.hostname) ||
      compareCodePoints(a.gpu_id ?? '', b.gpu_id ?? '') ||
      a.customer_id - b.customer_id,
  );
  return pageOf(sorted, page, data, (row) => [row.sort_key, row.hostname, row.gpu_id ?? '', row.customer_id]);
}
