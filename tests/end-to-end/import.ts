import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scrape } from './support/dcgm-scrape.ts';
import { StackProgram } from './support/stack-program.ts';
import { getJson, tokenOf } from './requests.ts';
import type { SharedStack } from './shared-stack.ts';

export function describeImport(shared: SharedStack): void {
  describe('npm run import', () => {
    const gpuId = 'GPU-5f2b7c1e-0d3a-4c6b-9e8f-1a2b3c4d5e6f';
    let folder: string;

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'scrape-'));
      writeFileSync(
        join(folder, 'metrics.prom'),
        `${scrape({ gpuId, temperatureC: 41, powerW: 212.375 })}nonsense{\n`,
      );
    });

    const runImport = async (args: string[], input?: string) => {
      const program = new StackProgram(
        'import',
        [...args, '--data-directory', shared.sandbox.dataDirectory],
        {
          callerFolder: folder,
          ...(input !== undefined && { input }),
        },
      );
      return { code: await program.ended, output: program.output, errors: program.errors };
    };

    it('imports a file relative to the current directory, and repeating the import changes nothing', async () => {
      const args = ['dcgm', 'metrics.prom', '--customer', 'acme', '--workspace', 'Training', '--quiet'];
      const first = await runImport(args);
      expect(first.errors).toBe('');
      expect(first.code).toBe(0);
      // Two GPUs, each with a sample.
      const { reject_file: rejectFile, ...counts } = JSON.parse(first.output) as Record<string, unknown>;
      expect(counts).toEqual({ written: 4, duplicate: 0, rejected: 1 });
      expect(rejectFile).toMatch(
        new RegExp(`^${join(shared.sandbox.dataDirectory, 'rejects')}/dcgm-.+\\.ndjson$`),
      );
      expect(readFileSync(rejectFile as string, 'utf8')).toContain('nonsense{');
      expect(JSON.parse((await runImport(args)).output)).toMatchObject({
        written: 0,
        duplicate: 4,
        rejected: 1,
      });
    });

    it('makes the imported GPU visible to its customer only, with the exact values', async () => {
      const { fleet_url } = shared.sandbox.stack();
      const url = `${fleet_url}/api/v1/gpus/${gpuId}`;
      expect(await getJson(url, await tokenOf(shared, 'ada@acme.example'))).toMatchObject({
        status: 200,
        body: {
          gpu: {
            gpu_id: gpuId,
            model: 'NVIDIA H100 80GB HBM3',
            specs: { hostname: 'imported-host', pcie_address: '00000000:53:00.0' },
            telemetry: { temperature_c: 41, power_draw_w: 212.375, utilization_pct: 97 },
          },
        },
      });
      expect(await getJson(url, await tokenOf(shared, 'grace@globex.example'))).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      });
      // Alan is a member of another workspace.
      expect((await getJson(url, await tokenOf(shared, 'alan@acme.example'))).status).toBe(404);
    });

    it('imports standard input, with ids instead of names', async () => {
      const records = [
        {
          kind: 'gpu',
          at: new Date().toISOString(),
          gpu_id: 'GPU-from-stdin',
          hostname: 'elsewhere',
          model: 'X1',
        },
      ];
      const result = await runImport(
        ['ndjson', '-', '--customer', '2', '--workspace', '4', '--quiet'],
        records.map((record) => `${JSON.stringify(record)}\n`).join(''),
      );
      expect(result).toMatchObject({ code: 0, errors: '' });
      expect(JSON.parse(result.output)).toEqual({ written: 1, duplicate: 0, rejected: 0 });
    });

    it.each([
      [
        ['--customer', 'hooli'],
        /^--customer must be one of acme \(1\), globex \(2\), initech \(3\), got "hooli"\.\n$/,
      ],
      [
        ['--customer', 'globex', '--workspace', 'Research'],
        /^--workspace must be one of rendering .* got "Research"\.\n$/,
      ],
      [['--workspace', 'Research'], /^--workspace requires --customer\.\n$/],
    ])('rejects %j', async (flags, message) => {
      const { code, errors } = await runImport(['dcgm', 'metrics.prom', ...flags]);
      expect(code).toBe(1);
      expect(errors).toMatch(message);
    });
  });
}
