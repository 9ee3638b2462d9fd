import { expectOnly, expectSame, Skipped } from '../expectations.ts';
import { type Rule, rule } from '../rule.ts';
import { readOk } from './requests.ts';

const MAX_PAGE_SIZE = 1_000;

export const xidIncidents: Rule[] = [
  rule('xid-incidents-filtered-and-counted', 'docs/fleet-api.md#list-xid-incidents', async (target) => {
    // A closed window, so that no new incident comes between the requests.
    const window = `from=${new Date(Date.now() - 30 * 86_400_000).toISOString()}&to=${new Date().toISOString()}`;
    const read = (query: string) =>
      readOk(target, `/xid-incidents?${window}&page_size=${MAX_PAGE_SIZE}${query}`);
    const { incidents = [], next_page_token: next } = await read('');
    if (incidents.length === 0) throw new Skipped('needs an XID incident of the last 30 days');
    const times = incidents.map(({ first_at }) => first_at);
    expectSame(times, times.toSorted().reverse(), 'first_at, the newest first');
    const [{ code, hostname }] = incidents as [(typeof incidents)[number]];
    const { incidents: ofCode = [] } = await read(`&code=${code}`);
    expectOnly(ofCode, (incident) => incident.code === code, `code=${code}`);
    const { incidents: ofHost = [] } = await read(`&hostname=${encodeURIComponent(hostname)}`);
    expectOnly(ofHost, (incident) => incident.hostname === hostname, `hostname=${hostname}`);
    const { groups = [] } = await read('&group_by=code');
    if (next === undefined) {
      for (const group of groups) {
        const listed = incidents.filter((incident) => incident.code === group.code);
        const gpus = new Set(listed.map(({ gpu_id }) => gpu_id)).size;
        expectSame(
          [group.incidents, group.gpus],
          [listed.length, gpus],
          `incidents and GPUs of code ${group.code}`,
        );
      }
      expectSame(groups.length, new Set(incidents.map((incident) => incident.code)).size, 'groups by code');
    }
    return `${incidents.length} incidents of ${groups.length} codes`;
  }),
];
