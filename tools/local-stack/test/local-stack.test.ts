import { createServer } from 'node:net';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signInWithoutBrowser } from '@gpu-observatory/identity-provider';
import type { Browser, Page } from 'playwright-core';
import { portsFrom, refuseTakenPorts } from '../src/ports.ts';
import { scrape } from './support/dcgm-scrape.ts';
import { openBrowser } from './support/browser.ts';
import { childrenOf, isRunning, ownPlace, type Place, StackProgram } from './support/stack-process.ts';

/** One small stack for the whole file; the last tests stop it and start it again. */
const smallFleet = ['--hosts', '6', '--gpus', '12', '--alerts', '60', '--days', '2'];
const START_WITHIN_MS = 60_000;
const NEXT_START_WITHIN_MS = 15_000;

let place: Place;
let stack: StackProgram;

beforeAll(async () => {
  place = await ownPlace();
  stack = new StackProgram('main', [...place.flags, ...smallFleet]);
  await stack.untilReady();
}, START_WITHIN_MS);

afterAll(async () => {
  stack.kill('SIGTERM');
  await stack.ended;
  await place.remove();
}, START_WITHIN_MS);

async function token(email: string, ...more: string[]): Promise<string> {
  const program = new StackProgram('token', [
    '--email',
    email,
    '--data-directory',
    place.dataDirectory,
    ...more,
  ]);
  expect(await program.ended).toBe(0);
  return program.output.trim();
}

async function get(url: string, bearer: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('a stack that runs', () => {
  it('writes down what runs where, for its owner alone', () => {
    const { portBase, dataDirectory } = place;
    const url = (offset: number) => `http://localhost:${portBase + offset}`;
    const database = (role: string) =>
      expect.stringMatching(
        new RegExp(`^postgres://${role}:[\\w-]{43}@127\\.0\\.0\\.1:${portBase + 5}/gpu_observatory$`),
      );
    const account = (email: string, may_sign_in: boolean) => ({
      email,
      providers: ['github', 'google'],
      may_sign_in,
    });
    expect(place.stack()).toEqual({
      fleet_url: url(1),
      account_url: url(2),
      site_url: url(3),
      identity_provider_url: url(4),
      management_urls: { fleet: url(11), account: url(12), website: url(13) },
      database_urls: {
        fleet: database('fleet_owner'),
        account: database('account_owner'),
        website: database('website_owner'),
      },
      accounts: [
        account('ada@acme.example', true),
        account('alan@acme.example', true),
        account('vera@acme.example', true),
        account('grace@globex.example', true),
        account('ivan@initech.example', false),
        account('nina@nowhere.example', false),
      ],
      pid: stack.pid,
    });
    for (const file of ['stack.json', 'secrets.json', 'lock', 'logs/fleet-api.log']) {
      expect([file, statSync(join(dataDirectory, file)).mode & 0o777]).toEqual([file, 0o600]);
    }
  });

  it('shows one screen whose curl lines name the services', () => {
    const { portBase } = place;
    for (const offset of [1, 2, 3])
      expect(stack.output).toContain(`http://localhost:${portBase + offset}/openapi.json`);
    expect(stack.output.match(/^ {2}curl .*npm run -s token -- --email ada@acme\.example/gm)).toHaveLength(3);
    expect(stack.output.split('\n').length).toBeLessThanOrEqual(24);
  });

  it('has three services that are ready, each with its documents', async () => {
    const { management_urls, fleet_url, account_url, site_url } = place.stack();
    for (const url of Object.values(management_urls)) expect((await fetch(`${url}/readyz`)).status).toBe(200);
    for (const url of [fleet_url, account_url, site_url]) {
      expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
      expect((await fetch(`${url}/docs`)).status).toBe(200);
    }
  });

  it('imports every simulated record', () => {
    expect(stack.errors).not.toContain('refused');
    expect(readdirSync(join(place.dataDirectory, 'rejects'))).toEqual([]);
  });

  it('is not started twice on the same data', async () => {
    const second = new StackProgram('main', [...place.flags]);
    expect(await second.ended).toBe(1);
    expect(second.errors).toMatch(
      new RegExp(`^It runs already: http://localhost:${place.portBase}, process ${stack.pid}, [^\\n]+\\n$`),
    );
  });
});

describe('npm run token', () => {
  it('prints a token of each provider that both services accept', async () => {
    const { account_url, fleet_url } = place.stack();
    for (const provider of ['github', 'google']) {
      const bearer = await token('alan@acme.example', '--provider', provider);
      expect(bearer).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
      expect(await get(`${account_url}/api/v1/me`, bearer)).toMatchObject({
        status: 200,
        body: { user: { email: 'alan@acme.example', name: 'Alan Turing' } },
      });
      expect((await get(`${fleet_url}/api/v1/gpus`, bearer)).status).toBe(200);
    }
  });

  it('prints the whole session with --json', async () => {
    expect(JSON.parse(await token('vera@acme.example', '--json'))).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 21_600,
    });
  });

  it.each([
    ['ivan@initech.example', 'ivan@initech.example may not sign in: domain_not_allowed.\n'],
    ['nina@nowhere.example', 'nina@nowhere.example may not sign in: domain_not_allowed.\n'],
    ['eve@acme.example', /^The identity provider has no account eve@acme\.example: use one of ada@.*\n$/],
  ])('says why %s gets none', async (email, words) => {
    const program = new StackProgram('token', ['--email', email, '--data-directory', place.dataDirectory]);
    expect(await program.ended).toBe(1);
    expect(program.output).toBe('');
    expect(program.errors).toMatch(words);
  });

  it('says that nothing runs where nothing runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'empty-'));
    const program = new StackProgram('token', ['--email', 'ada@acme.example', '--data-directory', folder]);
    expect(await program.ended).toBe(1);
    expect(program.errors).toMatch(new RegExp(`^Nothing is ready in ${folder}: start it with "npm start"`));
  });
});

