import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scrape } from '../support/dcgm-scrape.ts';
import { StackProgram } from '../support/stack-process.ts';
import { getJson, tokenOf } from './requests.ts';
import type { SmallStack } from './small-stack.ts';

export function describeImport(small: SmallStack): void {
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
      const program = new StackProgram('import', [...args, '--data-directory', small.place.dataDirectory], {
        callerFolder: folder,
        ...(input !== undefined && { input }),
      });
      return { code: await program.ended, output: program.output, errors: program.errors };
    };

    it('takes a file from where the caller is, for a customer by its name, and twice the same changes nothing', async () => {
      const args = ['dcgm', 'metrics.prom', '--customer', 'acme', '--workspace', 'Training', '--quiet'];
      const first = await runImport(args);
      expect(first.errors).toBe('');
      expect(first.code).toBe(0);
      // Two GPUs, each with a sample.
      const { reject_file: rejectFile, ...counts } = JSON.parse(first.output) as Record<string, unknown>;
      expect(counts).toEqual({ written: 4, known: 0, rejected: 1 });
      expect(rejectFile).toMatch(
        new RegExp(`^${join(small.place.dataDirectory, 'rejects')}/dcgm-.+\\.ndjson$`),
      );
      expect(readFileSync(rejectFile as string, 'utf8')).toContain('nonsense{');
      expect(JSON.parse((await runImport(args)).output)).toMatchObject({ written: 0, known: 4, rejected: 1 });
    });

    it('shows the imported GPU to its customer with the exact values, to the other not at all', async () => {
      const { fleet_url } = small.place.stack();
      const url = `${fleet_url}/api/v1/gpus/${gpuId}`;
      expect(await getJson(url, await tokenOf(small, 'ada@acme.example'))).toMatchObject({
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
      expect(await getJson(url, await tokenOf(small, 'grace@globex.example'))).toMatchObject({
        status: 404,
        body: { error: 'not_found' },
      });
      // Alan is a member of another workspace.
      expect((await getJson(url, await tokenOf(small, 'alan@acme.example'))).status).toBe(404);
    });

    it('takes standard input, and ids for names', async () => {
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
      expect(JSON.parse(result.output)).toEqual({ written: 1, known: 0, rejected: 0 });
    });

    it.each([
      [
        ['--customer', 'hooli'],
        /^--customer is "hooli": it should be one of acme \(1\), globex \(2\), initech \(3\)\.\n$/,
      ],
      [
        ['--customer', 'globex', '--workspace', 'Research'],
        /^--workspace is "Research": it should be one of rendering /,
      ],
      [['--workspace', 'Research'], /^A workspace is one of a customer: give --customer too\.\n$/],
    ])('refuses %j with what there is', async (where, words) => {
      const { code, errors } = await runImport(['dcgm', 'metrics.prom', ...where]);
      expect(code).toBe(1);
      expect(errors).toMatch(words);
    });
  });
}
