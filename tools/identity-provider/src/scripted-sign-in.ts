import { CookieKeepingBrowser, formOf, type Fetch, type Visited } from './cookie-keeping-browser.ts';

export interface ScriptedSignInOptions {
  /** Where the walk ends; the origin of the start's `frontend_url` by default. */
  frontendOrigin?: string;
  fetch?: Fetch;
}

/**
 * Signs in as a person would, without a browser: opens an address that leads to the identity provider (such as
 * `/api/v1/auth/github?frontend_url=…`), picks the account on the consent page, and follows the redirects.
 *
 * @returns the address at the frontend where the walk left for, not fetched: its query has `code`, or `error` if
 *   the service refused the account
 * @throws Error if a page comes that is neither the consent page nor the frontend, or the account is not on it
 */
export async function signInWithoutBrowser(
  authorizationStartUrl: string | URL,
  email: string,
  { frontendOrigin = originOfFrontend(authorizationStartUrl), fetch }: ScriptedSignInOptions = {},
): Promise<URL> {
  const browser = new CookieKeepingBrowser(fetch);
  const atFrontend = (url: URL) => url.origin === frontendOrigin;

  const opened = await browser.follow(await browser.visit(authorizationStartUrl), atFrontend);
  if ('leftFor' in opened) return opened.leftFor;

  const html = await opened.page.response.text();
  const form = opened.page.response.ok ? formOf(html, opened.page.url) : undefined;
  const accounts = form?.buttons['email'];
  if (!form || !accounts) throw unexpected('the consent page', opened.page, html);
  if (!accounts.includes(email)) {
    throw new Error(`The identity provider has no account ${email}; it has ${accounts.join(', ')}.`);
  }

  const submitted = await browser.follow(await browser.submit(form, { email }), atFrontend);
  if ('leftFor' in submitted) return submitted.leftFor;
  throw unexpected(`a redirect to ${frontendOrigin}`, submitted.page, await submitted.page.response.text());
}

function originOfFrontend(start: string | URL): string {
  const frontendUrl = new URL(start).searchParams.get('frontend_url') ?? '';
  if (URL.canParse(frontendUrl)) return new URL(frontendUrl).origin;
  throw new Error(`${new URL(start).href} has no frontend_url to end at: pass frontendOrigin.`);
}

function unexpected(expected: string, { url, response }: Visited, body: string): Error {
  return new Error(
    `The sign-in expected ${expected}, but ${url.origin}${url.pathname} answered ${response.status}: ${body.slice(0, 500)}`,
  );
}
