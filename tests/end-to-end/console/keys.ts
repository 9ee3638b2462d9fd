import type { ConsoleBrowser } from './console-browser.ts';

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
}
