import type { RunningService } from '@gpu-observatory/service-runtime';
import type { TestDatabase } from '@gpu-observatory/embedded-database';
import { send } from '../support/http.ts';
import { richContent } from '../support/rich-content.ts';
import { createWebsiteDatabase, publish, runtimeUrl, startWebsite } from '../support/website.ts';

let database: TestDatabase;
let website: RunningService;

beforeAll(async () => {
  database = await createWebsiteDatabase();
  await publish(database, richContent);
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
      'For agents and feed readers',
      'Website API, open to everyone',
      'Fleet data API at https://fleet.example',
      'Account service at https://account.example',
      'Research',
    ]);
    for (const section of sections) {
      const [, blank, ...links] = section.trimEnd().split('\n');
      expect(blank).toBe('');
      for (const link of links) expect(link).toMatch(/^- \[[^\]]+\]\(https:\/\/[^)]+\): .+$/);
    }
  });
});

describe('GET /agents.md', () => {
  it('says when and how to call the service, with the addresses of this installation', async () => {
    const answer = await send(website.publicUrl, '/agents.md');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8');
    for (const part of [
      '## When to call it',
      '## What needs a bearer token',
      'https://fleet.example/api/v1',
      'Retry-After',
    ]) {
      expect(answer.text).toContain(part);
    }
  });
});

describe('GET /robots.txt', () => {
  it('lets everybody in and names the sitemap', async () => {
    const answer = await send(website.publicUrl, '/robots.txt');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.text).toBe(
      '# Agents find an index at https://site.example/llms.txt\nUser-agent: *\nAllow: /\n\n' +
        'Sitemap: https://site.example/sitemap.xml\n',
    );
  });
});
