import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { DomainError, websiteErrors } from '@gpu-observatory/service-runtime/process';
import type { FastifyRequest } from 'fastify';
import { WebsiteConfig } from '../config/website.config.ts';
import { KeyIntrospection } from './key-introspection.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Sender of a contact request: a browser origin, as `origin https://…`, or an API key, as `key 12`. */
    sender?: string;
  }
}

const SCOPE = 'contact:write';

/**
 * Authorizes contact requests by API key or browser origin. A key takes precedence over the origin. See
 * docs/website-api.md#contact.
 */
@Injectable()
export class ContactSenderGuard implements CanActivate {
  constructor(
    private readonly config: WebsiteConfig,
    private readonly keys: KeyIntrospection,
  ) {}

  /**
   * @throws {DomainError} 401 without key and origin or for an unknown key, 403 for a missing scope or other origin
   * @throws {DependencyUnavailable} if the key cannot be introspected
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { 'x-api-key': key, origin } = request.headers;
    request.sender = key === undefined ? this.ofOrigin(origin) : await this.ofKey(String(key));
    return true;
  }

  private ofOrigin(origin: string | undefined): string {
    if (origin === undefined) {
      throw new DomainError(
        websiteErrors.unauthorized,
        `Send an API key with the scope ${SCOPE} in the x-api-key header, or send the request from a page of this site.`,
      );
    }
    if (!this.config.contact.origins.includes(origin)) {
      throw new DomainError(
        websiteErrors.forbidden,
        'This origin may not send contact requests. Send an API key in the x-api-key header instead.',
      );
    }
    return `origin ${origin}`;
  }

  private async ofKey(key: string): Promise<string> {
    const active = await this.keys.introspect(key);
    if (!active)
      throw new DomainError(websiteErrors.unauthorized, 'The API key is unknown or no longer valid.');
    if (!active.scopes.includes(SCOPE)) {
      throw new DomainError(websiteErrors.forbidden, `The API key lacks the scope ${SCOPE}.`);
    }
    return `key ${active.keyId}`;
  }
}

/** The sender that the guard found. */
export const Sender = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().sender,
);
