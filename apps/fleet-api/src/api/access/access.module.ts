import { Module } from '@nestjs/common';
import { ReadLimiter } from './read-limiter.ts';
import { TenantDatabase } from './tenant-database.ts';

/** Access to tenant data. */
@Module({ providers: [ReadLimiter, TenantDatabase], exports: [TenantDatabase] })
export class AccessModule {}
