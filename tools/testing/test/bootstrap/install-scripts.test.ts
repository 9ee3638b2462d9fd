import { readFileSync } from 'node:fs';

const read = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8'));

test('package.json denies the install script of every dependency that has one', () => {
  const { packages } = read('package-lock.json') as { packages: Record<string, { hasInstallScript?: true }> };
  const withScripts = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
  expect(allowScripts).toEqual(Object.fromEntries(withScripts.map((name) => [name, false])));
});
