import { escapeHtml, NOTICE_CONTENT_SECURITY_POLICY, noticePage } from '@gpu-observatory/visual-identity';
import type { Context } from 'koa';

interface ConsentPage {
  providerTitle: string;
  clientTitle: string;
  /** Origin of the redirect URI, shown so that a wrong client is noticed. */
  clientOrigin: string;
  formAction: string;
  accounts: { email: string; name: string }[];
}

/** Sends the consent page: one form with a submit button `email` for each account, and `cancel`. */
export function sendConsentPage(ctx: Context, page: ConsentPage): void {
  const provider = escapeHtml(page.providerTitle);
  const buttons = page.accounts.map(
    ({ email, name }) =>
      `<button type="submit" name="email" value="${escapeHtml(email)}">` +
      `${escapeHtml(name)} <small>${escapeHtml(email)}</small></button>`,
  );
  send(ctx, 200, `Sign in with ${page.providerTitle}`, {
    main: [
      `<p>Choose an account to continue to <strong>${escapeHtml(page.clientTitle)}</strong> at ` +
        `${escapeHtml(page.clientOrigin)}.</p>`,
      `<form method="post" action="${escapeHtml(page.formAction)}">`,
      ...buttons,
      '<button type="submit" name="cancel" value="cancel">Cancel</button>',
      '</form>',
    ].join('\n'),
    footer: `Local test provider with demo accounts. This is not ${provider}; no password is needed.`,
  });
}

/** Sends an error page. */
export function sendFailurePage(ctx: Context, status: number, title: string, detail: string): void {
  send(ctx, status, title, { main: `<p class="cause">${escapeHtml(detail)}</p>` });
}

function send(ctx: Context, status: number, title: string, content: { main: string; footer?: string }): void {
  ctx.status = status;
  ctx.set('Content-Security-Policy', NOTICE_CONTENT_SECURITY_POLICY);
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = noticePage({ title, ...content });
}
