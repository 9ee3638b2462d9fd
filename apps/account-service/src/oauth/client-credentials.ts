import type { IncomingMessage } from 'node:http';
import { isRepeatedHeader } from '@gpu-observatory/service-runtime';
import { DomainError, oauthErrors } from '@gpu-observatory/service-runtime/process';
import { type ClientCredentials, invalidClient } from '../api-keys/clients.service.ts';
import type { KeyTokenRequest } from './key-token-request.ts';

/**
 * Returns the credentials of a Basic header, or else of the body (RFC 6749, section 2.3.1).
 *
 * @throws {DomainError} 401 without complete credentials, 400 for two headers or two ways at once
 */
export function clientCredentialsOf(message: IncomingMessage, request: KeyTokenRequest): ClientCredentials {
  if (isRepeatedHeader(message, 'authorization')) {
    throw new DomainError(oauthErrors.invalidRequest, 'The Authorization header must be sent once.');
  }
  const { authorization } = message.headers;
  const { client_id: id, client_secret: secret } = request;
  if (authorization === undefined) {
    if (id !== undefined && secret !== undefined) return { id, secret };
    throw invalidClient('Send the id of an API key as client_id and the key as client_secret.');
  }
  const basic = parseBasic(authorization);
  if (!basic)
    throw invalidClient(
      'The Authorization header is not valid: send "Basic" and base64(client_id:client_secret).',
    );
  if (secret !== undefined || (id !== undefined && id !== basic.id)) {
    throw new DomainError(
      oauthErrors.invalidRequest,
      'Authenticate once: with the Authorization header, or with client_id and client_secret in the body.',
    );
  }
  return basic;
}

/** Id and secret are form-encoded in the header. */
function parseBasic(authorization: string): ClientCredentials | null {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1] ?? '';
  const [, id, secret] = /^([^:]+):(.+)$/.exec(Buffer.from(encoded, 'base64').toString('latin1')) ?? [];
  if (id === undefined || secret === undefined) return null;
  try {
    const [decodedId = '', decodedSecret = ''] = [id, secret].map((text) =>
      decodeURIComponent(text.replaceAll('+', ' ')),
    );
    return { id: decodedId, secret: decodedSecret };
  } catch {
    return null;
  }
}
