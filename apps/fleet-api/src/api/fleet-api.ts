import type { ServiceDefinition } from '@gpu-observatory/service-runtime';
import { fleetEnvelope } from '@gpu-observatory/service-runtime/process';
import { FLEET_READ_SCOPE } from '@gpu-observatory/token-verification';
import type { FastifyInstance } from 'fastify';
import { type FleetConfig, readConfig } from '../config/fleet.config.ts';
import { customerIdsOfCaller } from './access/access-scope.ts';
import { AppModule } from './app.module.ts';
import { rejectUndecodableQueries } from './query-parameters/query-validation.ts';
import { examples } from './openapi/examples.ts';

export const fleetApi: ServiceDefinition<FleetConfig> = {
  name: 'fleet-api',
  readConfig,
  sharedConnections: 2,
  module: (config, runtime) => AppModule.with(config, runtime),
  envelope: fleetEnvelope,
  responseOwners: customerIdsOfCaller,
  async extend(application) {
    rejectUndecodableQueries(application.getHttpAdapter().getInstance() as unknown as FastifyInstance);
  },
  reference: ({ publicUrl, tokens }) => ({
    publicUrl,
    links: [{ name: 'Account service', url: `${tokens.issuer}/docs` }],
  }),
  openApi: ({ tokens }) => ({
    title: 'GPU Observatory fleet data API',
    description: 'Security alerts, GPU health and fleet metrics of each tenant, read-only.',
    version: '0.1.0',
    credentials: {
      bearer: true,
      clientCredentials: {
        tokenUrl: `${tokens.issuer}/oauth/token`,
        scopes: { [FLEET_READ_SCOPE]: 'Read with an API key.' },
      },
    },
    tags: {
      Alerts: 'Security alerts with counts, details and timelines.',
      GPUs: 'GPUs with their health and the evidence for it.',
      Hosts: 'Hosts with their GPUs, jobs and alerts.',
      'XID incidents': 'Errors of the NVIDIA driver, each with its GPU, alert and what to do.',
      Metrics: 'Metrics of the whole fleet.',
      OAuth: 'How programs get access tokens.',
    },
    examples,
  }),
};
