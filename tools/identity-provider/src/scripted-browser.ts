import { CookieJar } from 'tough-cookie';

/** A page or a redirect, with its URL. */
export interface VisitedPage {
  url: URL;
  response: Response;
}

/**
 * A minimal browser without scripts: cookies per host (on loopback `Secure` ones too, as for http://localhost in
 * browsers) and redirects.
 */
export class ScriptedBrowser {
  readonly #cookies = new CookieJar();

  /**
   * Sends one request. A redirect is returned, not followed.
   *
   * @param form fields of a form, which makes it a POST
   */
  async visit(address: string | URL, form?: Record<string, string>): Promise<VisitedPage> {
    const url = new URL(address);
    const cookie = await this.#cookies.getCookieString(url.href);
    const response = await fetch(url, {
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie && { cookie }) },
    });
    for (const header of response.headers.getSetCookie()) await this.#cookies.setCookie(header, url.href);
    return { url, response };
  }

  /** Follows redirects to a page, or up to the first URL that matches `stopAt`, which is not fetched. */
  async follow(
    visited: VisitedPage,
    stopAt: (url: URL) => boolean,
  ): Promise<{ page: VisitedPage } | { stoppedAt: URL }> {
    let current = visited;
    for (let redirects = 0; redirects < 20; redirects += 1) {
      const next = redirectOf(current);
      if (!next) return { page: current };
      await current.response.body?.cancel();
      if (stopAt(next)) return { stoppedAt: next };
      current = await this.visit(next);
    }
    throw new Error(`More than 20 redirects; the last one points to ${redirectOf(current)?.href}.`);
  }
}

/** Returns the target of a redirect; undefined for a page. */
function redirectOf({ url, response }: VisitedPage): URL | undefined {
  const location = response.headers.get('location');
  return response.status >= 300 && response.status < 400 && location ? new URL(location, url) : undefined;
}
