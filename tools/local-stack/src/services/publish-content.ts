import { runToEnd } from '../processes/run-to-end.ts';
import type { ServiceEnvironments } from './service-environments.ts';
import { operationsOf } from './services.ts';

/** Has the site publish the posts that lie in the repository. */
export async function publishContent(
  { operations }: ServiceEnvironments,
  logs: string,
  signal: AbortSignal,
): Promise<void> {
  await runToEnd(
    {
      name: 'website-api-operations',
      script: operationsOf('website'),
      args: ['content', 'sync', 'apps/website-api/content'],
      env: operations.website,
      logs,
    },
    signal,
  );
}
