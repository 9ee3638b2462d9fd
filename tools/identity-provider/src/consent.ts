import { text } from 'node:stream/consumers';
import type { Context, Middleware } from 'koa';
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import { subjectOf, type AccountDirectory } from './account-directory.ts';
import type { ProviderName } from './accounts.ts';
import type { Client } from './clients.ts';
import { sendConsentPage, sendFailurePage } from './pages.ts';

const consentPath = '/consent/';

/** Where a started sign-in asks who signs in, below the provider's own address. */
export function consentUrl(provider: ProviderName, uid: string): string {
  return `/${provider}${consentPath}${uid}`;
}

export interface Consent {
  provider: Provider;
  name: ProviderName;
  title: string;
  client: Client;
  directory: AccountDirectory;
}

/**
 * GET shows the consent page. POST of its form goes on to the client: with a code for `email=…`, with
 * `error=access_denied` for `cancel`. Anything else in the form is a 400 page and leaves the sign-in open.
 */
export function consent(at: Consent): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(consentPath)) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'POST')
      return ctx.throw(405, { headers: { Allow: 'GET, POST' } });
    try {
      const started = await at.provider.interactionDetails(ctx.req, ctx.res);
      if (ctx.method === 'GET') show(ctx, at, started.uid, started.params);
      else await decide(ctx, at);
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error;
      sendFailurePage(
        ctx,
        400,
        'This sign-in is over',
        'It has expired, is finished already, or was started in another browser. Start again from the application.',
      );
    }
  };
}

function show(ctx: Context, at: Consent, uid: string, params: Record<string, unknown>): void {
  const accounts = at.directory.at(at.name).map(({ email, name }) => {
    return { email, name, suggested: email === params['login_hint'] };
  });
  sendConsentPage(ctx, {
    providerTitle: at.title,
    clientTitle: at.client.name ?? at.client.clientId,
    clientOrigin: new URL(String(params['redirect_uri'])).origin,
    formAction: consentUrl(at.name, uid),
    accounts: accounts.toSorted((a, b) => Number(b.suggested) - Number(a.suggested)),
  });
}

async function decide(ctx: Context, at: Consent): Promise<void> {
  const form = new URLSearchParams(await text(ctx.req));
  if (form.has('cancel')) {
    return resume(ctx, at.provider, {
      error: 'access_denied',
      error_description: 'The user has denied your application access.',
    });
  }
  const emails = form.getAll('email');
  const account = emails.length === 1 ? at.directory.byEmail(at.name, emails[0] ?? '') : undefined;
  if (!account) {
    const known = at.directory.at(at.name).map(({ email }) => email);
    const asked = emails.length > 0 ? emails.map((email) => `"${email}"`).join(' and ') : 'nothing';
    return sendFailurePage(
      ctx,
      400,
      'No such account',
      `The form's field "email" says ${asked}; it must be exactly one of ${known.join(', ')}.`,
    );
  }
  // Choosing an account is the consent too, and answers each `prompt` that a client may ask for.
  const accountId = subjectOf(account, at.name) ?? '';
  await resume(ctx, at.provider, { login: { accountId }, consent: {}, select_account: {} });
}

async function resume(ctx: Context, provider: Provider, result: InteractionResults): Promise<void> {
  const returnTo = await provider.interactionResult(ctx.req, ctx.res, result, {
    mergeWithLastSubmission: false,
  });
  ctx.redirect(returnTo);
  ctx.status = 303;
}
