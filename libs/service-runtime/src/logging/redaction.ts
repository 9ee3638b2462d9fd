import { types } from 'node:util';

const CENSORED = '[redacted]';

/** Names whose values are secrets wherever they stand; compared without case, `-` and `_`. */
const SECRET_NAMES = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'xapikey',
  'apikey',
  'password',
  'secret',
  'clientsecret',
  'credential',
  'privatekey',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'codeverifier',
]);
/** Secrets in a request (an authorization code, an API key, a flow's state), but plain words in an error. */
const REQUEST_SECRET_NAMES = new Set(['code', 'key', 'state']);

/** Deeper than anything worth logging; also the end of a circle. */
const MAX_DEPTH = 8;

/** Secrets within a text: bearer credentials, signed tokens, passwords in a URL, secrets in a query string. */
const SECRET_TEXTS: [pattern: RegExp, replacement: string][] = [
  [/\b(Bearer|Basic) [\w.~+/=-]{8,}/gi, `$1 ${CENSORED}`],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, CENSORED],
  [/(\w:\/\/[^\s:/@]*):[^\s/"]+@/g, `$1:${CENSORED}@`],
  [
    /([?&](?:code|state|key|token|password|secret|access_token|refresh_token|id_token|client_secret|code_verifier)=)[^&\s"'\\]+/gi,
    `$1${CENSORED}`,
  ],
];

/** A copy of what somebody logs, without secrets, however deep. Errors are left to `redactError`. */
export function redact(line: Record<string, unknown>): Record<string, unknown> {
  return copy(line, true, 0) as Record<string, unknown>;
}

/** The same for an error that was made a plain object: its `code` says what kind it is. */
export function redactError(error: Record<string, unknown>): Record<string, unknown> {
  return copy(error, false, 0) as Record<string, unknown>;
}

/** A whole line before it is written. */
export function redactText(text: string): string {
  return SECRET_TEXTS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}

function copy(value: unknown, isRequest: boolean, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (types.isNativeError(value) || types.isDate(value)) return value;
  if (depth > MAX_DEPTH) return '[too deep]';
  if (Array.isArray(value)) return value.map((member) => copy(member, isRequest, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecret(name, isRequest) ? CENSORED : copy(member, isRequest, depth + 1),
    ]),
  );
}

function isSecret(name: string, isRequest: boolean): boolean {
  const plain = name.toLowerCase().replace(/[-_]/g, '');
  return SECRET_NAMES.has(plain) || (isRequest && REQUEST_SECRET_NAMES.has(plain));
}
