import { z } from 'zod';
import type { DataVersion } from '../data-version/data-version.ts';
import { windowParameters } from '../gpus/telemetry-window.ts';
import { compareCodePoints } from '../paging/code-points.ts';
import { keyInteger, keyText } from '../paging/page-token.ts';
import { pageOf, type RequestedPage } from '../paging/list-page.ts';
import type { StatusFilter } from './status-filter.ts';
import type { StatusParameters } from './status-columns.sql.ts';

/** Schema of the sort key of a row: key of the sort, hostname, gpu_id (empty for a host) and customer. */
export const statusKey = z.tuple([z.number(), keyText, keyText, keyInteger]);
type StatusKey = z.infer<typeof statusKey>;

/** Sort key before all rows. The keys of rows are negated temperatures, hundredths of a percent, or ranks. */
const BEGIN: StatusKey = [-1e9, '', '', 0];

/** A GPU, or a host without `gpu_id`. */
interface PositionedRow {
  sort_key: number;
  hostname: string;
  gpu_id?: string;
  customer_id: number;
}

/** Returns the parameters of a page. Its statement reads one row more, which shows that another page follows. */
export function statusParameters(
  { window, ...selection }: StatusFilter,
  { size, token }: RequestedPage<StatusKey>,
): StatusParameters {
  const [afterKey, afterHostname, afterGpuId, afterCustomer] = token?.after ?? BEGIN;
  const after = { afterKey, afterHostname, afterGpuId, afterCustomer };
  return { ...windowParameters(window), ...selection, ...after, limit: size + 1 };
}

/** Returns a page of the rows of all customers, and the token of the next page. */
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
