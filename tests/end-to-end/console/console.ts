import type { SharedStack } from '../shared-stack.ts';
import { describeAccessibility } from './accessibility.ts';
import { describeBudgets } from './budgets.ts';
import { type ConsoleBrowser, openConsoleBrowser } from './console-browser.ts';
import { describeFailures } from './failures.ts';
import { describeHosts } from './hosts.ts';
import { describeIdleTab } from './idle.ts';
import { describeKeys } from './keys.ts';
import { describeNavigation } from './navigation.ts';
import { describePalette } from './palette.ts';
import { describeServer } from './server.ts';
import { describeSessions } from './sessions.ts';
import { describeTriage } from './triage.ts';
import { describeUsage } from './usage.ts';
import { describeViews } from './views.ts';
import { describeXids } from './xids.ts';

/** Tests the built console in a browser with the real services. */
export function describeConsole(shared: SharedStack): void {
  describe('the console', () => {
    const browser = {} as ConsoleBrowser;

    beforeAll(async () => Object.assign(browser, await openConsoleBrowser(shared)));
    afterEach(() => browser.closePages());
    afterAll(() => browser.close());

    describeServer(shared);
    describeSessions(shared, browser);
    describeViews(browser);
    describeHosts(browser);
    describeXids(browser);
    describeUsage(browser);
    describePalette(browser);
    describeTriage(browser);
    describeNavigation(browser);
    describeIdleTab(browser);
    describeBudgets(browser);
    describeKeys(browser);
    describeFailures(browser);
    describeAccessibility(browser);
  });
}
