import { render } from '../src/helm.ts';

/** Values without a placeholder. */
const real = {
  image: { registry: 'images.observatory.example' },
  frontend: { urls: ['https://app.observatory.example'], cookieDomain: 'observatory.example' },
  fleetApi: { host: 'fleet.observatory.example' },
  accountService: { host: 'account.observatory.example' },
  websiteApi: { host: 'www.observatory.example', contactEmail: 'hello@observatory.example' },
  console: { host: 'app.observatory.example' },
};

it('renders with placeholders only, and without any', () => {
  expect(() => render()).not.toThrow();
  expect(render({ values: real })).not.toMatch(/example\.com/);
});

it.each([
  ['fleetApi.host', { fleetApi: { host: 'fleet.example.com' } }],
  ['accountService.host', { accountService: { host: 'account.example.com' } }],
  ['websiteApi.host', { websiteApi: { ...real.websiteApi, host: 'www.example.com' } }],
  ['console.host', { console: { host: 'app.example.com' } }],
  ['frontend.cookieDomain', { frontend: { ...real.frontend, cookieDomain: 'example.com' } }],
  [
    'frontend.urls[1]',
    { frontend: { ...real.frontend, urls: [...real.frontend.urls, 'https://app.example.com/fleet'] } },
  ],
  ['websiteApi.docsUrl', { websiteApi: { ...real.websiteApi, docsUrl: 'https://docs.example.com' } }],
  ['websiteApi.contactEmail', { websiteApi: { ...real.websiteApi, contactEmail: 'hello@example.com' } }],
])('rejects a placeholder among real hosts: %s', (name, values) => {
  expect(() => render({ values: { ...real, ...values } })).toThrow(`${name} is the placeholder `);
});

it('accepts a host whose name only contains example.com', () => {
  const values = { ...real, fleetApi: { host: 'example.com.observatory.example' } };
  expect(() => render({ values })).not.toThrow();
});
