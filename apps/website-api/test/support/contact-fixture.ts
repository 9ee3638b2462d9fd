import type { TestDatabase } from '@gpu-observatory/testing';
import type { RunningService } from '@gpu-observatory/service-runtime';
import pg from 'pg';
import { websiteApi } from '../../src/website-api.ts';
import { type FakeAccountService, CREDENTIAL, startFakeAccountService } from './fake-account-service.ts';
import { type HttpResponse, send } from './http.ts';
import { createWebsiteDatabase, ownerUrl, runtimeUrl, startWebsite } from './website.ts';

/** The site's own origin. */
export const ORIGIN = 'https://site.example';

/** A valid request. */
export const REQUEST = {
  firstName: 'Ada',
  email: 'ada@example.org',
  company: 'Engines',
  message: 'A demo, please.',
};

export type ContactResponse = HttpResponse & { body: { id: string; detail: string; message: string } };

/** A running site with a fake account-service and access to stored contact requests. */
export class ContactFixture {
  database!: TestDatabase;
  owner!: pg.Client;
  account!: FakeAccountService;
  private website!: RunningService;

  get url(): string {
    return this.website.publicUrl;
  }

  async open(): Promise<void> {
    this.database = await createWebsiteDatabase();
    this.account = await startFakeAccountService();
    this.owner = new pg.Client({ connectionString: ownerUrl(this.database) });
    await this.owner.connect();
    this.website = await this.start({});
  }

  /** Starts another replica with additional settings. */
  start(environment: Record<string, string>): Promise<RunningService> {
    return startWebsite(runtimeUrl(this.database), websiteApi, {
      ALLOWED_ORIGINS: 'https://app.example',
      ACCOUNT_INTERNAL_URL: this.account.url,
      INTERNAL_CREDENTIAL: CREDENTIAL,
      RATE_LIMITS: 'false',
      ...environment,
    });
  }

  async submit(
    body: unknown = REQUEST,
    headers: Record<string, string> = { origin: ORIGIN },
    url = this.url,
  ): Promise<ContactResponse> {
    const response = await send(url, '/api/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { ...response, body: JSON.parse(response.text) as ContactResponse['body'] };
  }

  async stored(): Promise<unknown[]> {
    const { rows } = await this.owner.query(
      'SELECT id, first_name, email, company, message, sender FROM website.contact_requests',
    );
    return rows;
  }

  async deleteRequests(): Promise<void> {
    await this.owner.query('DELETE FROM website.contact_requests');
  }

  async close(): Promise<void> {
    await this.owner.end();
    await this.website.close();
    await this.account.stop();
    await this.database.drop();
  }
}

/** Opens the fixture before the tests of a file and closes it after them. Each test starts without requests. */
export function useContactFixture(): ContactFixture {
  const fixture = new ContactFixture();
  beforeAll(() => fixture.open());
  beforeEach(() => fixture.deleteRequests());
  afterAll(() => fixture.close());
  return fixture;
}
