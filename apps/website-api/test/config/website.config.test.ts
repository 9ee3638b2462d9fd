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
  it('strips the trailing slash of URLs', () => {
    expect(readConfig(environment).site).toEqual({
      siteUrl: 'https://site.example',
      docsUrl: 'https://docs.example',
      fleetUrl: 'https://fleet.example',
      accountUrl: 'https://account.example',
      contactEmail: 'hello@site.example',
    });
  });

  it('reports all missing and invalid variables by name', () => {
    const wrong = { ...environment, SITE_URL: '', FLEET_URL: 'ftp://fleet.example', CONTACT_EMAIL: 'hello' };
    expect(() => readConfig(wrong)).toThrow(
      /^SITE_URL is missing: .*\nFLEET_URL is not valid: .*\nCONTACT_EMAIL is not valid: /,
    );
  });

  it('requires no mail server or key introspection, but rejects incomplete settings', () => {
    expect(readConfig(environment).contact).toEqual({
      recipient: 'hello@site.example',
      sender: 'hello@site.example',
      smtpUrl: undefined,
      keyIntrospection: undefined,
      origins: ['https://site.example'],
      rateLimits: true,
    });
    expect(() => readConfig({ ...environment, ACCOUNT_INTERNAL_URL: 'http://account:9443' })).toThrow(
      'ACCOUNT_INTERNAL_URL and INTERNAL_CREDENTIAL must be set together',
    );
    expect(() => readConfig({ ...environment, SMTP_URL: 'mail.example' })).toThrow('SMTP_URL is not valid');
  });
});
