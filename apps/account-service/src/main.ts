import { startService } from '@gpu-observatory/service-runtime';
import { accountService } from './account-service.ts';

await startService(accountService());
