/** The three services, by the short name that the stack's own files call them. */
export const services = {
  fleet: 'fleet-api',
  account: 'account-service',
  website: 'website-api',
} as const;

export type ServiceKey = keyof typeof services;
export const serviceKeys = Object.keys(services) as ServiceKey[];

/** From the root folder: what serves HTTP, and what runs operations. */
export const mainOf = (key: ServiceKey) => `apps/${services[key]}/dist/src/main.js`;
export const operationsOf = (key: ServiceKey) => `apps/${services[key]}/dist/src/cli.js`;
