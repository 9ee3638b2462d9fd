import { Injectable } from '@nestjs/common';
import { RateLimits } from '@gpu-observatory/service-runtime/process';
import type { FastifyReply } from 'fastify';
import { originOf } from '../audit/audit.ts';
import { AuthorizationCodes } from '../authorization-codes/authorization-codes.service.ts';
import type { LimitedAction } from '../requests/rate-limits.ts';
import { Admission } from './admission.ts';
import { frontendCallback } from './frontend-urls.ts';
import { redirect } from './redirect.ts';
import type { ConsumedAttempt } from './sign-in-attempts.ts';
import type { ProviderIdentity } from './strategies/provider.ts';

/** Completes sign-ins through a provider. */
@Injectable()
export class SignIn {
  constructor(
    private readonly admission: Admission,
    private readonly rateLimits: RateLimits<LimitedAction>,
    private readonly codes: AuthorizationCodes,
  ) {}

  /**
   * Redirects to the frontend with an authorization code.
   *
   * @throws {SignInDenied} when the user may not sign in
   */
  async complete(reply: FastifyReply): Promise<void> {
    const { request } = reply;
    const identity = request.identity as ProviderIdentity;
    const { frontendUrl, codeChallenge, browserHash } = request.signInAttempt as ConsumedAttempt;
    const user = await this.admission.admit(identity, originOf(request));
    await this.rateLimits.count('session', `user:${user.id}`, reply);
    const code = await this.codes.issue({
      userId: user.id,
      signInMethod: identity.provider,
      frontendUrl,
      codeChallenge,
      browserHash,
    });
    redirect(reply, frontendCallback(frontendUrl, { code }));
  }
}
