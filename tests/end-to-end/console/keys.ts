import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ConsoleBrowser } from './console-browser.ts';
import { probe, query } from './key-snippets.ts';

interface ApiKey {
  id: number;
  name: string;
  key: string;
}

export function describeKeys(browser: ConsoleBrowser): void {
  const keysOfApi = async () => (await browser.api<{ api_keys: ApiKey[] }>('account/keys')).api_keys;

  it('creates, rotates and deletes a key, and shows each secret once', async () => {
    const page = await browser.open('/keys');
    const rows = page.locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe((await keysOfApi()).length);

    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('console test');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const secret = page.getByTestId('secret');
    await secret.waitFor();
    const first = await secret.innerText();
    const created = (await keysOfApi()).find(({ name }) => name === 'console test')!;
    expect(first.slice(-4)).toBe(created.key.slice(-4));
    expect(first.length).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await rows.filter({ hasText: 'console test' }).waitFor();
    expect(await page.content()).not.toContain(first);

    await page.getByRole('button', { name: 'Rotate console test' }).click();
    await page.getByText('The old secret stops working at once.').waitFor();
    await page.getByRole('button', { name: 'Rotate the key' }).click();
    await secret.waitFor();
    expect(await secret.innerText()).not.toBe(first);
    await page.getByRole('button', { name: 'I have stored it' }).click();

    await page.getByRole('button', { name: 'Delete console test' }).click();
    await page.getByRole('button', { name: 'Delete the key' }).click();
    await rows.filter({ hasText: 'console test' }).waitFor({ state: 'detached' });
    expect((await keysOfApi()).filter(({ name }) => name === 'console test')).toEqual([]);
  });

  it('creates a key that reads; a shell, Prometheus and Grafana read alerts with what the dialog shows, until it may no longer', async () => {
    const page = await browser.open('/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('reading test');
    await page.getByLabel(/^May read/).check();
    await page.getByRole('button', { name: 'Create the key' }).click();
    const secret = await page.getByTestId('secret').innerText();
    // Answers the prompt of curl.
    const script = (await page.getByTestId('snippet-0').innerText()).replace(
      /-u '(\d+)'/,
      `-u '$1:${secret}'`,
    );
    expect(script).toContain(secret);
    const shell = () => promisify(execFile)('sh', ['-c', script]);
    const { alerts } = JSON.parse((await shell()).stdout) as { alerts: unknown[] };
    expect(alerts.length).toBeGreaterThan(0);
    const snippet = async (index: number) => (await page.getByTestId(`snippet-${index}`).textContent()) ?? '';
    const counts = await probe(await snippet(1));
    expect(Object.keys(counts)).toContain('severity=critical');
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    expect(await query(await snippet(2), '/api/v1/alerts?page_size=1')).toMatchObject({ total_size: total });
    await page.getByRole('button', { name: 'I have stored it' }).click();

    await page.getByRole('button', { name: 'Access of reading test' }).click();
    await page.getByLabel(/^May read/).uncheck();
    await page.getByRole('button', { name: 'Save the access' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    expect((await shell()).stdout).toContain('unauthorized');

    await page.getByRole('button', { name: 'Delete reading test' }).click();
    await page.getByRole('button', { name: 'Delete the key' }).click();
    await page.locator('tbody tr').filter({ hasText: 'reading test' }).waitFor({ state: 'detached' });
  });
}
