import { formatExact, formatMeasure, type TimeZone } from '../data/format.ts';
import type { AlertDetail } from '../data/queries.ts';

interface EvidenceField {
  label: string;
  value: string;
  /** Whether the value is a command line or an identifier. */
  isCode: boolean;
}

export interface EvidenceSection {
  title: string;
  fields: EvidenceField[];
}

type Details = AlertDetail['resource_details'];

const TITLES: Record<keyof Details, string> = {
  process_details: 'Process',
  memory_details: 'Memory',
  workload_details: 'Workload',
  gpu_details: 'GPU',
  node_details: 'Node',
  container_details: 'Container',
};

const UNITS: Record<string, string> = {
  gpu_utilization: '%',
  temperature: '°C',
  power_draw: 'W',
  fan_speed: '%',
};
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const CODE = /command_line|_id$|serial|digest|image|version/;

/** Returns the sections that have data, with the fields that have a value. */
export function evidenceSections(
  { resource_details: details }: AlertDetail,
  zone: TimeZone,
): EvidenceSection[] {
  return (Object.keys(TITLES) as (keyof Details)[])
    .map((key) => ({ title: TITLES[key], fields: fieldsOf(details[key], zone) }))
    .filter(({ fields }) => fields.length > 0);
}

function fieldsOf(section: object | null, zone: TimeZone): EvidenceField[] {
  return Object.entries(section ?? {}).flatMap(([name, value]) => {
    const text = textOf(name, value, zone);
    return text === '' ? [] : [{ label: labelOf(name), value: text, isCode: CODE.test(name) }];
  });
}

/** Returns '' for values without information; series are shown as charts. */
function textOf(name: string, value: unknown, zone: TimeZone): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    if (/pid$/.test(name)) return String(value);
    return formatMeasure(value, name.endsWith('_mib') ? 'MiB' : '');
  }
  if (typeof value === 'string' && TIMESTAMP.test(value)) return formatExact(Date.parse(value), zone);
  if (typeof value === 'string') return name in UNITS ? `${value} ${UNITS[name]}` : withSpacedPercent(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.every((item) => typeof item === 'string' || typeof item === 'number') ? value.join(', ') : '';
}

/** Some sources write `33.4%`; all other measures have a space before the unit. */
function withSpacedPercent(text: string): string {
  return text.replace(/^(-?\d+(?:\.\d+)?)%$/, '$1 %');
}

const WORDS: Record<string, string> = {
  cpu: 'CPU',
  cpus: 'CPUs',
  gpu: 'GPU',
  gpus: 'GPUs',
  id: 'ID',
  pid: 'PID',
};

/** Turns `parent_process_pid` into `Parent process PID`. */
function labelOf(name: string): string {
  const words = name.replace(/_mib$/, '').split('_');
  const text = words.map((word) => WORDS[word] ?? word).join(' ');
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}
