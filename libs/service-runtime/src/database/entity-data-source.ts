import { createHash } from 'node:crypto';
import {
  DataSource,
  type EntityTarget,
  type ObjectLiteral,
  QueryFailedError,
  type Repository,
} from 'typeorm';
import type { Queryable } from './statement.ts';

type EntityClass = new () => ObjectLiteral;

/**
 * Data source without connections. Its statements run on a `Queryable`: the database of the service or of a command, or one
 * transaction on it, with their time limits. So it is ready while the database is away. See
 * docs/decisions/database-access.md#entities-in-account-service-and-website-api.
 */
class EntityDataSource extends DataSource {
  constructor(schema: string, entities: EntityClass[]) {
    super({ type: 'postgres', schema, entities });
  }

  /** Builds the metadata. There is no connection to open. */
  override async initialize(): Promise<this> {
    await this.buildMetadatas();
    Object.assign(this, { isInitialized: true });
    return this;
  }

  override async destroy(): Promise<void> {
    Object.assign(this, { isInitialized: false });
  }

  /** Returns a repository whose statements run on this database or transaction. */
  repositoryOn<Row extends ObjectLiteral>(queryable: Queryable, entity: EntityTarget<Row>): Repository<Row> {
    return this.createEntityManager(this.runnerOn(queryable)).getRepository(entity);
  }

  private runnerOn(queryable: Queryable): ReturnType<DataSource['createQueryRunner']> {
    const runner = this.createQueryRunner('master');
    const query = runner.query.bind(runner);
    return Object.assign(runner, {
      connect: () => Promise.resolve(clientOf(queryable)),
      // The error of the driver, without the parameters of the statement.
      query: (...args: Parameters<typeof query>) =>
        query(...args).catch((error: unknown) => {
          throw error instanceof QueryFailedError ? error.driverError : error;
        }),
      // Only `Database.transaction` starts one, on a connection that it checks out.
      startTransaction: () => Promise.reject(new Error('use Database.transaction')),
    });
  }
}

/** Returns a function from a database or transaction to a repository of one of the entities. */
export async function repositoriesOf(schema: string, entities: EntityClass[]) {
  const dataSource = await new EntityDataSource(schema, entities).initialize();
  return <Row extends ObjectLiteral>(queryable: Queryable, entity: EntityTarget<Row>): Repository<Row> =>
    dataSource.repositoryOn(queryable, entity);
}

/**
 * Returns the part of a client that TypeORM uses. The number of affected rows is unknown: a statement that needs it returns
 * its rows. Repositories send a fixed set of texts, so each is prepared under a name.
 */
function clientOf(queryable: Queryable): object {
  return {
    query: async (text: string, values: unknown[] = []) => ({
      command: text.split(' ', 1)[0],
      rows: await queryable.query({ name: nameOf(text), text, values }),
    }),
  };
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
