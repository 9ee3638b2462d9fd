import type { DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { Database } from './database.ts';
import { EntityDataSource } from './entity-data-source.ts';

/** Provides repositories of the entities of a schema, on the database of the service. */
export function entityModule(
  schema: string,
  entities: ConstructorParameters<typeof EntityDataSource>[1],
): DynamicModule {
  return TypeOrmModule.forRootAsync({
    inject: [Database],
    useFactory: (database: Database) => ({ type: 'postgres', extra: { database } }),
    dataSourceFactory: async (options = {} as DataSourceOptions) => {
      const { database } = options.extra as { database: Database };
      return new EntityDataSource(schema, entities, database).initialize();
    },
  });
}
