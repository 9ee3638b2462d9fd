import { runOperations } from '@gpu-observatory/service-runtime/process';
import { websiteOperations } from './website-operations.ts';

await runOperations(websiteOperations());
