import 'reflect-metadata';
import { type CanActivate, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { DataSource } from 'typeorm';
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
const keys = createRemoteJWKSet(new URL(environment('JWKS_URL')));

class TokenGuard implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<{
      headers: Record<string, string | undefined>;
      customerIds: number[];
    }>();
    const token = request.headers['authorization']?.replace(/^Bearer /, '') ?? '';
    const { payload } = await jwtVerify(token, keys, { issuer: environment('TOKEN_ISSUER') });
    const access = payload['access'] as { customer_id: number }[];
    request.customerIds = access.map(({ customer_id }) => customer_id);
    return true;
  }
}
Injectable()(TokenGuard);

/**
 * Standalone program: NestJS on Express, TypeORM repositories with `find()`, uncached token verification. Decorators are
 * called as functions, because Node runs this file directly.
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
const application = await NestFactory.create(OrmBaseline, { logger: false });
await application.listen(Number(environment('PORT')), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
