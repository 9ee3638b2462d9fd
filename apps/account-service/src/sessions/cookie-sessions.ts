import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SignOutVerifier } from '../tokens/token-verifiers.ts';
import { SessionCookies } from './session-cookies.ts';
import { Sessions } from './sessions.service.ts';

/** Finds the sessions of the cookies of a request, to end them. The caller checks the origin. */
@Injectable()
export class CookieSessions {
  constructor(
    private readonly verifier: SignOutVerifier,
    private readonly cookies: SessionCookies,
    private readonly sessions: Sessions,
  ) {}

  /** Returns the ids of the sessions of all cookies, each once, in order. Invalid tokens are ignored. */
  async find(request: FastifyRequest, which: { accessCookie: boolean }): Promise<string[]> {
    const { access, refresh } = this.cookies.allTokensOf(request);
    const callers = await Promise.all(
      (which.accessCookie ? access : []).map((token) => this.verifier.verify(token)),
    );
    const ids = [
      ...callers.flatMap((caller) => caller?.sessionId ?? []),
      ...(await this.sessions.findByRefreshTokens(refresh)),
    ];
    return [...new Set(ids)].sort();
  }
}
