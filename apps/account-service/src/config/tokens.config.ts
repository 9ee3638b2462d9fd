import { DAY_MS, SECOND_MS } from '@gpu-observatory/domain-types';
import { setting } from '@gpu-observatory/service-runtime/process';
import { z } from 'zod';

export const tokenSettings = {
  PUBLIC_URL: setting.httpUrl('public URL of this service, which is the token issuer'),
  TOKEN_AUDIENCE: z
    .string()
    .default('gpu-observatory')
    .describe('token audience, the same in every service (default gpu-observatory)'),
  SIGNING_KEY_SECRET: z
    .string()
    .transform((text) => text.split(',').map((secret) => secret.trim()))
    .refine((secrets) => secrets.every((secret) => secret.length >= 32))
    .describe(
      'secret that encrypts the signing keys in the database: at least 32 random characters, such as the output of ' +
        'openssl rand -base64 32; during a change two secrets separated by a comma: the first encrypts, both decrypt',
    ),
  SIGNING_KEY_MAX_AGE_DAYS: setting.integer('age in days at which a signing key is rotated', {
    min: 1,
    max: 3_650,
    defaultValue: 30,
  }),
};

export type TokensConfig = ReturnType<typeof tokensConfig>;

export function tokensConfig(settings: z.infer<z.ZodObject<typeof tokenSettings>>) {
  return {
    issuer: settings.PUBLIC_URL,
    audience: settings.TOKEN_AUDIENCE,
    /** The first one encrypts, every one decrypts. */
    signingKeySecrets: settings.SIGNING_KEY_SECRET,
    signingKeyMaxAgeSeconds: (settings.SIGNING_KEY_MAX_AGE_DAYS * DAY_MS) / SECOND_MS,
  };
}
