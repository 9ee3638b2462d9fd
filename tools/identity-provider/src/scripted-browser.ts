import { parse } from 'node-html-parser';
import { CookieJar } from 'tough-cookie';

export type Fetch = typeof globalThis.fetch;

/** A page or a redirect, with its URL. */
export interface VisitedPage {
  url: URL;
  response: Response;
}

/** First HTML form of a page. */
export interface PageForm {
  action: URL;
  hidden: Record<string, string>;
  /** Values of the submit buttons, by name. */
  buttons: Record<string, string[]>;
}

/**
 * A minimal browser without scripts: cookies per host (on loopback `Secure` ones too, as for http://localhost in
 * browsers), redirects and forms.
 */
export class ScriptedBrowser {
  readonly #cookies = new CookieJar();
  readonly #fetch: Fetch;

  constructor(fetch: Fetch = globalThis.fetch) {
    this.#fetch = fetch;
  }

  /** Sends one request. A redirect is returned, not followed. */
  async visit(
    address: string | URL,
    init: { method?: string; body?: URLSearchParams } = {},
  ): Promise<VisitedPage> {
    const url = new URL(address);
    const cookie = await this.#cookies.getCookieString(url.href);
    const response = await this.#fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', ...(cookie && { cookie }) },
    });
    for (const header of response.headers.getSetCookie()) await this.#cookies.setCookie(header, url.href);
    return { url, response };
  }

  /** Returns the target of a redirect; undefined for a page. */
  location({ url, response }: VisitedPage): URL | undefined {
    const location = response.headers.get('location');
    return response.status >= 300 && response.status < 400 && location ? new URL(location, url) : undefined;
  }

  /** Follows redirects to a page, or up to the first URL that matches `stopAt`, which is not fetched. */
  async follow(
    visited: VisitedPage,
    stopAt: (url: URL) => boolean,
  ): Promise<{ page: VisitedPage } | { stoppedAt: URL }> {
    let current = visited;
    for (let redirects = 0; redirects < 20; redirects += 1) {
      const next = this.location(current);
      if (!next) return { page: current };
      await current.response.body?.cancel();
      if (stopAt(next)) return { stoppedAt: next };
      current = await this.visit(next);
    }
    throw new Error(`More than 20 redirects; the last one points to ${this.location(current)?.href}.`);
  }

  async submit(form: PageForm, button: Record<string, string>): Promise<VisitedPage> {
    return this.visit(form.action, {
      method: 'POST',
      body: new URLSearchParams({ ...form.hidden, ...button }),
    });
  }
}

/** Parses the first form of a page; undefined if it has none. */
export function formOf(html: string, pageUrl: URL): PageForm | undefined {
  const form = parse(html).querySelector('form');
  if (!form) return undefined;
  const hidden: PageForm['hidden'] = {};
  for (const input of form.querySelectorAll('input[type=hidden]')) {
    hidden[input.getAttribute('name') ?? ''] = input.getAttribute('value') ?? '';
  }
  const buttons: PageForm['buttons'] = {};
  for (const button of form.querySelectorAll('button[name]')) {
    (buttons[button.getAttribute('name') ?? ''] ??= []).push(button.getAttribute('value') ?? '');
  }
  return { action: new URL(form.getAttribute('action') ?? '', pageUrl), hidden, buttons };
}
