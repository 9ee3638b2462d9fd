import type { LinkProps } from '@tanstack/react-router';
import type { AlertItem, Gpu } from '../data/queries.ts';
import { recentVisits, type Visit } from '../parts/recent-visits.ts';
import { slotOf } from '../parts/gpu-label.ts';

/** Where an item leads. */
export type Target = Pick<LinkProps, 'to' | 'params' | 'search'>;

/** A result of the palette. */
export interface Item {
  key: string;
  title: string;
  /** What distinguishes it from others of the same title. */
  detail: string;
  target: Target;
}

export interface Group {
  title: string;
  items: Item[];
}

const MAX_HOSTS = 6;
const MAX_GPUS = 6;

/** Views with more search terms, because a user may not know the title of a view. */
const VIEWS: [to: string, title: string, detail: string, terms: string][] = [
  ['/', 'Overview', 'g o', 'fleet'],
  ['/alerts', 'Alerts', 'g a', 'security'],
  ['/hosts', 'Hosts', 'g h', 'worst nodes machines'],
  ['/gpus', 'GPUs', 'g g', 'health temperature'],
  ['/xids', 'XIDs', 'g x', 'errors faults incidents'],
  ['/usage', 'Usage', 'g u', 'idle busy waste hours energy'],
  ['/metrics', 'Metrics', 'g m', 'utilization temperature power trends'],
  ['/keys', 'Keys', 'g k', 'agents access'],
];
const VISIT_KINDS: Record<Visit['view'], string> = { hosts: 'host', gpus: 'GPU', alerts: 'alert' };

/** Returns the words of a text, each of which a result has. */
function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function matches(words: string[], ...fields: string[]): boolean {
  const text = fields.join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

export function viewItems(text: string): Item[] {
  const words = wordsOf(text);
  const found = VIEWS.filter(([, title, , terms]) => matches(words, title, terms));
  return found.map(([to, title, detail]) => ({
    key: `view ${to}`,
    title,
    detail,
    target: { to } as Target,
  }));
}

export function recentItems(): Item[] {
  return recentVisits().map(({ view, id, title }) => ({
    key: `recent ${view} ${id}`,
    title,
    detail: VISIT_KINDS[view],
    target: targetOf(view, id),
  }));
}

/** Returns the hosts and GPUs of a list whose names match: those that begin with the text first. */
export function fleetItems(text: string, gpus: Gpu[]): { hosts: Item[]; gpus: Item[] } {
  const words = wordsOf(text);
  const start = text.trim().toLowerCase();
  const sizes = new Map<string, Gpu[]>();
  for (const gpu of gpus) {
    if (gpu.hostname === '' || !matches(words, gpu.hostname)) continue;
    sizes.set(gpu.hostname, [...(sizes.get(gpu.hostname) ?? []), gpu]);
  }
  const byStart = (name: string) => (name.toLowerCase().startsWith(start) ? 0 : 1);
  const hosts = [...sizes].toSorted(([a], [b]) => byStart(a) - byStart(b) || a.localeCompare(b));
  // Of a text that selects several hosts, the GPUs of all of them would hide the rest.
  const isOneHost = hosts.length === 1;
  const found = gpus.filter(
    ({ hostname, pcie_address, gpu_id, serial_no }) =>
      matches(words, hostname, pcie_address, gpu_id, serial_no) && (isOneHost || !matches(words, hostname)),
  );
  return {
    hosts: hosts.slice(0, MAX_HOSTS).map(([hostname, members]) => ({
      key: `host ${hostname}`,
      title: hostname,
      detail: `${members.length} ${members.length === 1 ? 'GPU' : 'GPUs'}`,
      target: targetOf('hosts', hostname),
    })),
    gpus: found.slice(0, MAX_GPUS).map(({ gpu_id, hostname, pcie_address, model }) => ({
      key: `gpu ${gpu_id}`,
      title: `${hostname || gpu_id} ${slotOf(pcie_address)}`,
      detail: model,
      target: targetOf('gpus', gpu_id),
    })),
  };
}

/** Returns the incidents of the code that a text names: `79` or `xid 79`. */
export function xidItems(text: string): Item[] {
  const [, code] = /^(?:xid\s*)?(\d{1,3})$/i.exec(text.trim()) ?? [];
  if (code === undefined) return [];
  const target = { to: '/xids', search: { code, window: '30d' } } as Target;
  return [{ key: `xid ${code}`, title: `XID ${code}`, detail: 'incidents of 30 days', target }];
}

export function alertItems(alerts: AlertItem[]): Item[] {
  return alerts.map(({ id, title, hostname, severity }) => ({
    key: `alert ${id}`,
    title,
    detail: `${severity}, ${hostname ?? 'no host'}`,
    target: targetOf('alerts', id),
  }));
}

function targetOf(view: Visit['view'], id: string): Target {
  return view === 'hosts'
    ? ({ to: '/hosts/$hostname', params: { hostname: id } } as Target)
    : ({ to: `/${view}/$id`, params: { id } } as Target);
}
