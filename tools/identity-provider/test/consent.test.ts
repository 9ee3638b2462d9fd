import { CookieKeepingBrowser, formOf, type PageForm } from '../src/cookie-keeping-browser.ts';
import { demoAccounts, ordinaryAccount, type IdentityProvider } from '../src/index.ts';
import { authorizationUrl, callbackOrigin, redeem, trialProvider, type Side } from './support/trial.ts';

let provider: IdentityProvider;

beforeEach(async () => {
  provider = await trialProvider();
});
afterEach(() => provider.stop());

const atCallback = (url: URL) => url.origin === callbackOrigin;
const emails = demoAccounts.map(({ email }) => email);

interface Page {
  status: number;
  html: string;
  headers: Headers;
  form: PageForm;
}

async function open(browser: CookieKeepingBrowser, side: Side, parameters = {}): Promise<Page> {
  const start = await browser.visit(authorizationUrl(provider, side, parameters));
  const reached = await browser.follow(start, atCallback);
  if ('leftFor' in reached) throw new Error(`No page on the way to ${reached.leftFor.href}`);
  const { url, response } = reached.page;
  const html = await response.text();
  const form = formOf(html, url) ?? { action: url, hidden: {}, buttons: {} };
  return { status: response.status, html, headers: response.headers, form };
}

/** Presses a button; ends at the client's callback or at a page. */
async function press(browser: CookieKeepingBrowser, form: PageForm, pressed: Record<string, string>) {
  const reached = await browser.follow(await browser.submit(form, pressed), atCallback);
  if ('leftFor' in reached) return { callback: Object.fromEntries(reached.leftFor.searchParams) };
  return { status: reached.page.response.status, html: await reached.page.response.text() };
}

describe.each([
  ['github' as const, 'GitHub', 'GPU &#60;Observatory&#62;'],
  ['google' as const, 'Google', 'google-client'],
])('the consent page of %s', (side, title, client) => {
  it('is one form with a button for each account and a cancel button', async () => {
    const { status, html, headers, form } = await open(new CookieKeepingBrowser(), side);
    expect(status).toBe(200);
    expect(form.buttons).toEqual({ email: emails, cancel: ['cancel'] });
    expect(html).toContain(`<h1>Sign in with ${title}</h1>`);
    expect(html).toContain(`<strong>${client}</strong> at http://localhost:14002`);
    expect(html.match(/<form/g)).toHaveLength(1);
    expect(html).not.toContain('<script');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  it('goes back with access_denied and the state when cancelled', async () => {
    const browser = new CookieKeepingBrowser();
    const { form } = await open(browser, side);
    expect(await press(browser, form, { cancel: 'cancel' })).toEqual({
      callback: {
        error: 'access_denied',
        error_description: 'The user has denied your application access.',
        state: 'state-of-the-client',
        iss: `${provider.url}/${side}`,
      },
    });
  });

  it('comes again at the next sign-in of the same browser, which may take another account', async () => {
    const browser = new CookieKeepingBrowser();
    const first = await open(browser, side);
    const ada = await press(browser, first.form, { email: 'ada@acme.example' });
    const second = await open(browser, side);
    expect(second.form.buttons['email']).toEqual(emails);
    const grace = await press(browser, second.form, { email: 'grace@globex.example' });

    for (const { callback } of [ada, grace]) {
      const response = await redeem(provider, side, callback?.['code'] ?? '', { accept: 'application/json' });
      expect(await response.json()).toHaveProperty('access_token');
    }
  });

  it('keeps two sign-ins of one browser apart', async () => {
    const browser = new CookieKeepingBrowser();
    const one = await open(browser, side, { state: 'one' });
    const two = await open(browser, side, { state: 'two' });
    expect((await press(browser, two.form, { email: 'ada@acme.example' })).callback?.['state']).toBe('two');
    expect((await press(browser, one.form, { email: 'alan@acme.example' })).callback?.['state']).toBe('one');
  });

  it.each([
    [
      'an e-mail that is not on the list',
      { email: '<eve@evil.example>' },
      '&#34;&#60;eve@evil.example&#62;&#34;',
    ],
    ['no button at all', {}, 'says nothing'],
  ])(
    'refuses %s with a 400 page that names what is wrong, and lets the person go on',
    async (_, fields, detail) => {
      const browser = new CookieKeepingBrowser();
      const { form } = await open(browser, side);
      const refused = await press(browser, form, fields);
      expect(refused.status).toBe(400);
      expect(refused.html).toContain(detail);
      expect(refused.html).toContain(`must be exactly one of ${emails.join(', ')}.`);
      expect(await press(browser, form, { email: 'ada@acme.example' })).toHaveProperty('callback.code');
    },
  );

  it('is closed to a form that is sent twice or from another browser', async () => {
    const browser = new CookieKeepingBrowser();
    const { form } = await open(browser, side);
    const stranger = await press(new CookieKeepingBrowser(), form, { email: 'ada@acme.example' });
    expect([stranger.status, stranger.html]).toEqual([400, expect.stringContaining('This sign-in is over')]);
    await press(browser, form, { email: 'ada@acme.example' });
    const twice = await press(browser, form, { email: 'ada@acme.example' });
    expect([twice.status, twice.html]).toEqual([400, expect.stringContaining('This sign-in is over')]);
  });

  it('puts the suggested account first', async () => {
    const hint = side === 'github' ? 'login' : 'login_hint';
    const { html, form } = await open(new CookieKeepingBrowser(), side, { [hint]: 'vera@acme.example' });
    expect(form.buttons['email']?.[0]).toBe('vera@acme.example');
    expect(html).toContain('value="vera@acme.example" autofocus');
  });
});

it('lists an account only where it exists, with its name escaped', async () => {
  const { github, ...googleOnly } = ordinaryAccount({
    email: 'bob@acme.example',
    name: '<b>Bob</b>',
    login: 'bob',
    number: 5,
  });
  expect(github.login).toBe('bob');
  provider.replaceAccounts([...demoAccounts, googleOnly]);
  const atGithub = await open(new CookieKeepingBrowser(), 'github');
  const atGoogle = await open(new CookieKeepingBrowser(), 'google');
  expect(atGithub.form.buttons['email']).toEqual(emails);
  expect(atGoogle.form.buttons['email']).toEqual([...emails, 'bob@acme.example']);
  expect(atGoogle.html).toContain('&#60;b&#62;Bob&#60;/b&#62;');
});
