import { ScriptedBrowser, type VisitedPage } from './scripted-browser.ts';

interface ScriptedSignInOptions {
  /** Origin at which the redirects stop. Default: the origin of `frontend_url` in the start URL. */
  frontendOrigin?: string;
}

/**
 * Signs in like a user, without a browser: opens a URL that redirects to the identity provider (such as
 * `/api/v1/auth/github?frontend_url=…`), sends the form of the consent page to its URL and follows the redirects.
 *
 * @returns the URL at the frontend, not fetched; its query has `code`, or `error` if the service rejected the account
 * @throws Error if an unexpected page appears or the account does not exist
 */
export async function signInWithoutBrowser(
  authorizationStartUrl: string | URL,
  email: string,
  { frontendOrigin = originOfFrontend(authorizationStartUrl) }: ScriptedSignInOptions = {},
): Promise<URL> {
  const browser = new ScriptedBrowser();
  const atFrontend = (url: URL) => url.origin === frontendOrigin;

  const opened = await browser.follow(await browser.visit(authorizationStartUrl), atFrontend);
  if ('stoppedAt' in opened) return opened.stoppedAt;
  if (!opened.page.response.ok) throw await unexpected('the consent page', opened.page);

  const submitted = await browser.follow(await browser.visit(opened.page.url, { email }), atFrontend);
  if ('stoppedAt' in submitted) return submitted.stoppedAt;
  throw await unexpected(`a redirect to ${frontendOrigin}`, submitted.page);
}

function originOfFrontend(start: string | URL): string {
  const frontendUrl = new URL(start).searchParams.get('frontend_url') ?? '';
  if (URL.canParse(frontendUrl)) return new URL(frontendUrl).origin;
  throw new Error(`${new URL(start).href} has no frontend_url: pass frontendOrigin.`);
}

async function unexpected(expected: string, { url, response }: VisitedPage): Promise<Error> {
  const text = (await response.text()).replace(/<style[^]*?<\/style>|<[^>]+>/g, '').trim();
  return new Error(
    `The sign-in expected ${expected}, but ${url.origin}${url.pathname} returned ${response.status}: ${text.slice(0, 500)}`,
  );
}
