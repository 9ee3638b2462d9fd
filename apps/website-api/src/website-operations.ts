import { createOperations, operationsSettings } from '@gpu-observatory/service-runtime';
import { migrations } from '../migrations/index.ts';
import { websiteSettings } from './config/website.config.ts';

/** The operations commands of website-api. */
export const websiteOperations = () =>
  createOperations({
    name: 'website-api',
    schema: 'website',
    migrations,
    settings: { ...websiteSettings, ...operationsSettings },
    runtimeUrlVariables: ['DATABASE_URL'],
  });
