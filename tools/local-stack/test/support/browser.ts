import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** A real Chromium, from npm. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    // Containers have no user namespaces for the sandbox; the pages are ours.
    args: ['--no-sandbox', '--disable-gpu'],
  });
}
