import { createHash } from 'node:crypto';
import type { Queryable } from '@gpu-observatory/service-runtime/process';
import {
  DataSource,
  type DataSourceOptions,
  type EntityTarget,
  type ObjectLiteral,
  QueryFailedError,
  type Repository,
} from 'typeorm';
import { ApiKey } from '../api-keys/api-key.entity.ts';
import { Session } from '../sessions/session.entity.ts';
import { SigningKey } from '../signing-keys/signing-key.entity.ts';
import { CustomerDomain } from '../tenants/customer-domain.entity.ts';
import { Customer } from '../tenants/customer.entity.ts';
import { UserIdentity } from '../users/user-identity.entity.ts';
import { User } from '../users/user.entity.ts';
import { WorkspaceMember } from '../workspaces/workspace-member.entity.ts';
import { Workspace } from '../workspaces/workspace.entity.ts';

export const ENTITIES = [
  Customer,
  CustomerDomain,
  Workspace,
  WorkspaceMember,
  User,
  UserIdentity,
  ApiKey,
  Session,
  SigningKey,
];

/**
 * Data source without connections. Its statements run on a `Queryable`: the database of the service or of a command, or one
 * transaction on it, with their time limits. So it is ready while the database is away. See
 * docs/decisions/database-access.md#entities-in-account-service.
 */
export class AccountDataSource extends DataSource {
  constructor(private readonly queryable: Queryable) {
    super({ type: 'postgres', schema: 'account', entities: ENTITIES });
  }

  /** @param options `extra.database` runs the statements */
  static create(options = {} as DataSourceOptions): Promise<AccountDataSource> {
    const { database } = options.extra as { database: Queryable };
    return new AccountDataSource(database).initialize();
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

  override createQueryRunner(): ReturnType<DataSource['createQueryRunner']> {
    return this.runnerOn(this.queryable);
  }

  /** Returns a repository whose statements run on this database or transaction. */
  repositoryOn<Row extends ObjectLiteral>(queryable: Queryable, entity: EntityTarget<Row>): Repository<Row> {
    return this.createEntityManager(this.runnerOn(queryable)).getRepository(entity);
  }

  private runnerOn(queryable: Queryable): ReturnType<DataSource['createQueryRunner']> {
    const runner = super.createQueryRunner('master');
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

/** Names of statements, by text. */
const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

const NO_DATABASE: Queryable = { query: () => Promise.reject(new Error('this data source has no database')) };
const metadata = await new AccountDataSource(NO_DATABASE).initialize();

/** Returns a repository whose statements run on this database or transaction. */
export function repository<Row extends ObjectLiteral>(
  queryable: Queryable,
  entity: EntityTarget<Row>,
): Repository<Row> {
  return metadata.repositoryOn(queryable, entity);
}
