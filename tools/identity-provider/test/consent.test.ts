import { ScriptedBrowser } from '../src/scripted-browser.ts';
import { demoAccounts, ordinaryAccount, type IdentityProvider } from '../src/index.ts';
import {
  authorizationUrl,
  callbackOrigin,
  redeem,
  startTestProvider,
  type ProviderName,
} from './support/test-provider.ts';

let provider: IdentityProvider;

beforeEach(async () => {
  provider = await startTestProvider();
});
afterEach(() => provider.stop());

const atCallback = (url: URL) => url.origin === callbackOrigin;
const emails = demoAccounts.map(({ email }) => email);

/** The form of a consent page. */
interface PageForm {
  action: URL;
  /** Values of the submit buttons, by name. */
  buttons: Record<string, string[]>;
}

interface Page {
  status: number;
  html: string;
  headers: Headers;
  form: PageForm;
}

async function open(browser: ScriptedBrowser, providerName: ProviderName, parameters = {}): Promise<Page> {
  const start = await browser.visit(authorizationUrl(provider, providerName, parameters));
  const reached = await browser.follow(start, atCallback);
  if ('stoppedAt' in reached) throw new Error(`No page on the way to ${reached.stoppedAt.href}`);
  const { url, response } = reached.page;
  const html = await response.text();
  return { status: response.status, html, headers: response.headers, form: formOf(html, url) };
}

function formOf(html: string, pageUrl: URL): PageForm {
  const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(html) ?? [];
  const buttons: PageForm['buttons'] = {};
  for (const [, name = '', value = ''] of html.matchAll(
    /<button type="submit" name="([^"]+)" value="([^"]+)"/g,
  ))
    (buttons[name] ??= []).push(value);
  return { action: new URL(action, pageUrl), buttons };
}

/** Presses a button and follows the redirects to the client's callback or to a page. */
async function press(browser: ScriptedBrowser, form: PageForm, button: Record<string, string>) {
  const reached = await browser.follow(await browser.visit(form.action, button), atCallback);
  if ('stoppedAt' in reached) return { callback: Object.fromEntries(reached.stoppedAt.searchParams) };
  return { status: reached.page.response.status, html: await reached.page.response.text() };
}

describe.each([
  ['github' as const, 'GitHub', 'GPU &lt;Observatory&gt;'],
  ['google' as const, 'Google', 'google-client'],
])('the consent page of %s', (providerName, title, client) => {
  it('has one form with a button for each account and a cancel button', async () => {
    const { status, html, headers, form } = await open(new ScriptedBrowser(), providerName);
    expect(status).toBe(200);
    expect(form.buttons).toEqual({ email: emails, cancel: ['cancel'] });
    expect(html).toContain(`<h1>Sign in with ${title}</h1>`);
    expect(html).toContain(`<strong>${client}</strong> at http://localhost:14002`);
    expect(html.match(/<form/g)).toHaveLength(1);
    expect(html).not.toContain('<script');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  });

  it('redirects with access_denied and the state when canceled', async () => {
    const browser = new ScriptedBrowser();
    const { form } = await open(browser, providerName);
    expect(await press(browser, form, { cancel: 'cancel' })).toEqual({
      callback: {
        error: 'access_denied',
        error_description: 'The user has denied your application access.',
        state: 'state-of-the-client',
        iss: `${provider.url}/${providerName}`,
      },
    });
  });

  it('appears at every sign-in of a browser, so that the user can choose another account', async () => {
    const browser = new ScriptedBrowser();
    const first = await open(browser, providerName);
    const ada = await press(browser, first.form, { email: 'ada@acme.example' });
    const second = await open(browser, providerName);
    expect(second.form.buttons['email']).toEqual(emails);
    const grace = await press(browser, second.form, { email: 'grace@globex.example' });

    for (const { callback } of [ada, grace]) {
      const response = await redeem(provider, providerName, callback?.['code'] ?? '', {
        accept: 'application/json',
      });
      expect(await response.json()).toHaveProperty('access_token');
    }
  });

  it('supports two concurrent sign-ins in one browser', async () => {
    const browser = new ScriptedBrowser();
    const one = await open(browser, providerName, { state: 'one' });
    const two = await open(browser, providerName, { state: 'two' });
    expect((await press(browser, two.form, { email: 'ada@acme.example' })).callback?.['state']).toBe('two');
    expect((await press(browser, one.form, { email: 'alan@acme.example' })).callback?.['state']).toBe('one');
  });

  it.each([
    [
      'an email that is not on the list',
      { email: '<eve@evil.example>' },
      '&quot;&lt;eve@evil.example&gt;&quot;',
    ],
    ['a form without a button', {}, 'got nothing'],
  ])('rejects %s with a 400 page and lets the user correct it', async (_, fields, detail) => {
    const browser = new ScriptedBrowser();
    const { form } = await open(browser, providerName);
    const rejected = await press(browser, form, fields);
    expect(rejected.status).toBe(400);
    expect(rejected.html).toContain(detail);
    expect(rejected.html).toContain(`must be exactly one of ${emails.join(', ')}, got `);
    expect(await press(browser, form, { email: 'ada@acme.example' })).toHaveProperty('callback.code');
  });

  it('rejects a form that is sent twice or from another browser', async () => {
    const browser = new ScriptedBrowser();
    const { form } = await open(browser, providerName);
    const stranger = await press(new ScriptedBrowser(), form, { email: 'ada@acme.example' });
    expect([stranger.status, stranger.html]).toEqual([
      400,
      expect.stringContaining('This sign-in has ended'),
    ]);
    await press(browser, form, { email: 'ada@acme.example' });
    const twice = await press(browser, form, { email: 'ada@acme.example' });
    expect([twice.status, twice.html]).toEqual([400, expect.stringContaining('This sign-in has ended')]);
  });
});

it('lists an account only at its providers, with an escaped name', async () => {
  const { github, ...googleOnly } = ordinaryAccount({
    email: 'bob@acme.example',
    name: '<b>Bob</b>',
    login: 'bob',
    number: 5,
  });
  expect(github.login).toBe('bob');
  provider.replaceAccounts([...demoAccounts, googleOnly]);
  const atGithub = await open(new ScriptedBrowser(), 'github');
  const atGoogle = await open(new ScriptedBrowser(), 'google');
  expect(atGithub.form.buttons['email']).toEqual(emails);
  expect(atGoogle.form.buttons['email']).toEqual([...emails, 'bob@acme.example']);
  expect(atGoogle.html).toContain('&lt;b&gt;Bob&lt;/b&gt;');
});
