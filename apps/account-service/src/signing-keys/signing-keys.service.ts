import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SECOND_MS } from '@gpu-observatory/domain-types';
import { Runtime } from '@gpu-observatory/service-runtime';
import { Database, DependencyUnavailable } from '@gpu-observatory/service-runtime/process';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { audit } from '../audit/audit.ts';
import { addSeconds, readDatabaseTime } from '../clock/clock.ts';
import { AccountConfig } from '../config/account.config.ts';
import { Encryptor } from '../secrets/encryptor.ts';
import { rotateSigningKeys, SIGNING_KEY_PURPOSE } from './rotation.ts';
import type { SigningKey } from './signing-key.entity.ts';
import { readSigningKeys } from './signing-keys.queries.ts';
import { decryptStoredKey, type StoredKey } from './stored-key.ts';

/** Tokens that a withdrawn key signs until the next poll are rejected, so the interval is short. */
const POLL_INTERVAL_MS = SECOND_MS;

/**
 * Signing keys of all replicas, read from the shared table. Private keys are decrypted in memory only. The first
 * replica to start creates the first key. When a key reaches its maximum age, the replica that notices first publishes
 * its successor.
 */
@Injectable()
export class SigningKeys implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly encryptor: Encryptor;
  private rows: SigningKey[] = [];
  /** Keys this service can decrypt, in descending order of `signFrom`. */
  private keys: StoredKey[] = [];
  private keySet: { jwks: JSONWebKeySet; find: JWTVerifyGetKey } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    @Inject(AccountConfig) private readonly config: Pick<AccountConfig, 'tokens'>,
    private readonly runtime: Runtime,
  ) {
    this.encryptor = new Encryptor(config.tokens.signingKeySecrets, SIGNING_KEY_PURPOSE);
    runtime.readiness.register('signing keys', () =>
      this.keySet ? null : 'no signing key has been read yet',
    );
  }

  /** Returns the published key of a token, for a verifier. */
  readonly find: JWTVerifyGetKey = (header, token) => {
    if (!this.keySet) throw new DependencyUnavailable('the signing key set');
    return this.keySet.find(header, token);
  };

  /** Key set of `/.well-known/jwks.json`. */
  get published(): JSONWebKeySet {
    if (!this.keySet) throw new DependencyUnavailable('the signing key set');
    return this.keySet.jwks;
  }

  /** Returns the newest key whose `signFrom` has passed. `now` is the time of the database. */
  at(now: Date): StoredKey {
    const key = this.keys.find(({ signFrom }) => signFrom <= now) ?? this.keys.at(-1);
    if (!key) throw new DependencyUnavailable('the signing key set');
    return key;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.poll();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Reads the keys, and publishes a new one when it is due. */
  async refresh(): Promise<void> {
    const now = await readDatabaseTime(this.database);
    let rows = await readSigningKeys(this.database, now);
    if (this.isDue(rows[0], now)) {
      const kid = await this.database.transaction(async (transaction) => {
        const created = await rotateSigningKeys(transaction, this.encryptor, now, (newest) =>
          this.isDue(newest, now),
        );
        if (created !== null) {
          const detail = { kid: created, cause: 'age' };
          await audit(transaction, { action: 'signing_key_published', actor: 'anonymous', detail });
        }
        return created;
      });
      if (kid !== null) this.runtime.logger.info({ kid }, 'published a signing key');
      rows = await readSigningKeys(this.database, now);
    }
    this.update(rows);
  }

  private async poll(): Promise<void> {
    try {
      await this.refresh();
    } catch (failure) {
      this.runtime.logger.error({ err: failure }, 'reading the signing keys failed');
    }
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.poll(), POLL_INTERVAL_MS);
    this.timer.unref();
  }

  private isDue(newest: SigningKey | undefined, now: Date): boolean {
    return (
      newest === undefined || addSeconds(newest.sign_from, this.config.tokens.signingKeyMaxAgeSeconds) <= now
    );
  }

  private update(rows: SigningKey[]): void {
    if (this.keySet && isSame(rows, this.rows)) return;
    this.keys = this.decryptUsable(rows);
    this.rows = rows;
    const jwks: JSONWebKeySet = { keys: this.keys.map(({ publicJwk }) => publicJwk) };
    this.keySet = { jwks, find: createLocalJWKSet(jwks) };
  }

  /** Skips rows that cannot be used, so that a forged row is neither published nor blocks changes of the others. */
  private decryptUsable(rows: SigningKey[]): StoredKey[] {
    const decrypted = new Map(this.keys.map((key) => [key.kid, key.privateKey]));
    const failures: unknown[] = [];
    const keys = rows.flatMap((row) => {
      try {
        return [decryptStoredKey(row, this.encryptor, decrypted.get(row.kid))];
      } catch (failure) {
        this.runtime.logger.error({ err: failure, kid: row.kid }, 'skipped an unusable signing key');
        failures.push(failure);
        return [];
      }
    });
    if (keys.length === 0) throw failures[0] ?? new Error('no signing key exists');
    return keys;
  }
}

/** Compares ids and signing times; nothing else of a published key changes. */
function isSame(rows: SigningKey[], others: SigningKey[]): boolean {
  const text = (each: SigningKey[]) => each.map((row) => `${row.kid} ${row.sign_from.getTime()}`).join();
  return text(rows) === text(others);
}
