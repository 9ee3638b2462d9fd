import { createLogger } from '../../src/monitoring.ts';

export const silentLogger = createLogger('test', 'silent');
