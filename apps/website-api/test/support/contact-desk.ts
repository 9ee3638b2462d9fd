import type { TestDatabase } from '@gpu-observatory/embedded-database';
import type { RunningService } from '@gpu-observatory/service-runtime';
import pg from 'pg';
import { websiteApi } from '../../src/website-api.ts';
import { type AccountStandIn, CREDENTIAL, startAccountStandIn } from './account-stand-in.ts';
import { type Answer, send } from './http.ts';
import { createWebsiteDatabase, ownerUrl, runtimeUrl, startWebsite } from './website.ts';

/** The site's own origin. */
export const ORIGIN = 'https://site.example';

/** A request that is in order. */
export const REQUEST = {
  firstName: 'Ada',
  email: 'ada@example.org',
  company: 'Engines',
  message: 'A demo, please.',
};

export type ContactAnswer = Answer & { body: { id: string; detail: string; message: string } };

/** A site that takes contact requests, and what it has stored. */
export class ContactDesk {
  private constructor(
    readonly database: TestDatabase,
    readonly owner: pg.Client,
    readonly account: AccountStandIn,
    private readonly website: RunningService,
  ) {}

  static async open(): Promise<ContactDesk> {
    const database = await createWebsiteDatabase();
    const account = await startAccountStandIn();
    const owner = new pg.Client({ connectionString: ownerUrl(database) });
    await owner.connect();
    const website = await startDesk(database, account, {});
    return new ContactDesk(database, owner, account, website);
  }

  get url(): string {
    return this.website.publicUrl;
  }

  /** Another replica, with more settings. */
  start(environment: Record<string, string>): Promise<RunningService> {
    return startDesk(this.database, this.account, environment);
  }

  async submit(
    body: unknown = REQUEST,
    headers: Record<string, string> = { origin: ORIGIN },
    url = this.url,
  ): Promise<ContactAnswer> {
    const answer = await send(url, '/api/contact', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { ...answer, body: JSON.parse(answer.text) as ContactAnswer['body'] };
  }

  async stored(): Promise<unknown[]> {
    const { rows } = await this.owner.query(
      'SELECT id, first_name, email, company, message, came_by FROM website.contact_requests',
    );
    return rows;
  }

  async forgetAll(): Promise<void> {
    await this.owner.query('DELETE FROM website.contact_requests');
  }

  async close(): Promise<void> {
    await this.owner.end();
    await this.website.close();
    await this.account.stop();
    await this.database.drop();
  }
}

function startDesk(
  database: TestDatabase,
  account: AccountStandIn,
  environment: Record<string, string>,
): Promise<RunningService> {
  return startWebsite(runtimeUrl(database), websiteApi, {
    ALLOWED_ORIGINS: 'https://app.example',
    ACCOUNT_INTERNAL_URL: account.url,
    INTERNAL_CREDENTIAL: CREDENTIAL,
    RATE_LIMITS: 'false',
    ...environment,
  });
}
