import { fleetEnvelope } from '@gpu-observatory/error-envelopes';
import type { ServiceDefinition } from '@gpu-observatory/service-runtime';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.ts';
import { type FleetConfig, readConfig } from '../config/fleet.config.ts';
import { rememberAnswers } from './http-cache/response-cache.ts';
import { SharedPositions } from './data-version/coalesced-data-versions.ts';
import { overrideXids } from '../model/health/xid-catalog.ts';
import { refuseUndecodableQueries } from './query-parameters/reject-undecodable-queries.ts';
import { TokenGuard } from './tokens/token-guard.ts';

/** What tells fleet-api from the other services. */
export const fleetApi: ServiceDefinition<FleetConfig> = {
  name: 'fleet-api',
  readConfig,
  module: (config, runtime) => {
    overrideXids(config.xidTableFile);
    return AppModule.compose(config, runtime);
  },
  envelope: fleetEnvelope,
  extend(application, { answerMemoryBytes }, runtime) {
    const server = application.getHttpAdapter().getInstance() as unknown as FastifyInstance;
    refuseUndecodableQueries(server);
    rememberAnswers(server, runtime, {
      guard: application.get(TokenGuard),
      positions: application.get(SharedPositions),
      maxBytes: answerMemoryBytes,
    });
    return Promise.resolve();
  },
  openApi: {
    title: 'GPU Observatory fleet data API',
    description: 'Security alerts and the GPU fleet, read-only, per tenant.',
    version: '1.0.0',
    bearer: true,
  },
};
