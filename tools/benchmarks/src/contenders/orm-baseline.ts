import 'reflect-metadata';
import { type CanActivate, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import { cachedTokens } from './cached-tokens.ts';
import {
  AlertDetailEntity,
  AlertEntity,
  GpuDayEntity,
  GpuEntity,
  TimelineEventEntity,
} from './orm-baseline.entities.ts';
import { AlertRoutes, GpuRoutes } from './orm-baseline.routes.ts';

const environment = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing`);
  return value;
};

const source = new DataSource({
  type: 'postgres',
  url: environment('DATABASE_URL'),
  entities: [AlertEntity, AlertDetailEntity, TimelineEventEntity, GpuEntity, GpuDayEntity],
  poolSize: 10,
});
const verify = cachedTokens(environment('JWKS_URL'), environment('TOKEN_ISSUER'));

class TokenGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<{
      headers: Record<string, string | undefined>;
      customerIds: number[];
    }>();
    const claims = await verify(request.headers['authorization']);
    if (claims === null) return false;
    const access = claims['access'] as { customer_id: number }[];
    request.customerIds = access.map(({ customer_id }) => customer_id);
    return true;
  }
}
Injectable()(TokenGuard);

/**
 * Standalone program: NestJS on Fastify, TypeORM repositories with `find()`, cached token verification. Decorators are called as
 * functions, because Node runs this file directly.
 */
class OrmBaseline {}
Module({
  controllers: [AlertRoutes, GpuRoutes],
  providers: [
    { provide: DataSource, useValue: source },
    { provide: APP_GUARD, useClass: TokenGuard },
  ],
})(OrmBaseline);

await source.initialize();
const application = await NestFactory.create(OrmBaseline, new FastifyAdapter(), { logger: false });
await application.listen(Number(environment('PORT')), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
