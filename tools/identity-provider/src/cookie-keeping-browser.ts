import { parse } from 'node-html-parser';
import { CookieJar } from 'tough-cookie';

export type Fetch = typeof globalThis.fetch;

/** A page or a redirect, with the address it came from. */
export interface Visited {
  url: URL;
  response: Response;
}

/** The one form of a page, as far as a script can fill it in. */
export interface PageForm {
  action: URL;
  hidden: Record<string, string>;
  /** The values of its submit buttons, by their name. */
  buttons: Record<string, string[]>;
}

/**
 * What a browser does between a link and a page, one request at a time: cookies per host (also `Secure` ones on
 * loopback, as browsers do for http://localhost), redirects, forms. It runs no script.
 */
export class CookieKeepingBrowser {
  readonly #cookies = new CookieJar();
  readonly #fetch: Fetch;

  constructor(fetch: Fetch = globalThis.fetch) {
    this.#fetch = fetch;
  }

  /** Sends one request and stays there: a redirect is returned, not followed. */
  async visit(
    address: string | URL,
    init: { method?: string; body?: URLSearchParams } = {},
  ): Promise<Visited> {
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

  /** Where a redirect leads; undefined for a page. */
  location({ url, response }: Visited): URL | undefined {
    const location = response.headers.get('location');
    return response.status >= 300 && response.status < 400 && location ? new URL(location, url) : undefined;
  }

  /** Follows redirects from an answer to a page, or up to an address where `stopAt` says so (it is not fetched). */
  async follow(
    visited: Visited,
    stopAt: (url: URL) => boolean,
  ): Promise<{ page: Visited } | { leftFor: URL }> {
    let current = visited;
    for (let redirects = 0; redirects < 20; redirects += 1) {
      const next = this.location(current);
      if (!next) return { page: current };
      await current.response.body?.cancel();
      if (stopAt(next)) return { leftFor: next };
      current = await this.visit(next);
    }
    throw new Error(`More than 20 redirects; the last one leads to ${this.location(current)?.href}.`);
  }

  async submit(form: PageForm, pressed: Record<string, string>): Promise<Visited> {
    return this.visit(form.action, {
      method: 'POST',
      body: new URLSearchParams({ ...form.hidden, ...pressed }),
    });
  }
}

/** @returns undefined if the page has no form */
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
