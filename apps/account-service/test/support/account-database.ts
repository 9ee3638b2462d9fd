import { createTestDatabase, type TestDatabase } from '@gpu-observatory/testing';
import { createLogger } from '@gpu-observatory/service-runtime/monitoring';
import { Database, migrate, prepareDatabase, type Queryable } from '@gpu-observatory/service-runtime/process';
import { migrations } from '../../migrations/index.ts';
import { applyChanges } from '../../src/tenants/apply-changes.ts';
import { diffTenants } from '../../src/tenants/tenants-diff.ts';
import { parseTenants } from '../../src/tenants/tenants-file.ts';
import { readTenants } from '../../src/tenants/tenants.queries.ts';
import { createTestClock, withTestClock } from './test-clock.ts';

const owner = { name: 'account_owner', password: 'owner-of-the-tests' };
const service = { name: 'account_service', password: 'service-of-the-tests' };
/** Timeout of test queries, longer than that of requests. */
const QUERY_TIMEOUT_MS = 60_000;

/** Database with the account schema and its roles. */
export interface AccountDatabase extends TestDatabase {
  ownerUrl: string;
  serviceUrl: string;
  /** Connection of the schema owner, which may do what the service role may not. */
  asOwner: Queryable & {
    transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  };
  /** Connection of the service role. */
  asService: Queryable;
  applyTenants(yaml: string): Promise<void>;
}

export async function createAccountDatabase(): Promise<AccountDatabase> {
  const database = await createTestDatabase('account-service', async (administratorUrl) => {
    await prepareDatabase({ administratorUrl, schema: 'account', owner, runtimes: [service] });
    await migrate({
      url: as(owner, administratorUrl),
      schema: 'account',
      migrations,
      logger: createLogger('test', 'silent'),
    });
    await createTestClock(administratorUrl);
  });
  const ownerUrl = as(owner, database.url);
  const serviceUrl = withTestClock(as(service, database.url));
  const connections = connect(ownerUrl, 2);
  const asService = connect(serviceUrl, 1);
  const asOwner: AccountDatabase['asOwner'] = {
    query: (statement) => connections.query({ timeoutMs: QUERY_TIMEOUT_MS, ...statement }),
    transaction: (work) => connections.transaction(work, { timeoutMs: QUERY_TIMEOUT_MS }),
  };
  return {
    ...database,
    ownerUrl,
    serviceUrl,
    asOwner,
    asService,
    applyTenants: (yaml) =>
      asOwner.transaction(async (transaction) => {
        const changes = diffTenants(parseTenants(yaml, 'test'), await readTenants(transaction));
        await applyChanges(transaction, changes, 'operator:test');
      }),
    drop: async () => {
      await connections.stop();
      await asService.stop();
      await database.drop();
    },
  };
}

function connect(url: string, poolSize: number): Database {
  return new Database({
    url,
    poolSize,
    namedStatements: false,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
}

function as({ name, password }: { name: string; password: string }, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = password;
  return url.href;
}

/** Two active customers and an inactive one; Ada is the only declared user. */
export const TENANTS = `
customers:
  - slug: acme
    name: Acme
    domains: [acme.example]
    administrators: [ada@acme.example]
    workspaces:
      - { slug: research, name: Research }
      - { slug: production, name: Production }
  - slug: globex
    name: Globex
    domains: [globex.example]
    default_role: member
    sign_in_methods: [github, google]
    workspaces:
      - { slug: main, name: Main }
  - slug: initech
    name: Initech
    active: false
    domains: [initech.example]
    workspaces:
      - { slug: main, name: Main }
`;
