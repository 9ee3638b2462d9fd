import {
  type CookieAccountClient,
  cookieSession,
  createAccountClient,
  createFleetClient,
  type FleetClient,
  type SessionEnd,
} from '@gpu-observatory/client';
import { createContext, use } from 'react';
import type { Config } from '../config.ts';

/** The clients of one deployment, with one cookie session. */
export interface Services {
  config: Config;
  fleet: FleetClient;
  account: CookieAccountClient;
  /** Calls the listener when the session ends in this tab or another. Returns the unsubscribe function. */
  onSessionEnd(listener: (reason: SessionEnd) => void): () => void;
}

export function createServices(config: Config): Services {
  const listeners = new Set<(reason: SessionEnd) => void>();
  const session = cookieSession({
    accountUrl: config.account_url,
    onEnd: (reason) => listeners.forEach((listener) => listener(reason)),
  });
  const options = { session, timeoutMs: 20_000, retry: { maxAttempts: 2, maxDelayMs: 2_000 } };
  return {
    config,
    fleet: createFleetClient({ baseUrl: config.fleet_url, conditional: { maxEntries: 60 }, ...options }),
    account: createAccountClient({ baseUrl: config.account_url, ...options }),
    onSessionEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = use(ServicesContext);
  if (services === null) throw new Error('useServices needs a ServicesContext.');
  return services;
}
