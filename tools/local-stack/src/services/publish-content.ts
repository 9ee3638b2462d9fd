import { runToCompletion } from '../processes/run-to-completion.ts';
import type { ServiceEnvironments } from './service-environments.ts';
import { operationsOf } from './services.ts';

/** Publishes the posts of the repository on the website. */
export async function publishContent(
  { operations }: ServiceEnvironments,
  logs: string,
  signal: AbortSignal,
): Promise<void> {
  await runToCompletion(
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
