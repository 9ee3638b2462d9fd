import { ConfigurationError, type Settings, setting } from '@gpu-observatory/service-runtime';
import { z } from 'zod';

/** How contact requests reach people. All of it may be left out: requests are then kept until somebody lists them. */
export const contactSettings = {
  SMTP_URL: z
    .string()
    .refine((text) => URL.canParse(text) && /^smtps?:\/\/[^/?#]+/.test(text))
    .optional()
    .describe(
      'the server that mails contact requests, as smtps://user:password@host (default: none are mailed)',
    ),
  CONTACT_FROM: z
    .email()
    .optional()
    .describe('the sender of those mails, as name@host (default CONTACT_EMAIL)'),
  ACCOUNT_INTERNAL_URL: setting
    .httpUrl('the internal address of account-service, which checks API keys')
    .optional(),
  INTERNAL_CREDENTIAL: setting.secret('what account-service’s internal port asks for').optional(),
  RATE_LIMITS: setting.flag('whether contact requests are limited', 'true'),
} satisfies Settings;

export abstract class ContactConfig {
  /** Where requests are mailed to. */
  abstract readonly recipient: string;
  abstract readonly sender: string;
  abstract readonly smtpUrl: string | undefined;
  /** Where API keys are checked; without it no key is accepted. */
  abstract readonly keyCheck: { url: string; credential: string } | undefined;
  /** Whose browsers may send requests: this site's own and the allowed ones. */
  abstract readonly origins: string[];
  abstract readonly rateLimits: boolean;
}

export function contactConfig(settings: {
  SITE_URL: string;
  CONTACT_EMAIL: string;
  ALLOWED_ORIGINS: string[];
  SMTP_URL?: string | undefined;
  CONTACT_FROM?: string | undefined;
  ACCOUNT_INTERNAL_URL?: string | undefined;
  INTERNAL_CREDENTIAL?: string | undefined;
  RATE_LIMITS: boolean;
}): ContactConfig {
  const { ACCOUNT_INTERNAL_URL: url, INTERNAL_CREDENTIAL: credential } = settings;
  if ((url === undefined) !== (credential === undefined)) {
    throw new ConfigurationError(
      'ACCOUNT_INTERNAL_URL and INTERNAL_CREDENTIAL belong together: set both, or none to take no API keys',
    );
  }
  return {
    recipient: settings.CONTACT_EMAIL,
    sender: settings.CONTACT_FROM ?? settings.CONTACT_EMAIL,
    smtpUrl: settings.SMTP_URL,
    keyCheck: url !== undefined && credential !== undefined ? { url, credential } : undefined,
    origins: [new URL(settings.SITE_URL).origin, ...settings.ALLOWED_ORIGINS],
    rateLimits: settings.RATE_LIMITS,
  };
}
