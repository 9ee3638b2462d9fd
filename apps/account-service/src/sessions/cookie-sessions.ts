import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SignOutVerifier } from '../tokens/token-verifiers.ts';
import { SessionCookies } from './session-cookies.ts';
import { Sessions } from './sessions.service.ts';

/** Finds the sessions of the cookies of a request, to end them. A guard or the caller checks the origin. */
@Injectable()
export class CookieSessions {
  constructor(
    private readonly verifier: SignOutVerifier,
    private readonly cookies: SessionCookies,
    private readonly sessions: Sessions,
  ) {}

  /** Returns the sessions that a new session in the same browser replaces. */
  findReplaced(request: FastifyRequest): Promise<string[]> {
    return this.find(this.cookies.allTokensOf(request));
  }

  /** Returns the sessions that a sign-out ends. */
  findSignedOut(request: FastifyRequest): Promise<string[]> {
    return this.find(this.cookies.signOutTokensOf(request));
  }

  /** Returns the ids of the sessions, each once, in order. Invalid tokens are ignored. */
  private async find({ access, refresh }: { access: string[]; refresh: string[] }): Promise<string[]> {
    const callers = await Promise.all(access.map((token) => this.verifier.verify(token)));
    const ids = [
      ...callers.flatMap((caller) => caller?.sessionId ?? []),
      ...(await this.sessions.findByRefreshTokens(refresh)),
    ];
    return [...new Set(ids)].sort();
  }
}
