import { z } from 'zod';

export const frontendSettings = {
  FRONTEND_URLS: z
    .string()
    .transform((text) => text.split(',').map((member) => member.trim()))
    .refine((members) => members.length > 0 && members.every(isFrontendUrl))
    .describe(
      'a comma-separated list of the frontend URLs that a sign-in may return to, each an http or https URL without a ' +
        'trailing slash, query, fragment or credentials, such as https://app.example.com',
    ),
  COOKIE_DOMAIN: z
    .string()
    .regex(/^(?!-)[a-z0-9-]+(\.[a-z0-9-]+)+$/)
    .optional()
    .describe(
      'parent domain whose hosts share the access cookie, such as example.com (default: only this host)',
    ),
};

export type FrontendsConfig = ReturnType<typeof frontendsConfig>;

export function frontendsConfig(settings: z.infer<z.ZodObject<typeof frontendSettings>>) {
  return { urls: settings.FRONTEND_URLS, cookieDomain: settings.COOKIE_DOMAIN };
}

/** Returns whether the URL is in canonical form. It is later compared as a string and extended by `/auth/callback`. */
function isFrontendUrl(text: string): boolean {
  // The URL parser accepts `*` as a host, but a pattern would never match.
  if (!URL.canParse(text) || text.includes('*')) return false;
  const { protocol, origin, pathname } = new URL(text);
  return (
    /^https?:$/.test(protocol) && text === `${origin}${pathname === '/' ? '' : pathname}` && !/\/$/.test(text)
  );
}
