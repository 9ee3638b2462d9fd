import {
  ConfigurationError,
  type Settings,
  type SettingValues,
  setting,
} from '@gpu-observatory/service-runtime/process';
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
} satisfies Settings;

/** Settings of other parts that contact requests use too. */
interface SharedSettings {
  SITE_URL: string;
  CONTACT_EMAIL: string;
  ALLOWED_ORIGINS: string[];
}

export class ContactConfig {
  readonly recipient: string;
  readonly sender: string;
  readonly smtpUrl: string | undefined;
  /** Where API keys are introspected. Without it, requests with an API key get 503. */
  readonly keyIntrospection: { url: string; credential: string } | undefined;
  /** Browser origins that may send requests: the site itself and ALLOWED_ORIGINS. */
  readonly origins: string[];
  readonly rateLimits: boolean;

  constructor(settings: SettingValues<typeof contactSettings> & SharedSettings) {
    const { ACCOUNT_INTERNAL_URL: url, INTERNAL_CREDENTIAL: [credential] = [] } = settings;
    if ((url === undefined) !== (credential === undefined)) {
      throw new ConfigurationError(
        'ACCOUNT_INTERNAL_URL and INTERNAL_CREDENTIAL must be set together. Set both, or neither to disable API keys',
      );
    }
    this.recipient = settings.CONTACT_EMAIL;
    this.sender = settings.CONTACT_FROM ?? settings.CONTACT_EMAIL;
    this.smtpUrl = settings.SMTP_URL;
    this.keyIntrospection = url !== undefined && credential !== undefined ? { url, credential } : undefined;
    this.origins = [new URL(settings.SITE_URL).origin, ...settings.ALLOWED_ORIGINS];
    this.rateLimits = settings.RATE_LIMITS;
  }
}
