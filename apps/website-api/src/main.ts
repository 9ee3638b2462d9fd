import { startService } from '@gpu-observatory/service-runtime';
import { websiteApi } from './website-api.ts';

await startService(websiteApi);
