import { types } from 'node:util';

const CENSORED = '[redacted]';

/** Names whose values are always secret, in any case, with or without `-` and `_` between and around the words. */
const SECRET_NAMES = [
  'authorization',
  'proxy_authorization',
  'cookie',
  'set_cookie',
  'x_api_key',
  'api_key',
  'password',
  'secret',
  'client_secret',
  'credential',
  'private_key',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'code_verifier',
];
/** Names that are secret in a request (authorization code, API key, OAuth state) but not in an error. */
const REQUEST_SECRET_NAMES = ['code', 'key', 'state'];

const oneOf = (names: string[]) => names.join('|').replaceAll('_', '[-_]*');
const SECRET_NAME = new RegExp(`^[-_]*(?:${oneOf(SECRET_NAMES)})[-_]*$`, 'i');
const REQUEST_SECRET_NAME = new RegExp(`^[-_]*(?:${oneOf(REQUEST_SECRET_NAMES)})[-_]*$`, 'i');
const QUERY_PARAMETER = new RegExp(
  String.raw`([?&](?:${oneOf([...SECRET_NAMES, ...REQUEST_SECRET_NAMES])})=)[^&\s"'\\]+`,
  'gi',
);

/** Also ends circular references. */
const MAX_DEPTH = 8;

/** Secrets inside of a text: bearer credentials, signed tokens, passwords in a URL, secrets in a query string. */
const SECRET_TEXTS: [pattern: RegExp, replacement: string][] = [
  [/\b(Bearer|Basic) [\w.~+/=-]{8,}/gi, `$1 ${CENSORED}`],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, CENSORED],
  [/(\w:\/\/[^\s:/@]*):[^\s/"]+@/g, `$1:${CENSORED}@`],
  [QUERY_PARAMETER, `$1${CENSORED}`],
];

/** Returns a deep copy of a log object without secrets. Keeps error objects, which `redactError` handles. */
export function redact(line: Record<string, unknown>): Record<string, unknown> {
  return copy(line, true, 0) as Record<string, unknown>;
}

/** Redacts a serialized error, whose `code` is an error code and not a secret. */
export function redactError(error: Record<string, unknown>): Record<string, unknown> {
  return copy(error, false, 0) as Record<string, unknown>;
}

/** Redacts secrets in a serialized log line. */
export function redactText(text: string): string {
  return SECRET_TEXTS.reduce((line, [pattern, replacement]) => line.replace(pattern, replacement), text);
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
  return SECRET_NAME.test(name) || (isRequest && REQUEST_SECRET_NAME.test(name));
}
