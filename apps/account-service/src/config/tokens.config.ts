import { setting } from '@gpu-observatory/service-runtime';
import { z } from 'zod';

export const tokenSettings = {
  PUBLIC_URL: setting.httpUrl("the service's own public address, which is the tokens' issuer"),
  TOKEN_AUDIENCE: z
    .string()
    .default('gpu-observatory')
    .describe("the tokens' audience, the same in every service (default gpu-observatory)"),
  SIGNING_KEY_SECRET: z
    .string()
    .transform((text) => text.split(',').map((secret) => secret.trim()))
    .refine((secrets) => secrets.every((secret) => secret.length >= 32))
    .describe(
      'what encrypts the signing keys in the database: at least 32 random characters, such as openssl rand -base64 32 ' +
        'prints; while it changes two with a comma, of which the first encrypts and both decrypt',
    ),
  SIGNING_KEY_MAX_AGE_DAYS: setting.integer('after how many days a new signing key takes over', {
    min: 1,
    max: 3_650,
    defaultValue: 30,
  }),
};

export interface TokensConfig {
  issuer: string;
  audience: string;
  /** The first encrypts, each decrypts. */
  signingKeySecrets: string[];
  signingKeyMaxAgeSeconds: number;
}

export function tokensConfig(settings: z.infer<z.ZodObject<typeof tokenSettings>>): TokensConfig {
  return {
    issuer: settings.PUBLIC_URL,
    audience: settings.TOKEN_AUDIENCE,
    signingKeySecrets: settings.SIGNING_KEY_SECRET,
    signingKeyMaxAgeSeconds: settings.SIGNING_KEY_MAX_AGE_DAYS * 24 * 3600,
  };
}
