import { demoAccounts, ordinaryAccount, type Account, type IdentityProvider } from '../src/index.ts';
import { passportSignIn } from './support/passport-client.ts';
import { startTestProvider } from './support/test-provider.ts';

const ada = ordinaryAccount({ email: 'ada@acme.example', name: 'Ada Lovelace', login: 'ada', number: 7 });

let provider: IdentityProvider;

async function start(...accounts: Account[]): Promise<void> {
  provider = await startTestProvider(accounts);
}

afterEach(() => provider.stop());

describe('passport-github2', () => {
  it('signs in every demo account with its one verified email', async () => {
    await start(...demoAccounts);
    for (const { email, name, github } of demoAccounts) {
      const profile = await passportSignIn(provider, 'github', email);
      expect(profile).toMatchObject({
        provider: 'github',
        id: String(github.id),
        username: github.login,
        displayName: name,
        emails: [{ value: email, primary: true, verified: true, visibility: 'public' }],
        photos: [{ value: github.avatarUrl }],
      });
    }
  });

  it('reads a private email from the list, with all its flags', async () => {
    const emails = [
      { email: 'ada@home.example', primary: false, verified: true, visibility: null },
      { email: 'ada@acme.example', primary: true, verified: false, visibility: 'private' as const },
    ];
    await start({ ...ada, github: { ...ada.github, publicEmail: null, emails } });
    const profile = await passportSignIn(provider, 'github', 'ada@acme.example');
    expect(profile._json['email']).toBeNull();
    expect(profile.emails).toEqual([
      { value: 'ada@home.example', primary: false, verified: true, visibility: null },
      { value: 'ada@acme.example', primary: true, verified: false, visibility: 'private' },
    ]);
  });
});

describe('passport-google-oauth20', () => {
  it('signs in every demo account with its verified email and domain', async () => {
    await start(...demoAccounts);
    for (const { email, name, google } of demoAccounts) {
      const profile = await passportSignIn(provider, 'google', email);
      const [given_name, family_name] = name.split(' ');
      expect(profile).toMatchObject({ provider: 'google', id: google.sub, displayName: name });
      expect(profile._json).toEqual({
        sub: google.sub,
        name,
        given_name,
        family_name,
        picture: google.pictureUrl,
        email,
        email_verified: true,
        hd: email.split('@')[1],
      });
    }
  });

  it.each([
    ['an unverified email', { email: 'ada@acme.example', emailVerified: false, hd: 'acme.example' }],
    ['no domain', { email: 'ada@acme.example', emailVerified: true }],
    ['another domain', { email: 'ada@acme.example', emailVerified: true, hd: 'globex.example' }],
    ['no email', {}],
  ])(
    'returns an account with %s',
    async (_, profile: { email?: string; emailVerified?: boolean; hd?: string }) => {
      await start({
        ...ada,
        google: { sub: '42', pictureUrl: 'https://pictures.example/ada.png', ...profile },
      });
      const { _json: claims } = await passportSignIn(provider, 'google', 'ada@acme.example');
      expect(claims['sub']).toBe('42');
      expect([claims['email'], claims['email_verified'], claims['hd']]).toEqual([
        profile.email,
        profile.emailVerified,
        profile.hd,
      ]);
    },
  );
});

describe('replaced accounts', () => {
  it('return a recycled email with the new subject', async () => {
    await start(ada);
    const before = await passportSignIn(provider, 'google', 'ada@acme.example');
    provider.replaceAccounts([{ ...ada, google: { ...ada.google, sub: '99' } }]);
    const after = await passportSignIn(provider, 'google', 'ada@acme.example');
    expect(before.emails).toEqual(after.emails);
    expect([before.id, after.id]).toEqual([ada.google.sub, '99']);
  });

  it('can include two accounts with the same email', async () => {
    const newOwner = { ...ada, email: 'new owner of ada@acme.example', github: { ...ada.github, id: 8 } };
    await start(ada, { ...newOwner, google: { ...ada.google, sub: '99' } });
    const profile = await passportSignIn(provider, 'github', 'new owner of ada@acme.example');
    expect([profile.id, profile._json['email']]).toEqual(['8', 'ada@acme.example']);
  });

  it('are rejected if two have the same provider id; the previous ones stay', async () => {
    await start(ada);
    expect(() => provider.replaceAccounts([ada, { ...ada, email: 'twin@acme.example' }])).toThrow(
      'two accounts have the github.id 7',
    );
    expect((await passportSignIn(provider, 'github', 'ada@acme.example')).id).toBe('7');
  });
});
