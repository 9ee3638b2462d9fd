import { createLogger } from '../../src/process.ts';

export const silentLogger = createLogger('test', 'silent');
