import { parse } from 'yaml';
import { render } from '../src/helm.ts';
import { exampleValues } from './support/examples.ts';

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

const trial = parse(exampleValues().get('values-trial.yaml') ?? '') as object;
const production = exampleValues().get('values-production.yaml') ?? '';

it('accepts simulated data in the trial', () => {
  expect(() => render({ values: trial })).not.toThrow();
});

it.each([
  ['ingress.enabled', { ingress: { enabled: true } }],
  ['gateway.enabled', { gateway: { enabled: true, parentRefs: [{ name: 'public' }] } }],
  ['accountService.github.enabled', { accountService: { github: { enabled: true } } }],
  ['accountService.google.enabled', { accountService: { google: { enabled: true } } }],
  ['accountService.oidc.enabled', { accountService: { oidc: { enabled: true } } }],
  ['accountService.tenants', { accountService: { tenants: { declaration: { customers: [] } } } }],
  ['accountService.tenants', { accountService: { tenants: { existingConfigMap: 'tenants' } } }],
  [
    'collectors.fleets',
    {
      collectors: { fleets: [{ name: 'a', customer: 1, workspace: 1, targets: ['http://x:9400/metrics'] }] },
    },
  ],
  ['fleetApi.host', { fleetApi: { host: 'fleet.observatory.example' } }],
  ['console.publicUrl', { console: { publicUrl: 'https://app.observatory.example' } }],
])('rejects simulated data with %s', (name, values) => {
  expect(() => render({ values: merged(trial, values) })).toThrow(
    new RegExp(`demo.enabled imports simulated data into customer 1, .* or remove ${name}`),
  );
});

it('rejects the values of the trial over those of a deployment, in any order', () => {
  const real = parse(production) as object;
  for (const values of [merged(real, trial), merged(trial, real)])
    expect(() => render({ values })).toThrow('demo.enabled imports simulated data');
});

const administrator = (email: string, customer: object) => ({
  accountService: {
    passwordSignIn: true,
    administrator: { email },
    tenants: { declaration: { customers: [{ name: 'Acme', workspaces: [], ...customer }] } },
  },
});

it.each([
  ['the domain', { slug: 'other', domains: ['acme.example'] }],
  ['the name of the domain', { slug: 'acme', domains: [], administrators: ['vera@acme.example'] }],
])('rejects an administrator that tenants do not declare in the customer with %s', (_what, customer) => {
  expect(() => render({ values: administrator('Ada@acme.example', customer) })).toThrow(
    `accountService.administrator.email is ada@acme.example, but accountService.tenants.declaration has customer ${customer.slug} without`,
  );
});

it('accepts an administrator of declared tenants, and one of another customer', () => {
  const customer = { slug: 'acme', domains: ['acme.example'], administrators: ['ADA@acme.example'] };
  for (const email of ['ada@Acme.example', 'ada@globex.example'])
    expect(() => render({ values: administrator(email, customer) })).not.toThrow();
});

/** Merges values as helm does with several files. */
function merged(base: object, over: object): object {
  const result: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const before = result[key];
    const areMaps = [before, value].every((each) => each && typeof each === 'object' && !Array.isArray(each));
    result[key] = areMaps ? merged(before as object, value as object) : value;
  }
  return result;
}
