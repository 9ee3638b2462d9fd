import { createContext } from 'react';
import type { Pulse } from './use-pulse.ts';

/** The data version of the scope, polled once for all views. */
export const PulseContext = createContext<Pulse>({
  dataAsOf: undefined,
  confirmedAtMs: undefined,
  error: null,
});
