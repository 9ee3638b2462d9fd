import type { KeyObject } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DependencyUnavailable } from '@gpu-observatory/error-envelopes';
import { type Database, type Logger, type Readiness } from '@gpu-observatory/service-runtime';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { audit } from '../audit/audit.ts';
import { after, type Clock } from '../clock/clock.ts';
import type { TokensConfig } from '../config/tokens.config.ts';
import { Seal } from '../secrets/seal.ts';
import { rotateSigningKeys, SIGNING_KEY_PURPOSE } from './rotation.ts';
import { readSigningKeys, type SigningKeyRow } from './signing-keys.queries.ts';
import { openStoredKey, type StoredKey } from './stored-key.ts';

/** A withdrawn key must sign no more at once, or what it signs meanwhile is refused. */
const READ_EVERY_MS = 1_000;
const RETRY_AFTER_MS = 1_000;

/** A key that signs now. */
export interface SigningKey {
  kid: string;
  privateKey: KeyObject;
}

/**
 * The keys of all replicas, read from the table they share, the private ones opened in memory only. The first replica
 * to start makes the first key; whichever looks first after a key has come of age publishes its successor.
 */
@Injectable()
export class SigningKeys implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly seal: Seal;
  private rows: SigningKeyRow[] = [];
  /** Those of the rows that this service may use, the one that signs last first. */
  private keys: StoredKey[] = [];
  private keySet: { jwks: JSONWebKeySet; find: JWTVerifyGetKey } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly config: TokensConfig,
    private readonly clock: Clock,
    private readonly process: { logger: Logger; readiness: Readiness },
  ) {
    this.seal = new Seal(config.signingKeySecrets, SIGNING_KEY_PURPOSE);
    process.readiness.register('signing keys', () => (this.keySet ? null : 'no signing key was read yet'));
  }

  /** Finds a token's key among those published, for a verifier. */
  readonly find: JWTVerifyGetKey = (header, token) => {
    if (!this.keySet) throw new DependencyUnavailable('the signing keys');
    return this.keySet.find(header, token);
  };

  /** What `/.well-known/jwks.json` serves. */
  get published(): JSONWebKeySet {
    if (!this.keySet) throw new DependencyUnavailable('the signing keys');
    return this.keySet.jwks;
  }

  /** The newest key whose time to sign has come. */
  get current(): SigningKey {
    const now = this.clock.now();
    const key = this.keys.find(({ signFrom }) => signFrom <= now) ?? this.keys.at(-1);
    if (!key) throw new DependencyUnavailable('the signing keys');
    return key;
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.follow();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Reads the keys now, making one where it is due. */
  async refresh(): Promise<void> {
    const now = this.clock.now();
    let rows = await readSigningKeys(this.database, now);
    if (this.isDue(rows[0])) {
      const kid = await this.database.transaction(async (transaction) => {
        const made = await rotateSigningKeys(transaction, this.seal, now, (newest) => this.isDue(newest));
        if (made !== null) {
          await audit(transaction, {
            action: 'signing_key_published',
            actor: 'anonymous',
            detail: { kid: made, cause: 'age' },
          });
        }
        return made;
      });
      if (kid !== null) this.process.logger.info({ kid }, 'a signing key was published');
      rows = await readSigningKeys(this.database, now);
    }
    this.remember(rows);
  }

  private async follow(): Promise<void> {
    let wait = READ_EVERY_MS;
    try {
      await this.refresh();
    } catch (failure) {
      this.process.logger.error({ err: failure }, 'the signing keys could not be read');
      wait = RETRY_AFTER_MS;
    }
    if (this.stopped) return;
    this.timer = setTimeout(() => void this.follow(), wait);
    this.timer.unref();
  }

  private isDue(newest: SigningKeyRow | undefined): boolean {
    return (
      newest === undefined || after(newest.sign_from, this.config.signingKeyMaxAgeSeconds) <= this.clock.now()
    );
  }

  private remember(rows: SigningKeyRow[]): void {
    if (this.keySet && isSame(rows, this.rows)) return;
    this.keys = this.usable(rows);
    this.rows = rows;
    const jwks: JSONWebKeySet = { keys: this.keys.map(({ publicJwk }) => publicJwk) };
    this.keySet = { jwks, find: createLocalJWKSet(jwks) };
  }

  /** One that cannot be used is left out, so that a planted row neither counts nor hides what changes beside it. */
  private usable(rows: SigningKeyRow[]): StoredKey[] {
    const known = new Map(this.keys.map((key) => [key.kid, key.privateKey]));
    const failures: unknown[] = [];
    const keys = rows.flatMap((row) => {
      try {
        return [openStoredKey(row, this.seal, known.get(row.kid))];
      } catch (failure) {
        this.process.logger.error({ err: failure, kid: row.kid }, 'a signing key cannot be used');
        failures.push(failure);
        return [];
      }
    });
    if (keys.length === 0) throw failures[0] ?? new Error('there is no signing key');
    return keys;
  }
}

/** What changes of a key is when it signs; whether it is there at all is the rest. */
function isSame(rows: SigningKeyRow[], others: SigningKeyRow[]): boolean {
  const text = (each: SigningKeyRow[]) => each.map((row) => `${row.kid} ${row.sign_from.getTime()}`).join();
  return text(rows) === text(others);
}
