import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';

/** Starts the Chromium of an npm package, which needs no installation. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args: sparticuz.args });
}