describe('who sees what', () => {
  it('gives every customer its own fleet', async () => {
    const { fleet_url } = place.stack();
    const [ada, grace] = [await token('ada@acme.example'), await token('grace@globex.example')];
    const idsOf = async (bearer: string) => {
      const { body } = await get(`${fleet_url}/api/v1/gpus?view=basic`, bearer);
      return (body['gpus'] as { gpu_id: string }[]).map(({ gpu_id }) => gpu_id);
    };
    const [ofAcme, ofGlobex] = [await idsOf(ada), await idsOf(grace)];
    expect(ofAcme.length + ofGlobex.length).toBe(12);
    expect(ofAcme.filter((id) => ofGlobex.includes(id))).toEqual([]);
  });

  it('lets the roles of the tenants file see the workspaces that it gives them', async () => {
    const { account_url } = place.stack();
    const rolesOf = async (email: string) => {
      const { body } = await get(`${account_url}/api/v1/workspaces/`, await token(email));
      return (body['workspaces'] as { name: string; role: string }[])
        .map(({ name, role }) => `${name}: ${role}`)
        .sort();
    };
    expect(await rolesOf('ada@acme.example')).toEqual([
      'Inference: owner',
      'Research: owner',
      'Training: owner',
    ]);
    expect(await rolesOf('alan@acme.example')).toEqual(['Research: member']);
    expect(await rolesOf('vera@acme.example')).toEqual(['Research: viewer']);
    expect(await rolesOf('grace@globex.example')).toEqual(['Rendering: owner', 'Simulation: owner']);
  });
});

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
    const program = new StackProgram('import', [...args, '--data-directory', place.dataDirectory], {
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
    const { reject_file: rejectFile, ...counts } = JSON.parse(first.output) as Record<string, unknown>;
    expect(counts).toEqual({ written: 2, known: 0, rejected: 1 });
    expect(rejectFile).toMatch(new RegExp(`^${join(place.dataDirectory, 'rejects')}/dcgm-.+\\.ndjson$`));
    expect(readFileSync(rejectFile as string, 'utf8')).toContain('nonsense{');
    expect(JSON.parse((await runImport(args)).output)).toMatchObject({ written: 0, known: 2, rejected: 1 });
  });

  it('shows the imported GPU to its customer with the exact values, to the other not at all', async () => {
    const { fleet_url } = place.stack();
    const url = `${fleet_url}/api/v1/gpus/${gpuId}`;
    expect(await get(url, await token('ada@acme.example'))).toMatchObject({
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
    expect(await get(url, await token('grace@globex.example'))).toMatchObject({
      status: 404,
      body: { error: 'not_found' },
    });
    // Alan is a member of another workspace.
    expect((await get(url, await token('alan@acme.example'))).status).toBe(404);
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
  ])('refuses %j with what there is', async (place, words) => {
    const { code, errors } = await runImport(['dcgm', 'metrics.prom', ...place]);
    expect(code).toBe(1);
    expect(errors).toMatch(words);
  });
});

