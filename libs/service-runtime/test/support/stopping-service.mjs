// A service that runs as its own process, for tests that start and stop it. Node runs this file as is, so decorators are function calls.
import { Controller, Get, Query } from '@nestjs/common';
import { startService } from '@gpu-observatory/service-runtime';
import {
  fleetEnvelope,
  readSettings,
  serviceConfig,
  serviceSettings,
} from '@gpu-observatory/service-runtime/process';

class SlowController {
  async respond(milliseconds) {
    await new Promise((resolve) => setTimeout(resolve, Number(milliseconds)));
    return { milliseconds };
  }
}
Query('milliseconds')(SlowController.prototype, 'respond', 0);
Get('slow')(
  SlowController.prototype,
  'respond',
  Object.getOwnPropertyDescriptor(SlowController.prototype, 'respond'),
);
Controller()(SlowController);

class SlowModule {
  async onModuleInit() {
    await new Promise((resolve) => setTimeout(resolve, Number(process.env.START_MS ?? 0)));
  }
}

await startService({
  name: 'stopping-service',
  readConfig: (environment) => ({ service: serviceConfig(readSettings(serviceSettings, environment)) }),
  module: () => ({ module: SlowModule, controllers: [SlowController] }),
  envelope: fleetEnvelope,
  reference: () => ({ publicUrl: 'https://stopping.example' }),
  openApi: {
    title: 'Stopping',
    description: 'Stops.',
    version: '0.1.0',
    tags: {},
    examples: { respond: {} },
  },
});
