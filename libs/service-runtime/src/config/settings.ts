import { accessSync, constants } from 'node:fs';
import { z } from 'zod';

/** Environment variables by name. Each is a schema of the variable's text; its description states the accepted values. */
export type Settings = Record<string, z.ZodType>;
/** Values that `readSettings` returns. */
export type SettingValues<S extends Settings> = z.infer<z.ZodObject<S>>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables are missing or invalid; the message lists all of them. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/**
 * Reads and validates environment variables. Values are trimmed, and an empty variable counts as missing. The error
 * message contains no values, because they may be secrets.
 *
 * @throws {ConfigurationError} one line per missing or invalid variable, with the accepted values
 */
export function readSettings<S extends Settings>(settings: S, environment: Environment): SettingValues<S> {
  const values = Object.fromEntries(
    Object.keys(settings).map((name) => [name, environment[name]?.trim() || undefined]),
  );
  const result = z.object(settings).safeParse(values);
  if (result.success) return result.data as SettingValues<S>;
  // One line per variable, for its first issue.
  const issues = new Map(result.error.issues.toReversed().map((issue) => [String(issue.path[0]), issue]));
  throw new ConfigurationError(
    [...issues]
      .toReversed()
      .map(([name, issue]) => {
        if (issue.code === 'custom' && issue.params?.['file'] !== undefined)
          return `${name} ${issue.message}`;
        const problem = values[name] === undefined ? 'is missing' : 'is not valid';
        return `${name} ${problem}: it should be ${describeSetting(settings[name])}`;
      })
      .join('\n'),
  );
}

/** Returns the accepted values of a setting, also when the schema is wrapped in a default or made optional. */
export function describeSetting(schema: z.ZodType | undefined): string {
  if (schema?.description !== undefined) return schema.description;
  const isWrapper =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable;
  return isWrapper ? describeSetting(schema.unwrap() as z.ZodType) : 'set';
}

const NETWORK = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** Types of settings. The description of each states the accepted values. */
export const setting = {
  text: (meaning: string) => z.string().describe(meaning),

  oneOf: <const T extends readonly [string, ...string[]]>(values: T, defaultValue: T[number]) =>
    z
      .enum(values)
      .default(defaultValue)
      .describe(`one of ${values.join(', ')} (default ${defaultValue})`),

  flag: (meaning: string, defaultValue: 'true' | 'false') =>
    z
      .enum(['true', 'false'])
      .default(defaultValue)
      .transform((text) => text === 'true')
      .describe(`true or false: ${meaning} (default ${defaultValue})`),

  integer: (
    meaning: string,
    { min, max, defaultValue }: { min: number; max: number; defaultValue?: number },
  ) => {
    const schema = z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number)
      .pipe(z.number().min(min).max(max));
    const range = `an integer from ${min} to ${max}: ${meaning}`;
    return defaultValue === undefined
      ? schema.describe(range)
      : schema.prefault(String(defaultValue)).describe(`${range} (default ${defaultValue})`);
  },

  /** A TCP port; 0 lets the system choose one, for tests. */
  port: (meaning: string, defaultValue: number) =>
    setting.integer(meaning, { min: 0, max: 65535, defaultValue }),

  postgresUrl: (meaning: string) =>
    z
      .string()
      .refine(isPostgresUrl, { abort: true })
      .superRefine(checkCertificateFiles)
      .describe(`${meaning}, as postgres://role:password@host:5432/database`),

  /** A base URL; the result has no trailing slash. */
  httpUrl: (meaning: string) =>
    z
      .string()
      .refine(isBaseUrl)
      .transform((text) => text.replace(/\/+$/, ''))
      .describe(`${meaning}, as https://host, without credentials, query or fragment`),

  /** Secret of which a caller sends the first value and a server accepts every value. */
  rotatedSecret: (meaning: string) =>
    z
      .string()
      .transform((text) => text.split(',').map((secret) => secret.trim()) as [string, ...string[]])
      .refine((secrets) => secrets.every((secret) => secret.length >= 32))
      .describe(
        `${meaning}: at least 32 random characters, for example from openssl rand -base64 32; during a change several ` +
          'values separated by commas: the first is sent, every one is accepted',
      ),

  origins: (meaning: string) =>
    list((origin) => URL.canParse(origin) && new URL(origin).origin === origin).describe(
      `a comma-separated list of origins (scheme, host and port, without a path): ${meaning} (default none)`,
    ),

  cidrs: (meaning: string) =>
    list((text) => NETWORK.safeParse(text).success).describe(
      `a comma-separated list of networks such as 10.0.0.0/8: ${meaning} (default none)`,
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

/** Reports a certificate or key file in the URL that the process cannot read. The driver would fail with a bare ENOENT. */
function checkCertificateFiles(url: string, context: z.core.$RefinementCtx): void {
  for (const parameter of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = new URL(url).searchParams.get(parameter);
    if (file === null) continue;
    try {
      accessSync(file, constants.R_OK);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      context.addIssue({
        code: 'custom',
        params: { file },
        message: `has ${parameter}=${file}, but this file cannot be read (${code}): mount it, or correct the path`,
      });
    }
  }
}

function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return username === '' && password === '' && search === '' && hash === '';
}
