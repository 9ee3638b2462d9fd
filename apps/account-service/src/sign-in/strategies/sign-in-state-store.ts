import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SignInAttempts } from '../sign-in-attempts.ts';

/** Receives an error, or the state (`store`) or the PKCE code verifier (`verify`). */
type Done = (failure: unknown, value?: string) => void;

/**
 * State and PKCE code verifier of the strategies (`store` of passport-oauth2, which selects the signature by the number of
 * parameters). The guards read and consume the stored attempt, because they need its frontend URL even when the provider
 * reports an error.
 */
@Injectable()
export class SignInStateStore {
  constructor(private readonly attempts: SignInAttempts) {}

  /** Stores the sign-in that the guard prepared. Returns its state. */
  async start({ startingSignIn }: FastifyRequest, codeVerifier: string): Promise<string> {
    if (!startingSignIn) throw new Error('a strategy needs its guard');
    const { provider, browserSecret, ...attempt } = startingSignIn;
    return this.attempts.start(provider, browserSecret, { ...attempt, codeVerifier });
  }

  store(request: FastifyRequest, codeVerifier: string, _state: unknown, _meta: unknown, done: Done): void {
    this.start(request, codeVerifier).then((state) => done(null, state), done);
  }

  verify({ signInAttempt }: FastifyRequest, _state: unknown, _meta: unknown, done: Done): void {
    done(null, signInAttempt?.codeVerifier);
  }
}
