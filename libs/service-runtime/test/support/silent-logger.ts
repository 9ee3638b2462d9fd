import { createLogger } from '../../src/index.ts';

export const silentLogger = createLogger('test', 'silent');
