import { Module } from '@nestjs/common';
import { entityModule } from '@gpu-observatory/service-runtime';
import { ENTITIES } from './repositories.ts';

/** Repositories of the entities, on the database of the service. */
@Module({ imports: [entityModule('website', ENTITIES)] })
export class DatabaseModule {}
