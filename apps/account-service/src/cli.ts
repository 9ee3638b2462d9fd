import { runOperations } from '@gpu-observatory/service-runtime';
import { accountOperations } from './operations/account-operations.ts';

await runOperations(accountOperations());
