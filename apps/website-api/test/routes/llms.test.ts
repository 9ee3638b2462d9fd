import type { RunningService } from '@gpu-observatory/service-runtime';
import type { TestDatabase } from '@gpu-observatory/embedded-database';
import { send } from '../support/http.ts';
import { createWebsiteDatabase, runtimeUrl, startWebsite } from '../support/website.ts';

let database: TestDatabase;
let website: RunningService;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  website = await startWebsite(runtimeUrl(database));
});

afterAll(async () => {
  await website.close();
  await database.drop();
});

describe('GET /llms.txt', () => {
  it('has the order that llmstxt.org asks for: title, summary, context, sections of links', async () => {
    const answer = await send(website.publicUrl, '/llms.txt');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600');
    const [title, , summary, , context] = answer.text.split('\n');
    expect(title).toBe('# GPU Observatory');
    expect(summary).toMatch(/^> GPU Observatory watches GPU fleets /);
    expect(context).toBe('When to use it:');
    const sections = answer.text.split(/^## /m).slice(1);
    expect(sections.map((section) => section.split('\n')[0])).toEqual([
      'This site',
      'Website API, open to everyone',
      'Fleet data API at https://fleet.example',
      'Account service at https://account.example',
    ]);
    for (const section of sections) {
      const [, blank, ...links] = section.trimEnd().split('\n');
      expect(blank).toBe('');
      for (const link of links) expect(link).toMatch(/^- \[[^\]]+\]\(https:\/\/[^)]+\): .+$/);
    }
  });
});
