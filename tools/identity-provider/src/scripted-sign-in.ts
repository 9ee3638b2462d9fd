import { ScriptedBrowser, formOf, type Fetch, type VisitedPage } from './scripted-browser.ts';

interface ScriptedSignInOptions {
  /** Origin at which the redirects stop. Default: the origin of `frontend_url` in the start URL. */
  frontendOrigin?: string;
  fetch?: Fetch;
}

/**
 * Signs in like a user, without a browser: opens a URL that redirects to the identity provider (such as
 * `/api/v1/auth/github?frontend_url=…`), chooses the account on the consent page and follows the redirects.
 *
 * @returns the URL at the frontend, not fetched; its query has `code`, or `error` if the service rejected the account
 * @throws Error if an unexpected page appears or the account is not on the consent page
 */
export async function signInWithoutBrowser(
  authorizationStartUrl: string | URL,
  email: string,
  { frontendOrigin = originOfFrontend(authorizationStartUrl), fetch }: ScriptedSignInOptions = {},
): Promise<URL> {
  const browser = new ScriptedBrowser(fetch);
  const atFrontend = (url: URL) => url.origin === frontendOrigin;

  const opened = await browser.follow(await browser.visit(authorizationStartUrl), atFrontend);
  if ('stoppedAt' in opened) return opened.stoppedAt;

  const html = await opened.page.response.text();
  const form = opened.page.response.ok ? formOf(html, opened.page.url) : undefined;
  const accounts = form?.buttons['email'];
  if (!form || !accounts) throw unexpected('the consent page', opened.page, html);
  if (!accounts.includes(email)) {
    throw new Error(`The identity provider has no account ${email}: use one of ${accounts.join(', ')}.`);
  }

  const submitted = await browser.follow(await browser.submit(form, { email }), atFrontend);
  if ('stoppedAt' in submitted) return submitted.stoppedAt;
  throw unexpected(`a redirect to ${frontendOrigin}`, submitted.page, await submitted.page.response.text());
}

function originOfFrontend(start: string | URL): string {
  const frontendUrl = new URL(start).searchParams.get('frontend_url') ?? '';
  if (URL.canParse(frontendUrl)) return new URL(frontendUrl).origin;
  throw new Error(`${new URL(start).href} has no frontend_url: pass frontendOrigin.`);
}

function unexpected(expected: string, { url, response }: VisitedPage, body: string): Error {
  return new Error(
    `The sign-in expected ${expected}, but ${url.origin}${url.pathname} returned ${response.status}: ${body.slice(0, 500)}`,
  );
}
