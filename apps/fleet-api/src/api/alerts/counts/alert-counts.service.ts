import { Injectable } from '@nestjs/common';
import { type Access, formatTimestamp, HOUR_MS, SEVERITIES } from '@gpu-observatory/domain-types';
import { ALERT_DATA, type DataVersion } from '../../data-version/data-version.ts';
import { CoalescedDataVersions } from '../../data-version/coalesced-data-versions.ts';
import type { ConditionalResponse } from '../../http-cache/conditional-response.ts';
import type { AlertSelectionQuery } from '../filters/alert-selection.dto.ts';
import { type AlertSelection, parseSelection, type SelectedWindow } from '../filters/alert-selection.ts';
import type { SeverityTrendPoint } from './alert-counts.models.ts';
import { AlertCountsQueries, type BucketCount } from './alert-counts.queries.ts';
import { alertSummary } from './alert-summary.ts';
import type { BucketUnit } from './count-spans.ts';

const MAX_HOURLY_WINDOW_MS = 72 * HOUR_MS;

/** The buckets of a trend. */
interface Buckets {
  unit: BucketUnit;
  /**
   * Time until which the unit stays the same, in ms since the epoch; Infinity when it never changes. A window without `to` grows until
   * its buckets are days. For a window without `from`, `nowMs`: an earlier alert may be imported at any time.
   */
  untilMs: number;
}

@Injectable()
export class AlertCountsService {
  constructor(
    private readonly counts: AlertCountsQueries,
    private readonly versions: CoalescedDataVersions,
  ) {}

  /** @throws {DomainError} `invalid_query` */
  summary(access: Access, query: AlertSelectionQuery): ConditionalResponse {
    const selection = parseSelection(query);
    return {
      readValidators: async () => ({ data: await this.dataVersion(access, selection) }),
      compute: async () => {
        const { counts, data } = await this.counts.summary(access, selection);
        return { data, body: { summary: alertSummary(counts, selection) } };
      },
    };
  }

  /**
   * Returns the counts by severity per hour or day. The unit is part of the entity tag, because an open window grows with the clock.
   *
   * @throws {DomainError} `invalid_query`
   */
  trend(access: Access, query: AlertSelectionQuery): ConditionalResponse {
    const selection = parseSelection(query);
    return {
      readValidators: async () => ({
        data: await this.dataVersion(access, selection),
        variant: (await this.buckets(access, selection)).unit,
      }),
      compute: async () => {
        const { unit, untilMs } = await this.buckets(access, selection);
        const { counts, data } = await this.counts.trend(access, selection, unit);
        return { data, variant: unit, untilMs, body: { points: counts.map(toPoint) } };
      },
    };
  }

  private dataVersion(access: Access, { scope }: AlertSelection): Promise<DataVersion> {
    return this.versions.readForCaller(access, ALERT_DATA, scope);
  }

  private async buckets(access: Access, selection: AlertSelection): Promise<Buckets> {
    const { window } = selection;
    const earliestMs = window.hasFrom ? null : await this.counts.earliestMs(access, selection);
    return bucketsOf(window, earliestMs, Date.now());
  }
}

/**
 * Returns hours for windows of up to 72 h, otherwise days. See docs/fleet-api.md#alert-trend.
 *
 * @param earliestMs time of the earliest alert in scope, for a window without `from`; null without alerts
 */
function bucketsOf(window: SelectedWindow, earliestMs: number | null, nowMs: number): Buckets {
  const fromMs = window.hasFrom ? window.fromMs : (earliestMs ?? nowMs);
  const toMs = window.hasTo ? window.toMs : nowMs;
  const lastHourlyMs = fromMs + MAX_HOURLY_WINDOW_MS;
  if (toMs > lastHourlyMs) return { unit: 'day', untilMs: Infinity };
  if (!window.hasFrom) return { unit: 'hour', untilMs: nowMs };
  return { unit: 'hour', untilMs: window.hasTo ? Infinity : lastHourlyMs };
}

function toPoint({ bucketMs, severity, count }: BucketCount): SeverityTrendPoint {
  return {
    bucket: formatTimestamp(new Date(bucketMs)),
    severity: SEVERITIES[severity] as string,
    count,
  };
}
