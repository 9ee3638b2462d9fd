import { z } from 'zod';

export const frontendSettings = {
  FRONTEND_URLS: z
    .string()
    .transform((text) => text.split(',').map((member) => member.trim()))
    .refine((members) => members.length > 0 && members.every(isFrontendUrl))
    .describe(
      'a comma-separated list of the addresses that a sign-in may return to, each an http or https URL without a ' +
        'trailing slash, query, fragment or credentials, such as https://app.example.com',
    ),
  COOKIE_DOMAIN: z
    .string()
    .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/)
    .optional()
    .describe(
      'the parent domain whose hosts share the session cookies, such as example.com (default: this host alone)',
    ),
};

export interface FrontendsConfig {
  urls: string[];
  cookieDomain: string | undefined;
}

export function frontendsConfig(settings: z.infer<z.ZodObject<typeof frontendSettings>>): FrontendsConfig {
  return { urls: settings.FRONTEND_URLS, cookieDomain: settings.COOKIE_DOMAIN };
}

/** In exactly the form in which it is compared and continued with `/auth/callback`. */
function isFrontendUrl(text: string): boolean {
  // A pattern looks like a host to the URL parser, and would never match anything here.
  if (!URL.canParse(text) || text.includes('*')) return false;
  const { protocol, origin, pathname } = new URL(text);
  return (
    /^https?:$/.test(protocol) && text === `${origin}${pathname === '/' ? '' : pathname}` && !/\/$/.test(text)
  );
}
