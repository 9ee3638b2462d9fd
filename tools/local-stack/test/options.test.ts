import { join } from 'node:path';
import { readOptions } from '../src/options.ts';
import { root } from '../src/root.ts';

const environment = process.env;

beforeEach(() => {
  process.env = { ...environment };
  for (const name of Object.keys(process.env)) {
    if (/^(OBSERVATORY_|DATABASE_URL$|INIT_CWD$)/.test(name)) delete process.env[name];
  }
});

afterEach(() => {
  process.env = environment;
  jest.restoreAllMocks();
});

/** Returns the error that commander prints before it exits. */
function errorOf(args: string[]): string {
  let error = '';
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => ((error += String(text)), true));
  jest.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`);
  });
  expect(() => readOptions(args)).toThrow('exit 1');
  return error;
}

describe('the options of npm start', () => {
  it('have defaults', () => {
    expect(readOptions([])).toEqual({
      portBase: 3000,
      dataDirectory: join(root, '.local'),
      demo: true,
      frontendOrigin: [],
      fleet: {},
      rateLimits: false,
      https: false,
      reset: false,
    });
  });

  it('are read from flags', () => {
    process.env.INIT_CWD = '/somewhere';
    const flags = '--port-base 4000 --data-directory data --seed 7 --hosts 4 --gpus 8 --alerts 100 --days 3';
    const origins = '--frontend-origin http://localhost:8080 --frontend-origin https://app.example.com';
    const switches = '--no-demo --rate-limits --https --reset --database-url postgres://a:b@db:5432/postgres';
    expect(readOptions(`${flags} ${origins} ${switches}`.split(' '))).toEqual({
      portBase: 4000,
      dataDirectory: '/somewhere/data',
      databaseUrl: 'postgres://a:b@db:5432/postgres',
      demo: false,
      frontendOrigin: ['http://localhost:8080', 'https://app.example.com'],
      fleet: { seed: 7, hosts: 4, gpus: 8, alerts: 100, days: 3 },
      rateLimits: true,
      https: true,
      reset: true,
    });
  });

  it('are read from two variables, unless these are empty or overridden by a flag', () => {
    process.env.OBSERVATORY_DATA_DIRECTORY = '/data';
    process.env.DATABASE_URL = 'postgres://a:b@db/postgres';
    expect(readOptions([])).toMatchObject({
      dataDirectory: '/data',
      databaseUrl: 'postgres://a:b@db/postgres',
    });
    expect(readOptions(['--data-directory', '/other']).dataDirectory).toBe('/other');
    process.env.OBSERVATORY_DATA_DIRECTORY = '';
    process.env.DATABASE_URL = '';
    const { dataDirectory, databaseUrl } = readOptions([]);
    expect([dataDirectory, databaseUrl]).toEqual([join(root, '.local'), undefined]);
  });

  it.each([
    [['--port-base', '65522'], "'65522' is invalid. It must be an integer from 1 to 65521."],
    [['--port-base', '3e3'], "'3e3' is invalid. It must be an integer from 1 to 65521."],
    [['--gpus', '0'], "'0' is invalid. It must be an integer from 1 to 1000000."],
    [['--hosts', '9', '--gpus', '8'], 'error: --gpus must be at least --hosts (9), got 8'],
    [['--database-url', 'db:5432'], 'It must be a URL such as postgres://role:password@host:5432/postgres.'],
    [
      ['--frontend-origin', 'localhost:8080'],
      'It must be a scheme, host and port such as http://localhost:8080.',
    ],
    [['--data-directory', ''], 'It must be a path.'],
    [['--portbase', '1'], "error: unknown option '--portbase'"],
    [['4000'], 'error: too many arguments. Expected 0 arguments but got 1: 4000.'],
  ])('reject %j in one line', (args, message) => {
    const error = errorOf(args);
    expect(error).toContain(message);
    expect(error.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  });

  it('report an invalid variable', () => {
    process.env.DATABASE_URL = 'db:5432';
    expect(errorOf([])).toContain("value 'db:5432' from env 'DATABASE_URL' is invalid.");
  });
});
