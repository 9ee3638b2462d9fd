import { startService } from '@gpu-observatory/service-runtime';
import { fleetApi } from './api/fleet-api.ts';

await startService(fleetApi);
