import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { demoAccounts } from './demo-accounts.ts';
import { startIdentityProvider, type IdentityProviderOptions } from './identity-provider.ts';

const usage = `Usage: node src/main.ts [--port N] [--public-url ORIGIN] [--config FILE]

Starts a local GitHub and Google. Prints its endpoints as one JSON line when ready. SIGTERM or SIGINT stops it.

  --port N             port on 127.0.0.1, 0 for a free one     (IDENTITY_PROVIDER_PORT, default 3004)
  --public-url ORIGIN  origin that browsers use                (IDENTITY_PROVIDER_PUBLIC_URL)
  --config FILE        JSON, - for standard input              (or the JSON itself: IDENTITY_PROVIDER_CONFIG)
                       {"clients": {"github": {"clientId", "clientSecret", "redirectUris": […], "name"?},
                                    "google": {…}},
                        "accounts"?: […] (default: the demo accounts)}
`;

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values: flags } = parseArgs({
    options: {
      port: { type: 'string', default: process.env['IDENTITY_PROVIDER_PORT'] ?? '3004' },
      'public-url': { type: 'string', default: process.env['IDENTITY_PROVIDER_PUBLIC_URL'] ?? '' },
      config: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (flags.help) {
    console.log(usage);
    return;
  }
  const { clients, accounts = demoAccounts } = parseConfiguration(await readConfiguration(flags.config));
  const {
    replaceAccounts: _,
    stop,
    ...endpoints
  } = await startIdentityProvider({
    port: portNumber(flags.port),
    ...(flags['public-url'] && { publicUrl: flags['public-url'] }),
    clients,
    accounts,
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
  console.log(JSON.stringify(endpoints));
}

async function readConfiguration(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  if (file) return readFileSync(file, 'utf8');
  const json = process.env['IDENTITY_PROVIDER_CONFIG'];
  if (json) return json;
  throw new Error(`No configuration: pass --config FILE, or set IDENTITY_PROVIDER_CONFIG.\n\n${usage}`);
}

/** Parses the outer shape. `startIdentityProvider` validates the clients and the accounts. */
function parseConfiguration(
  json: string,
): Pick<IdentityProviderOptions, 'clients'> & Partial<IdentityProviderOptions> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new Error(`The configuration is not JSON: ${(error as Error).message}`, { cause: error });
  }
  if (typeof value === 'object' && value !== null && 'clients' in value) return value as never;
  throw new Error('The configuration must be a JSON object with "clients".');
}

function portNumber(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65535) return Number(value);
  throw new Error(`The port must be an integer from 0 to 65535, got "${value}".`);
}
