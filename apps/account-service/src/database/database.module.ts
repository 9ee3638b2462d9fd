import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Database } from '@gpu-observatory/service-runtime/process';
import { AccountDataSource } from './repositories.ts';

/** Repositories of the entities, on the database of the service. */
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Database],
      useFactory: (database: Database) => ({ type: 'postgres', extra: { database } }),
      dataSourceFactory: (options) => AccountDataSource.create(options),
    }),
  ],
})
export class DatabaseModule {}
