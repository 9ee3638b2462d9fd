import { errorWith } from '../expectations.ts';

export const API = '/api/v1';
export const NO_SUCH_ID = 2_147_483_647;
export const expectError = errorWith('title', 'detail');
