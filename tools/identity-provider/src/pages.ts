import { createHash } from 'node:crypto';
import type { Context } from 'koa';

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f4f5f7, #16181d); }
main { box-sizing: border-box; width: min(26rem, 100vw); padding: 2rem; border-radius: 12px;
  background: light-dark(#fff, #22252c); box-shadow: 0 1px 8px #0003; }
h1 { font-size: 1.3rem; margin: 0 0 .5rem; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
button { display: block; width: 100%; margin: .5rem 0; padding: .6rem .9rem; font: inherit; text-align: left;
  border: 1px solid light-dark(#c9ced6, #454a55); border-radius: 8px; background: transparent; cursor: pointer; }
button:hover, button:focus-visible { border-color: light-dark(#2259d1, #8ab4ff); }
button small { display: block; opacity: .75; }
button[name=cancel] { margin-top: 1.25rem; text-align: center; }
footer { margin-top: 1.25rem; font-size: .8rem; opacity: .75; }
`;

/** Allows no scripts and no external resources. `form-action` is not set: browsers would apply it to the callback too. */
const contentSecurityPolicy = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

export interface ConsentPage {
  providerTitle: string;
  clientTitle: string;
  /** Origin of the redirect URI, shown so that a wrong client is noticed. */
  clientOrigin: string;
  formAction: string;
  accounts: { email: string; name: string; suggested: boolean }[];
}

/** Sends the consent page: one form with a submit button `email` for each account, and `cancel`. */
export function sendConsentPage(ctx: Context, page: ConsentPage): void {
  const buttons = page.accounts.map(
    ({ email, name, suggested }) =>
      `<button type="submit" name="email" value="${escaped(email)}"${suggested ? ' autofocus' : ''}>` +
      `${escaped(name)} <small>${escaped(email)}</small></button>`,
  );
  send(ctx, 200, `Sign in with ${page.providerTitle}`, [
    `<p>Choose an account to continue to <strong>${escaped(page.clientTitle)}</strong> (${escaped(page.clientOrigin)}).</p>`,
    `<form method="post" action="${escaped(page.formAction)}">`,
    ...buttons,
    '<button type="submit" name="cancel" value="cancel">Cancel</button>',
    '</form>',
    `<footer>Local test provider with demo accounts. This is not ${escaped(page.providerTitle)}; no password is needed.</footer>`,
  ]);
}

/** Sends an error page. */
export function sendFailurePage(ctx: Context, status: number, title: string, detail: string): void {
  send(ctx, status, title, [`<p>${escaped(detail)}</p>`]);
}

function send(ctx: Context, status: number, title: string, main: string[]): void {
  ctx.status = status;
  ctx.set('Content-Security-Policy', contentSecurityPolicy);
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title>`,
    `<style>${style}</style>`,
    '<main>',
    `<h1>${escaped(title)}</h1>`,
    ...main,
    '</main>',
    '</html>',
    '',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
