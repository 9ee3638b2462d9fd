import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Prometheus metrics of one process. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requestSeconds: Histogram<'method' | 'route' | 'status'>;

  constructor(service: string) {
    this.registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: this.registry });
    this.requestSeconds = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of the request to the last byte of the response.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.registry],
    });
  }

  observeRequest(method: string, route: string, status: number, seconds: number): void {
    this.requestSeconds.observe({ method, route, status: String(status) }, seconds);
  }

  /** Registers a gauge whose value is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** Registers a gauge with one label, read at each scrape. Label values that `read` no longer returns disappear. */
  labeledGauge(
    name: string,
    help: string,
    label: string,
    read: () => Iterable<[string | number, number]>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [value, number] of read()) this.set({ [label]: value }, number);
      },
    });
  }

  /** @returns a function that increments the counter, of a label value if it has a label */
  counter(name: string, help: string): () => void;
  counter(name: string, help: string, label: string): (value: string) => void;
  counter(name: string, help: string, label?: string): (value?: string) => void {
    const counter = new Counter({ name, help, labelNames: label ? [label] : [], registers: [this.registry] });
    return (value) => (label === undefined ? counter.inc() : counter.inc({ [label]: value as string }));
  }
}
