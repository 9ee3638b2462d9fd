import { isIP } from 'node:net';
import { z } from 'zod';

/** The variables a concern reads: each a schema over the variable's text, whose description says what it should be. */
export type Settings = Record<string, z.ZodType>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment does not say what a service needs; the message names every variable at fault. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Reads and checks variables, all of them before it complains. An empty variable counts as missing, and blanks around
 * a value do not belong to it. Values never
 * appear in the message: they may be secrets.
 *
 * @throws {ConfigurationError} one line a variable: its name, what is wrong, what it should be
 */
export function readSettings<S extends Settings>(
  settings: S,
  environment: Environment,
): z.infer<z.ZodObject<S>> {
  const given = Object.fromEntries(
    Object.keys(settings).map((name) => [name, environment[name]?.trim() || undefined]),
  );
  const read = z.object(settings).safeParse(given);
  if (read.success) return read.data as z.infer<z.ZodObject<S>>;
  const names = [...new Set(read.error.issues.map((issue) => String(issue.path[0])))];
  throw new ConfigurationError(
    names
      .map((name) => {
        const fault = given[name] === undefined ? 'is missing' : 'is not valid';
        return `${name} ${fault}: it should be ${describeSetting(settings[name])}`;
      })
      .join('\n'),
  );
}

/** What a variable should be, in words; a default or an absence that a service allows it does not hide them. */
export function describeSetting(kind: z.ZodType | undefined): string {
  if (kind?.description !== undefined) return kind.description;
  const wraps =
    kind instanceof z.ZodDefault ||
    kind instanceof z.ZodPrefault ||
    kind instanceof z.ZodOptional ||
    kind instanceof z.ZodNullable;
  return wraps ? describeSetting(kind.unwrap() as z.ZodType) : 'set';
}

/** The kinds of variables. Each says in its description what the value should be. */
export const setting = {
  text: (should: string) => z.string().describe(should),

  oneOf: <const T extends readonly [string, ...string[]]>(values: T, defaultValue: T[number]) =>
    z
      .enum(values)
      .default(defaultValue)
      .describe(`one of ${values.join(', ')} (default ${defaultValue})`),

  flag: (should: string, defaultValue: 'true' | 'false') =>
    z
      .enum(['true', 'false'])
      .default(defaultValue)
      .transform((text) => text === 'true')
      .describe(`true or false: ${should} (default ${defaultValue})`),

  integer: (
    should: string,
    { min, max, defaultValue }: { min: number; max: number; defaultValue?: number },
  ) => {
    const schema = z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number)
      .pipe(z.number().min(min).max(max));
    const range = `an integer from ${min} to ${max}: ${should}`;
    return defaultValue === undefined
      ? schema.describe(range)
      : schema.prefault(String(defaultValue)).describe(`${range} (default ${defaultValue})`);
  },

  /** A port, whose absence is an error; 0 lets the system choose one, for tests. */
  port: (should: string, defaultValue: number) =>
    setting.integer(should, { min: 0, max: 65535, defaultValue }),

  postgresUrl: (should: string) =>
    z.string().refine(isPostgresUrl).describe(`${should}, as postgres://role:password@host:5432/database`),

  /** A base URL, given on without a trailing slash. */
  httpUrl: (should: string) =>
    z
      .string()
      .refine(isBaseUrl)
      .transform((text) => text.replace(/\/+$/, ''))
      .describe(`${should}, as https://host, without credentials, query or fragment`),

  secret: (should: string) =>
    z
      .string()
      .min(32)
      .describe(`${should}: at least 32 random characters, such as openssl rand -base64 32 prints`),

  origins: (should: string) =>
    list((origin) => URL.canParse(origin) && new URL(origin).origin === origin).describe(
      `a comma-separated list of origins (scheme, host and port, without a path): ${should} (default none)`,
    ),

  cidrs: (should: string) =>
    list(isNetwork).describe(
      `a comma-separated list of networks such as 10.0.0.0/8: ${should} (default none)`,
    ),
};

function list(isMember: (text: string) => boolean) {
  return z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((member) => member.trim())
        .filter((member) => member !== ''),
    )
    .refine((members) => members.every(isMember));
}

function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, hostname, pathname } = new URL(text);
  const isComplete = username !== '' && hostname !== '' && /^\/[^/]+$/.test(pathname);
  return /^postgres(ql)?:$/.test(protocol) && isComplete && !/%(?![0-9a-f]{2})/i.test(text);
}

function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username === '' && password === '' && search === '' && hash === '';
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
