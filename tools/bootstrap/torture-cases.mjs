/**
 * @typedef {{ title: string, tests: string[], minutes: number, settings: Record<string, number> }} TortureCase
 *   `tests` are paths of test files, `minutes` the share of the 30 minutes
 */

/**
 * Returns the long forms of the services' tests that inject faults or compare with an oracle.
 *
 * @param {number} seed of the random inputs
 * @returns {TortureCase[]}
 */
export const tortureCases = (seed) => [
  {
    title: 'fleet-api: tenant isolation',
    tests: ['apps/fleet-api/test/safety/tenant-isolation'],
    minutes: 3,
    settings: { TENANT_REQUESTS: 5_000, FOREIGN_ALERTS: 10_000, TENANT_SEED: seed },
  },
  {
    title: 'fleet-api: filters and metrics against an oracle',
    tests: ['apps/fleet-api/test/alerts/filters', 'apps/fleet-api/test/metrics/oracle'],
    minutes: 4,
    settings: { ORACLE_QUERIES: 2_000, ORACLE_SEED: seed },
  },
  {
    title: 'fleet-api: snapshot pagination',
    tests: ['apps/fleet-api/test/paging/snapshot-pagination'],
    minutes: 3,
    settings: { PAGINATIONS: 10 },
  },
  {
    title: 'fleet-api: database killed and frozen',
    tests: ['apps/fleet-api/test/safety/database-outages'],
    minutes: 4,
    settings: { DATABASE_KILLS: 20, DATABASE_FREEZES: 10, RESPONSES: 20_000 },
  },
  {
    title: 'fleet-api: mixed load, clients that do not read',
    tests: ['apps/fleet-api/test/safety/overload'],
    minutes: 5,
    settings: { LOAD_SECONDS: 150, UNREAD_CLIENTS: 300, UNREAD_SECONDS: 60 },
  },
  {
    title: 'fleet-api: rolling restarts',
    tests: ['apps/fleet-api/test/safety/rolling-restart'],
    minutes: 5,
    settings: { RESTARTS: 50 },
  },
  {
    title: 'account-service: single use, replicas, clocks, outages',
    tests: ['replicas', 'clock-skew', 'reducing-changes', 'database-away'].map(
      (name) => `apps/account-service/test/${name}`,
    ),
    minutes: 2,
    settings: {},
  },
  {
    title: 'website-api: random requests, outages',
    tests: ['apps/website-api/test/no-server-errors', 'apps/website-api/test/database-outage'],
    minutes: 2,
    settings: { WEBSITE_CASES: 2_000, WEBSITE_SEED: seed },
  },
  {
    title: 'all services: slow clients, outages, shutdown',
    tests: ['http', 'database/database-outages', 'shutdown'].map(
      (name) => `libs/service-runtime/test/${name}`,
    ),
    minutes: 2,
    settings: {},
  },
];

const MINUTE_MS = 60_000;

/**
 * Returns the time limit of a case in ms, an integer: its minutes and the time that earlier cases left.
 *
 * @param {TortureCase} torture
 * @param {number} unusedMs negative when an earlier case took longer
 */
export function timeLimitMs({ minutes }, unusedMs) {
  return Math.max(1, Math.floor(minutes * MINUTE_MS + unusedMs));
}
