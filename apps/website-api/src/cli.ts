import { runOperations } from '@gpu-observatory/service-runtime';
import { websiteOperations } from './website-operations.ts';

await runOperations(websiteOperations());
