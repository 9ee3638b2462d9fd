import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '@gpu-observatory/local-stack';
import type { SharedStack } from '../shared-stack.ts';

/** Invalid requests per route. */
const BAD_INPUT_CASES = process.env.NIGHTLY_SEED ? 2_000 : 20;
const BAD_INPUT_TIMEOUT_MS = BAD_INPUT_CASES * 600;

export function describeContractRuns(shared: SharedStack): void {
  describe('npm run contract', () => {
    let folder: string;

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'contract-'));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    const argumentsFor = (service: string) => {
      const { portBase, dataDirectory, stack } = shared.sandbox;
      const { fleet_url, account_url, site_url } = stack();
      const url = { fleet: fleet_url, account: account_url, website: site_url }[service]!;
      const token = `"${process.execPath}" "${join(root, 'tools/local-stack/src/token.ts')}" --email ada@acme.example --data-directory "${dataDirectory}"`;
      return [
        ...[service, '--base-url', url, '--token-command', token, '--write'],
        ...['--origin', `http://localhost:${portBase}`, '--frontend-url', `http://localhost:${portBase}`],
      ];
    };

    // The tests of each service check its rules. This one checks the command, with the rules of the service that needs a token.
    it('passes for fleet, in the table and in JUnit XML', async () => {
      const junit = join(folder, 'fleet.xml');
      const { code, output, errors } = await contract([...argumentsFor('fleet'), '--junit', junit]);
      expect(errors).toBe('');
      expect(output.split('\n').filter((line) => /^[✖–]/.test(line))).toEqual([]);
      expect(output).toMatch(/^\d+ passed, 0 failed, 0 skipped\.$/m);
      expect(readFileSync(junit, 'utf8')).toMatch(
        /<testsuite name="contract of fleet" tests="\d+" failures="0" skipped="0"/,
      );
      expect(code).toBe(0);
    });

    it.each(['fleet', 'account', 'website'])(
      'finds no 5xx and no undocumented response of %s for invalid input',
      async (service) => {
        const { code, output } = await contract([
          ...argumentsFor(service),
          '--bad-input',
          `${BAD_INPUT_CASES}`,
        ]);
        expect(output.split('\n').filter((line) => !line.startsWith('✔'))).toEqual([
          expect.stringMatching(/^\d+ passed, 0 failed, 0 skipped\.$/),
          '',
        ]);
        expect(code).toBe(0);
      },
      60_000 + BAD_INPUT_TIMEOUT_MS,
    );
  });
}

async function contract(args: string[]): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [join(root, 'tools/contracts/src/main.ts'), ...args], { cwd: root });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, output, errors };
}
