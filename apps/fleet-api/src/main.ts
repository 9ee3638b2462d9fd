import { startService } from '@gpu-observatory/service-runtime';
import { fleetApi } from './fleet-api.ts';

await startService(fleetApi);
