import type { accountTypes } from '@gpu-observatory/client';
import { errorWith } from '../expectations.ts';

export type Schemas = accountTypes.components['schemas'];
export const API = '/api/v1';
export const NO_SUCH_ID = 2_147_483_647;
export const expectError = errorWith('title', 'detail');
