const integer = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const decimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** What a view shows for an unknown value. Null is unknown, never zero. */
export const NO_DATA = 'no data';

/** Full digits: 20,431, never 20k. */
export function formatCount(value: number): string {
  return integer.format(value);
}

/** At most one decimal, below 1 two significant digits, with its unit; `no data` for null. */
export function formatMeasure(value: number | null | undefined, unit = ''): string {
  if (value === null || value === undefined) return NO_DATA;
  const number = (Math.abs(value) < 1 ? significant : decimal).format(value);
  return unit === '' ? number : `${number} ${unit}`;
}

/** Turns `gpu_nvlink` into `GPU NVLink`. */
export function alertTypeTitle(type: string): string {
  return type
    .split('_')
    .map((word, n) => ACRONYMS[word] ?? (n === 0 ? `${word[0]?.toUpperCase()}${word.slice(1)}` : word))
    .join(' ');
}

const ACRONYMS: Record<string, string> = {
  c2: 'C2',
  cpu: 'CPU',
  dma: 'DMA',
  ebpf: 'eBPF',
  ecc: 'ECC',
  etcd: 'etcd',
  gpu: 'GPU',
  kcm: 'KCM',
  nvlink: 'NVLink',
  pcie: 'PCIe',
  rce: 'RCE',
  slo: 'SLO',
  vm: 'VM',
  xid: 'XID',
};

const STEPS: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [604_800, 'day'],
  [2_629_800, 'week'],
  [31_557_600, 'month'],
  [Infinity, 'year'],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** Returns `3 min ago` or `in 2 hr`; `now` within 5 seconds. */
export function formatRelative(ms: number, nowMs: number): string {
  const seconds = (ms - nowMs) / 1_000;
  if (Math.abs(seconds) < 5) return 'now';
  let divisor = 1;
  for (const [limit, unit] of STEPS) {
    if (Math.abs(seconds) < limit) {
      return relative.format(Math.trunc(seconds / divisor), unit).replace('.', '');
    }
    divisor = limit;
  }
  return '';
}

export type TimeZone = 'local' | 'utc';

/** Returns `2026-11-22 14:02:07`, with `UTC` appended in that zone. */
export function formatExact(ms: number, zone: TimeZone): string {
  const date = new Date(ms);
  const pad = (value: number) => String(value).padStart(2, '0');
  return zone === 'utc'
    ? `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
    : `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}