describe('the example page in a browser', () => {
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    page = await (await browser.newContext()).newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`http://localhost:${place.portBase}/`);
  });
  afterEach(async () => {
    await page.context().close();
    expect(faults).toEqual([]);
  });

  const signIn = async (provider: string, email: string) => {
    await page.getByRole('button', { name: `Sign in with ${provider}` }).click();
    await page.locator(`button[name=email][value="${email}"]`).click();
  };

  it('signs Ada in with GitHub and shows who she is, her alerts and her GPUs', async () => {
    await signIn('GitHub', 'ada@acme.example');
    await page.locator('#gpus tr').first().waitFor();
    expect(await page.locator('#user').innerText()).toContain('Ada Lovelace, ada@acme.example');
    expect(await page.locator('#alerts tr').count()).toBe(20);
    expect(await page.locator('#alerts td:first-child').allInnerTexts()).toEqual(
      Array(20).fill(expect.stringMatching(/^(critical|high|medium|low|info)$/)),
    );
    expect(await page.locator('#gpus', { hasText: 'imported-host' }).count()).toBe(1);
    expect(await page.locator('#gpus td:first-child').allInnerTexts()).toContain('healthy');
    expect(page.url()).toBe(`http://localhost:${place.portBase}/`); // the code is gone from the address

    await page.reload();
    await page.locator('#gpus tr').first().waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with GitHub' }).waitFor();
    expect(await page.locator('main').isVisible()).toBe(false);
  });

  it('signs Grace in with Google and shows her nothing of Ada’s', async () => {
    await signIn('Google', 'grace@globex.example');
    await page.locator('#gpus tr').first().waitFor();
    expect(await page.locator('#user').innerText()).toContain('grace@globex.example');
    expect(await page.locator('#gpus', { hasText: 'imported-host' }).count()).toBe(0);
  });

  it('tells Nina that her domain is not allowed', async () => {
    await signIn('GitHub', 'nina@nowhere.example');
    await page.locator('#message:not(:empty)').waitFor();
    expect(await page.locator('#message').innerText()).toBe('The sign-in did not work: domain_not_allowed');
    expect(await page.getByRole('button', { name: 'Sign in with Google' }).isVisible()).toBe(true);
  });
});

