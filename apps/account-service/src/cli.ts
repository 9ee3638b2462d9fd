import { runOperations } from '@gpu-observatory/service-runtime/process';
import { accountOperations } from './operations/account-operations.ts';

await runOperations(accountOperations());
