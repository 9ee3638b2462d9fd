import type { Metrics } from '@gpu-observatory/service-runtime/monitoring';
import { Counter, Gauge, Histogram } from 'prom-client';

/** Metrics of a collector. */
export class CollectorMetrics {
  readonly scrapes: Counter<'result'>;
  readonly records: Counter<'outcome'>;
  readonly seconds: Histogram;
  private readonly up: Gauge<'target'>;

  constructor({ registry }: Metrics) {
    const registers = [registry];
    this.scrapes = new Counter({
      name: 'fleet_scrapes_total',
      help: 'Scrapes by result: stored, stale (unchanged page for 5 minutes) or failed.',
      labelNames: ['result'],
      registers,
    });
    this.records = new Counter({
      name: 'fleet_scrape_records_total',
      help: 'Records of scrapes by outcome: written, duplicate or rejected; rejected also counts invalid lines.',
      labelNames: ['outcome'],
      registers,
    });
    this.seconds = new Histogram({
      name: 'fleet_scrape_duration_seconds',
      help: 'Time from the request to the end of the page.',
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    });
    this.up = new Gauge({
      name: 'fleet_scrape_target_up',
      help: '1 while the exporter returns current readings.',
      labelNames: ['target'],
      registers,
    });
  }

  setTargetUp(target: string, isUp: boolean): void {
    this.up.set({ target }, isUp ? 1 : 0);
  }

  /** Removes the series of a target that is no longer scraped. */
  remove(target: string): void {
    this.up.remove({ target });
  }
}
