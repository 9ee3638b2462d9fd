import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright, type Page } from 'playwright-core';

/** Returns the URL of the console of the running local stack. */
export function consoleUrl(): string {
  const dataDirectory =
    process.env.OBSERVATORY_DATA_DIRECTORY || fileURLToPath(new URL('../../../.local', import.meta.url));
  const file = readFileSync(join(dataDirectory, 'stack.json'), 'utf8');
  return (JSON.parse(file) as { console_url: string }).console_url;
}

export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    // Containers have no user namespaces for the sandbox.
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

/** Signs Ada in, on the sign-in page. */
export async function signIn(page: Page): Promise<void> {
  await page.goto(consoleUrl());
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click();
  await page.locator('button[name=email][value="ada@acme.example"]').click();
  await page.waitForURL(`${consoleUrl()}/**`);
}
