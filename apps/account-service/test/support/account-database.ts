import { createTestDatabase, type TestDatabase } from '@gpu-observatory/embedded-database';
import {
  createLogger,
  Database,
  migrate,
  prepareDatabase,
  type Queryable,
} from '@gpu-observatory/service-runtime';
import { migrations } from '../../migrations/index.ts';
import { applyChanges } from '../../src/tenants/apply-changes.ts';
import { difference } from '../../src/tenants/difference.ts';
import { parseTenants } from '../../src/tenants/tenants-file.ts';
import { readTenants } from '../../src/tenants/tenants.queries.ts';

const owner = { name: 'account_owner', password: 'owner-of-the-tests' };
const service = { name: 'account_service', password: 'service-of-the-tests' };
/** A test may wait longer for the database than a request: it looks at it, and promises nothing about it. */
const PATIENCE_MS = 60_000;

/** A database with the account schema, its roles and, on request, tenants. */
export interface AccountDatabase extends TestDatabase {
  ownerUrl: string;
  serviceUrl: string;
  /** As the owner, who may do what the service may not. */
  asOwner: Queryable & {
    transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  };
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
  });
  const ownerUrl = as(owner, database.url);
  const connections = new Database({
    url: ownerUrl,
    poolSize: 2,
    namedStatements: false,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
  const asOwner: AccountDatabase['asOwner'] = {
    query: (statement) => connections.query({ timeoutMs: PATIENCE_MS, ...statement }),
    transaction: (work) => connections.transaction(work, { timeoutMs: PATIENCE_MS }),
  };
  return {
    ...database,
    ownerUrl,
    serviceUrl: as(service, database.url),
    asOwner,
    applyTenants: (yaml) =>
      asOwner.transaction(async (transaction) => {
        const changes = difference(parseTenants(yaml, 'test'), await readTenants(transaction));
        await applyChanges(transaction, changes, 'operator:test');
      }),
    drop: async () => {
      await connections.stop();
      await database.drop();
    },
  };
}

function as({ name, password }: { name: string; password: string }, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = name;
  url.password = password;
  return url.href;
}

/** Two active customers and an inactive one. Nobody of theirs has signed in or was declared. */
export const TENANTS = `
customers:
  - slug: acme
    name: Acme
    domains: [acme.example]
    workspaces:
      - { slug: research, name: Research }
      - { slug: production, name: Production }
  - slug: globex
    name: Globex
    domains: [globex.example]
    default_role: member
    providers: [github, google]
    workspaces:
      - { slug: main, name: Main }
  - slug: initech
    name: Initech
    active: false
    domains: [initech.example]
    workspaces:
      - { slug: main, name: Main }
`;
