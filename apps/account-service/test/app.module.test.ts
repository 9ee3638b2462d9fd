import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Metrics, Readiness } from '@gpu-observatory/service-runtime/monitoring';
import { Test } from '@nestjs/testing';
import { AppModule } from '../src/app.module.ts';
import { AnonymousRejections } from '../src/audit/anonymous-rejections.ts';
import { systemClock } from '../src/clock/clock.ts';
import { readConfig } from '../src/config/account.config.ts';
import { Sessions } from '../src/sessions/sessions.service.ts';
import { environmentFor, useAccountService } from './support/running-account-service.ts';

const service = useAccountService();

test('a provider can be overridden in a testing module', async () => {
  const recorded: string[] = [];
  const { provider, database, running, url } = service;
  const config = readConfig(environmentFor(url, 0, database.serviceUrl, provider));
  const runtime = { ...running.runtime, readiness: new Readiness(), metrics: new Metrics('test') };
  const module = await Test.createTestingModule({
    imports: [AppModule.with(config, runtime, systemClock)],
  })
    .overrideProvider(AnonymousRejections)
    .useValue({ record: ({ action }: { action: string }) => recorded.push(action) })
    .compile();
  const application = module.createNestApplication(new FastifyAdapter());

  const origin = { network: '192.0.2.1', requestId: 'test' };
  await expect(application.get(Sessions).refresh('unknown', origin)).rejects.toThrow('The refresh token');
  expect(recorded).toEqual(['refresh_rejected']);
});
