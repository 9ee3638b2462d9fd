import { committedContent } from '../support/committed-content.ts';
import { richContent } from '../support/rich-content.ts';
import { useWebsite } from '../support/website.ts';

const site = useWebsite(async () => ({ ...(await committedContent()), ...richContent }), {
  AGENT_FRONTEND_URL: 'http://localhost:4173',
});

describe('GET /llms.txt', () => {
  it('follows llmstxt.org: title, summary, context, sections of links', async () => {
    const response = await site.get('/llms.txt');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.headers['cache-control']).toBe('public, max-age=60, stale-while-revalidate=600');
    const [title, , summary] = response.text.split('\n');
    expect(title).toBe('# GPU Observatory');
    expect(summary).toMatch(/^> ./);
    const sections = response.text.split(/^## /m).slice(1);
    expect(sections.length).toBeGreaterThan(4);
    for (const section of sections) {
      const [, blank, ...links] = section.trimEnd().split('\n');
      expect(blank).toBe('');
      for (const link of links) expect(link).toMatch(/^- \[[^\]]+\]\(https:\/\/[^)]+\): .+$/);
    }
  });
});

describe('GET /agents.md', () => {
  it('has instructions with the URLs of this installation', async () => {
    const response = await site.get('/agents.md');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(response.text).toContain('https://fleet.example/api/v1');
    expect(response.text).toContain('https://account.example/api/v1');
  });
});

describe('the introduction for agents', () => {
  it('has at most 2,500 tokens of four bytes: /llms.txt and /agents.md', async () => {
    const [index, guidance] = [(await site.get('/llms.txt')).text, (await site.get('/agents.md')).text];
    expect(index).toMatch(/^## Newest posts$/m);
    expect(Buffer.byteLength(index + guidance) / 4).toBeLessThanOrEqual(2_500);
    expect(guidance).toContain('filter[FIELD][OPERATOR]');
  });
});

describe('the recommended calls of /agents.md', () => {
  it('start with the cheapest and have a size each', async () => {
    const { text } = await site.get('/agents.md');
    const rows = [...text.matchAll(/^\| ([\d,]+) \| `GET (\S+)` \| .+ \|$/gm)];
    const sizes = rows.map(([, size]) => Number(size?.replaceAll(',', '')));
    expect(sizes.length).toBeGreaterThanOrEqual(8);
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    expect(sizes[0]).toBeGreaterThan(0);
  });
});

describe('GET /robots.txt', () => {
  it('allows all crawlers and links the sitemap', async () => {
    const response = await site.get('/robots.txt');
    expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(response.text).toBe(
      '# Agents find an index at https://site.example/llms.txt\nUser-agent: *\nAllow: /\n\n' +
        'Sitemap: https://site.example/sitemap.xml\n',
    );
  });
});
