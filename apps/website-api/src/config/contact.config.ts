import { ConfigurationError, type SettingValues, setting } from '@gpu-observatory/service-runtime/process';
import { z } from 'zod';

/** Settings for contact requests. Without SMTP_URL, requests are only stored: see the command `contact list`. */
export const contactSettings = {
  SMTP_URL: z
    .string()
    .refine((text) => URL.canParse(text) && /^smtps?:\/\/[^/?#]+/.test(text))
    .optional()
    .describe(
      'the SMTP server for contact requests, as smtps://user:password@host (default: requests are not mailed)',
    ),
  CONTACT_FROM: z
    .email()
    .optional()
    .describe('the sender address of mailed contact requests, as name@host (default CONTACT_EMAIL)'),
  ACCOUNT_INTERNAL_URL: setting
    .httpUrl('the internal URL of account-service, which introspects API keys')
    .optional(),
  INTERNAL_CREDENTIAL: setting.rotatedSecret('secret for the internal port of account-service').optional(),
  RATE_LIMITS: setting.flag('whether contact requests are rate limited', 'true'),
};

export type ContactConfig = ReturnType<typeof contactConfig>;

/** @throws {ConfigurationError} if API keys are configured only in part */
export function contactConfig(
  settings: SettingValues<typeof contactSettings> & {
    SITE_URL: string;
    CONTACT_EMAIL: string;
    ALLOWED_ORIGINS: string[];
  },
) {
  const { ACCOUNT_INTERNAL_URL: url, INTERNAL_CREDENTIAL: [credential] = [] } = settings;
  if ((url === undefined) !== (credential === undefined)) {
    throw new ConfigurationError(
      'ACCOUNT_INTERNAL_URL and INTERNAL_CREDENTIAL must be set together. Set both, or neither to disable API keys',
    );
  }
  return {
    recipient: settings.CONTACT_EMAIL,
    sender: settings.CONTACT_FROM ?? settings.CONTACT_EMAIL,
    smtpUrl: settings.SMTP_URL,
    /** Where API keys are introspected. Without it, requests with an API key get 503. */
    keyIntrospection: url !== undefined && credential !== undefined ? { url, credential } : undefined,
    /** Browser origins that may send requests: the site itself and ALLOWED_ORIGINS. */
    origins: [new URL(settings.SITE_URL).origin, ...settings.ALLOWED_ORIGINS],
    rateLimits: settings.RATE_LIMITS,
  };
}
