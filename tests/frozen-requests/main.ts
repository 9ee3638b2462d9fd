import { FROZEN_TIME } from './frozen-time.ts';
import '../deployment/clock.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { describeDifferences } from './differences.ts';
import { startDeployment } from '../deployment/deployment.ts';
import type { FrozenResponse } from './exchange.ts';
import { Recorder } from './recorder.ts';
import { accountScenario } from './requests/account.ts';
import { fleetScenario } from './requests/fleet.ts';
import { websiteScenario } from './requests/website.ts';

const USAGE = `Usage: npm run frozen -- replay|record [options]

Sends about 3,000 requests to the three services of a build, on a fixed data set and with stopped clocks.

  replay         compares the responses with the recorded ones; exit code 1 on a difference
  record         replaces the recorded responses

  --build DIR    folder of a checkout with compiled services (default: this one)
  --every N      replay only each Nth of the requests that do not depend on each other (default 1)
`;
const recordingFile = new URL('responses.ndjson.br', import.meta.url);
const root = fileURLToPath(new URL('../..', import.meta.url));

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    build: { type: 'string', default: root },
    every: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
const [mode] = positionals;
const every = Number(values.every);
if (values.help) {
  console.log(USAGE);
} else if (positionals.length !== 1 || (mode !== 'replay' && mode !== 'record') || !(every >= 1)) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const responses = await sendAll(values.build, mode === 'record' ? 1 : every);
  if (mode === 'record') write(responses);
  else compare(responses, read());
}

async function sendAll(build: string, every: number): Promise<Map<string, FrozenResponse>> {
  const deployment = await startDeployment({
    builds: { 'fleet-api': build, 'account-service': build, 'website-api': build },
    time: FROZEN_TIME,
    tokens: 'issuer',
  });
  try {
    const recorder = new Recorder(deployment, every);
    for (const scenario of [fleetScenario, websiteScenario, accountScenario])
      await scenario(deployment, recorder);
    return recorder.responses;
  } finally {
    await deployment.stop();
  }
}

function compare(responses: Map<string, FrozenResponse>, recorded: Map<string, FrozenResponse>): void {
  const differences = describeDifferences(responses, recorded, { isWhole: every === 1 });
  for (const difference of differences.slice(0, 50)) console.log(difference);
  console.log(`${responses.size} responses compared, ${differences.length} differences`);
  process.exitCode = differences.length > 0 || responses.size === 0 ? 1 : 0;
}

function write(responses: Map<string, FrozenResponse>): void {
  const lines = [...responses].map((entry) => `${JSON.stringify(entry)}\n`).join('');
  const compressed = brotliCompressSync(lines);
  writeFileSync(recordingFile, compressed);
  console.log(`${responses.size} responses recorded, ${compressed.length} bytes`);
}

function read(): Map<string, FrozenResponse> {
  const lines = brotliDecompressSync(readFileSync(recordingFile)).toString().trimEnd().split('\n');
  return new Map(lines.map((line) => JSON.parse(line) as [string, FrozenResponse]));
}
