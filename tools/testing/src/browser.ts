import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** Starts the Chromium of an npm package, which needs no installation. */
export async function openBrowser(...moreArguments: string[]): Promise<Browser> {
  return playwright.launch({
    executablePath: await chromium.executablePath(),
    // Containers have no user namespaces for the sandbox. The tests open only trusted pages.
    args: ['--no-sandbox', '--disable-gpu', ...moreArguments],
    // The language of browsers without a locale, such as those of wall screens, is "en-US@posix", which `Intl` rejects.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
}
