import { type RunningService, runService } from '@gpu-observatory/service-runtime';
import { createLogger } from '@gpu-observatory/service-runtime/monitoring';
import { migrate, OwnerDatabase, prepareDatabase } from '@gpu-observatory/service-runtime/process';
import { createTestDatabase, type TestDatabase } from '@gpu-observatory/testing';
import { migrations } from '../../migrations/index.ts';
import { readConfig } from '../../src/config/website.config.ts';
import { prepareContent } from '../../src/content/prepare-content.ts';
import { storeContent } from '../../src/content/store-content.ts';
import { websiteApi } from '../../src/website-api.ts';
import { contentFolder } from './content-folder.ts';
import { type HttpResponse, send } from './http.ts';

/** Public URLs and email address of the test site. */
export const ADDRESSES = {
  SITE_URL: 'https://site.example',
  DOCS_URL: 'https://docs.example',
  FLEET_URL: 'https://fleet.example',
  ACCOUNT_URL: 'https://account.example',
  CONTACT_EMAIL: 'hello@site.example',
};

const OWNER = { name: 'website_owner', password: 'website-owner' };
const RUNTIME = { name: 'website_api', password: 'website-api' };

/** Creates a database with the migrated schema `website`. */
export function createWebsiteDatabase(): Promise<TestDatabase> {
  return createTestDatabase('website', async (administratorUrl) => {
    await prepareDatabase({ administratorUrl, schema: 'website', owner: OWNER, runtimes: [RUNTIME] });
    const logger = createLogger('website-api', 'silent');
    await migrate({ url: urlAs(OWNER, administratorUrl), schema: 'website', migrations, logger });
  });
}

export const ownerUrl = (database: TestDatabase) => urlAs(OWNER, database.url);
export const runtimeUrl = (database: TestDatabase) => urlAs(RUNTIME, database.url);

/** Starts the service like `main.ts`, on ephemeral ports. */
export function startWebsite(
  databaseUrl: string,
  definition = websiteApi,
  environment: Record<string, string> = {},
): Promise<RunningService> {
  const config = readConfig({
    ...ADDRESSES,
    HOST: '127.0.0.1',
    PORT: '0',
    MANAGEMENT_PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_URL: databaseUrl,
    ...environment,
  });
  return runService(definition, config);
}

type Files = Record<string, string | Buffer>;

/** A running site with its database, available from `beforeAll` on. */
export interface WebsiteFixture {
  readonly database: TestDatabase;
  readonly service: RunningService;
  readonly url: string;
  get(path: string, headers?: Record<string, string>): Promise<HttpResponse>;
  publish(files: Files): Promise<void>;
}

/** Starts a site with content before the tests of a file, and stops it after them. */
export function useWebsite(
  files?: Files | (() => Promise<Files>),
  environment: Record<string, string> = {},
): WebsiteFixture {
  let database: TestDatabase;
  let service: RunningService;
  beforeAll(async () => {
    database = await createWebsiteDatabase();
    if (files) await publish(database, typeof files === 'function' ? await files() : files);
    service = await startWebsite(runtimeUrl(database), websiteApi, environment);
  });
  afterAll(async () => {
    await service.close();
    await database.drop();
  });
  return {
    get database() {
      return database;
    },
    get service() {
      return service;
    },
    get url() {
      return service.publicUrl;
    },
    get: (path, headers = {}) => send(service.publicUrl, path, { headers }),
    publish: (content) => publish(database, content),
  };
}

/** Publishes these files, like `content sync`. */
export async function publish(database: TestDatabase, files: Files): Promise<void> {
  await using folder = await contentFolder(files);
  const { content, findings } = await prepareContent(folder.path);
  if (findings.errors.length > 0) throw new Error(JSON.stringify(findings.errors));
  const owner = new OwnerDatabase(ownerUrl(database), { schema: 'website', lockTimeoutSeconds: 5 });
  try {
    await storeContent(owner, content);
  } finally {
    await owner.close();
  }
}

function urlAs(role: { name: string; password: string }, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = role.name;
  url.password = role.password;
  return url.href;
}
