import { text } from 'node:stream/consumers';
import type { Context, Middleware } from 'koa';
import { errors, type InteractionResults, type Provider } from 'oidc-provider';
import { subjectOf, type AccountDirectory } from './account-directory.ts';
import type { ProviderName } from './accounts.ts';
import type { Client } from './clients.ts';
import { sendConsentPage, sendFailurePage } from './pages.ts';

const consentPath = '/consent/';

/** Returns the path of the consent page of a sign-in. */
export function consentUrl(provider: ProviderName, uid: string): string {
  return `/${provider}${consentPath}${uid}`;
}

interface ConsentContext {
  provider: Provider;
  name: ProviderName;
  title: string;
  client: Client;
  directory: AccountDirectory;
}

/**
 * Handles the consent page. GET shows it. POST of its form redirects to the client: with a code for `email=…`, with
 * `error=access_denied` for `cancel`. Any other form gets a 400 page and can be corrected.
 */
export function consent(context: ConsentContext): Middleware {
  return async (ctx, next) => {
    if (!ctx.path.startsWith(consentPath)) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'POST')
      return ctx.throw(405, { headers: { Allow: 'GET, POST' } });
    try {
      const started = await context.provider.interactionDetails(ctx.req, ctx.res);
      if (ctx.method === 'GET') show(ctx, context, started.uid, started.params['redirect_uri']);
      else await decide(ctx, context);
    } catch (error) {
      if (!(error instanceof errors.SessionNotFound)) throw error;
      sendFailurePage(
        ctx,
        400,
        'This sign-in has ended',
        'It has expired, was completed, or was started in another browser. Start again from the application.',
      );
    }
  };
}

function show(ctx: Context, context: ConsentContext, uid: string, redirectUri: unknown): void {
  sendConsentPage(ctx, {
    providerTitle: context.title,
    clientTitle: context.client.name ?? context.client.clientId,
    clientOrigin: new URL(String(redirectUri)).origin,
    formAction: consentUrl(context.name, uid),
    accounts: context.directory.at(context.name),
  });
}

async function decide(ctx: Context, context: ConsentContext): Promise<void> {
  const form = new URLSearchParams(await text(ctx.req));
  if (form.has('cancel')) {
    return resume(ctx, context.provider, {
      error: 'access_denied',
      error_description: 'The user has denied your application access.',
    });
  }
  const emails = form.getAll('email');
  const account = emails.length === 1 ? context.directory.byEmail(context.name, emails[0] ?? '') : undefined;
  if (!account) {
    const known = context.directory.at(context.name).map(({ email }) => email);
    const requested = emails.length > 0 ? emails.map((email) => `"${email}"`).join(' and ') : 'nothing';
    return sendFailurePage(
      ctx,
      400,
      'No such account',
      `The form field "email" must be exactly one of ${known.join(', ')}, got ${requested}.`,
    );
  }
  // Choosing an account is also the consent, and satisfies every `prompt` that a client can request.
  const accountId = subjectOf(account, context.name) ?? '';
  await resume(ctx, context.provider, { login: { accountId }, consent: {}, select_account: {} });
}

async function resume(ctx: Context, provider: Provider, result: InteractionResults): Promise<void> {
  const returnTo = await provider.interactionResult(ctx.req, ctx.res, result, {
    mergeWithLastSubmission: false,
  });
  ctx.redirect(returnTo);
  ctx.status = 303;
}
