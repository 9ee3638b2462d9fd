import { readConfig } from '../../src/config/website.config.ts';

const environment = {
  DATABASE_URL: 'postgres://website_api:secret@database:5432/website',
  SITE_URL: 'https://site.example/',
  DOCS_URL: 'https://docs.example',
  FLEET_URL: 'https://fleet.example',
  ACCOUNT_URL: 'https://account.example',
  CONTACT_EMAIL: 'hello@site.example',
};

describe('readConfig', () => {
  it('reads the addresses without a trailing slash', () => {
    expect(readConfig(environment).site).toEqual({
      siteUrl: 'https://site.example',
      docsUrl: 'https://docs.example',
      fleetUrl: 'https://fleet.example',
      accountUrl: 'https://account.example',
      contactEmail: 'hello@site.example',
    });
  });

  it('refuses what is missing or wrong, all of it at once and by name', () => {
    const wrong = { ...environment, SITE_URL: '', FLEET_URL: 'ftp://fleet.example', CONTACT_EMAIL: 'nobody' };
    expect(() => readConfig(wrong)).toThrow(
      'SITE_URL is missing: it should be the public address of this site, as https://host, without credentials, query or fragment\n' +
        'FLEET_URL is not valid: it should be the public address of the fleet data API, as https://host, without credentials, query or fragment\n' +
        'CONTACT_EMAIL is not valid: it should be the mail address that readers may write to, as name@host',
    );
  });

  it('does without a mail server and without keys, unless told of half a way to check them', () => {
    expect(readConfig(environment).contact).toEqual({
      recipient: 'hello@site.example',
      sender: 'hello@site.example',
      smtpUrl: undefined,
      keyCheck: undefined,
      origins: ['https://site.example'],
      rateLimits: true,
    });
    expect(() => readConfig({ ...environment, ACCOUNT_INTERNAL_URL: 'http://account:9443' })).toThrow(
      'ACCOUNT_INTERNAL_URL and INTERNAL_CREDENTIAL belong together',
    );
    expect(() => readConfig({ ...environment, SMTP_URL: 'mail.example' })).toThrow('SMTP_URL is not valid');
  });
});