describe('a stack that stops', () => {
  let earlier: { parts: number[]; session: string };

  it('leaves no process on SIGTERM, and says so with exit code 0', async () => {
    const parts = childrenOf(stack.pid);
    if (process.platform === 'linux') expect(parts.length).toBeGreaterThanOrEqual(6);
    earlier = { parts, session: await token('ada@acme.example', '--json') };
    stack.kill('SIGTERM');
    expect(await stack.ended).toBe(0);
    expect(parts.filter(isRunning)).toEqual([]);
    await refuseTakenPorts(portsFrom(place.portBase));
    expect(readdirSync(place.dataDirectory).sort()).toEqual(['database', 'logs', 'rejects', 'secrets.json']);
  });

  it('is not started while somebody has one of its ports', async () => {
    const port = place.portBase + 2;
    const somebody = createServer().listen(port, '127.0.0.1');
    await once(somebody, 'listening');
    const program = new StackProgram('main', [...place.flags]);
    expect(await program.ended).toBe(1);
    somebody.close();
    expect(program.errors).toBe(
      `Port ${port} (account-service) is taken: stop what listens there, or start with another --port-base, such as ${place.portBase + 1_000}.\n`,
    );
  });

  it('is not given another fleet than it has', async () => {
    const program = new StackProgram('main', [...place.flags, '--gpus', '13']);
    expect(await program.ended).toBe(1);
    expect(program.errors).toContain(
      'The simulated fleet that is there has --gpus 12, not 13: start with --reset for another fleet, or leave --gpus out.\n',
    );
    await refuseTakenPorts(portsFrom(place.portBase));
  });

  it('is ready again within 15 s with its data, and sessions go on', async () => {
    const startedAt = Date.now();
    stack = new StackProgram('main', place.flags);
    await stack.untilReady();
    expect(Date.now() - startedAt).toBeLessThan(NEXT_START_WITHIN_MS);
    expect(stack.errors).not.toContain('History');
    const { access_token: bearer } = JSON.parse(earlier.session) as { access_token: string };
    const { body } = await get(`${place.stack().fleet_url}/api/v1/gpus?view=basic`, bearer);
    expect(body['gpus']).toContainEqual(expect.objectContaining({ hostname: 'imported-host' }));
  });

  it('stops by itself when a service dies, with the end of its log', async () => {
    const parts = childrenOf(stack.pid);
    const { management_urls } = place.stack();
    const service = parts.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('website-api'));
    process.kill(service!, 'SIGKILL');
    expect(await stack.ended).toBe(1);
    expect(stack.errors).toMatch(
      /website-api has ended with SIGKILL; the end of .*website-api\.log:\n.*listening/s,
    );
    expect(parts.filter(isRunning)).toEqual([]);
    await expect(fetch(`${management_urls.fleet}/livez`)).rejects.toThrow();
  });

  it('takes its parts along when it is killed, and starts again', async () => {
    stack = new StackProgram('main', place.flags);
    await stack.untilReady();
    const parts = childrenOf(stack.pid);
    stack.kill('SIGKILL');
    expect(await stack.ended).toBe('SIGKILL');
    stack = new StackProgram('main', place.flags);
    await stack.untilReady();
    expect(parts.filter(isRunning)).toEqual([]);
    expect(stack.pid).toBe(place.stack().pid);
  });

  it('ends a start that is interrupted', async () => {
    stack.kill('SIGINT');
    expect(await stack.ended).toBe(0);
    stack = new StackProgram('main', place.flags);
    while (!stack.errors.includes('Schema of fleet-api'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const parts = childrenOf(stack.pid);
    stack.kill('SIGINT');
    expect(await stack.ended).toBe(0);
    expect(parts.filter(isRunning)).toEqual([]);
    expect(stack.errors).toContain('Stopped; the data is kept.');
  });

  it('deletes its data with --reset, and nothing that is not its own', async () => {
    writeFileSync(join(place.dataDirectory, 'note'), 'mine');
    stack = new StackProgram('main', [...place.flags, '--reset', '--no-demo']);
    await stack.untilReady();
    const { body } = await get(`${place.stack().fleet_url}/api/v1/gpus`, await token('ada@acme.example'));
    expect(body).toEqual({ gpus: [] });
    expect(readFileSync(join(place.dataDirectory, 'note'), 'utf8')).toBe('mine');
  });
});

it('signs in to a page that is developed at port 3000', async () => {
  const { account_url } = place.stack();
  const start = `${account_url}/api/v1/auth/google?frontend_url=${encodeURIComponent('http://localhost:3000')}`;
  const callback = await signInWithoutBrowser(start, 'ada@acme.example');
  expect(callback.href).toMatch(/^http:\/\/localhost:3000\/auth\/callback\?code=[\w-]+$/);
});
