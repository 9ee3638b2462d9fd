import { readdirSync, readFileSync } from 'node:fs';
import { generatedFiles } from '../generate.ts';

const folder = new URL('../src/generated/', import.meta.url);

test('the generated types are those of the committed documents; else run "npm run generate"', async () => {
  const files = await generatedFiles();
  expect(readdirSync(folder).sort()).toEqual(files.map(([name]) => name).sort());
  for (const [name, text] of files) expect(readFileSync(new URL(name, folder), 'utf8')).toBe(text);
});
