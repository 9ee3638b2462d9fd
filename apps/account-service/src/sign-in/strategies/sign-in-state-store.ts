import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SignInAttempts } from '../sign-in-attempts.ts';

/** Receives an error, or the state (`store`) or the PKCE code verifier (`verify`). */
type Done = (failure: unknown, value?: string) => void;

/**
 * Keeps the state and the PKCE code verifier of a sign-in for its strategy: in `SignInAttempts` until the callback, whose guard
 * consumes them. Strategies that extend passport-oauth2 call `store` and `verify`, which it selects by their number of parameters.
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

  /** The guard has compared the state already: it needs the frontend URL even when the provider reports an error. */
  verify({ signInAttempt }: FastifyRequest, _state: unknown, _meta: unknown, done: Done): void {
    done(null, signInAttempt?.codeVerifier);
  }
}
