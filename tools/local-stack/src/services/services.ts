/** The three services by their short name in `stack.json`. */
export const services = {
  fleet: 'fleet-api',
  account: 'account-service',
  website: 'website-api',
} as const;

export type ServiceKey = keyof typeof services;
export const serviceKeys = Object.keys(services) as ServiceKey[];

/** Paths relative to the repository root: the HTTP server and the operations CLI. */
export const mainOf = (key: ServiceKey) => `apps/${services[key]}/dist/src/main.js`;
export const operationsOf = (key: ServiceKey) => `apps/${services[key]}/dist/src/cli.js`;
