import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';

const documents = {
  fleet: '../../apps/fleet-api/openapi.json',
  account: '../../apps/account-service/openapi.json',
  website: '../../apps/website-api/openapi.json',
};

/** The types of each service, as its committed document gives them: file name in `src/generated` and text. */
export async function generatedFiles(): Promise<[name: string, text: string][]> {
  const config = await resolveConfig(new URL('src/generated/fleet.ts', import.meta.url));
  return Promise.all(
    Object.entries(documents).map(async ([service, path]): Promise<[string, string]> => {
      const document: unknown = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
      const types = astToString(
        await openapiTS(document as Parameters<typeof openapiTS>[0], { alphabetize: false }),
      );
      const text = `// Made by "npm run generate" from ${path.replaceAll('../', '')}; change that instead.\n\n${types}`;
      return [`${service}.ts`, await format(text, { ...config, parser: 'typescript' })];
    }),
  );
}

if (import.meta.main) {
  for (const [name, text] of await generatedFiles())
    writeFileSync(new URL(`src/generated/${name}`, import.meta.url), text);
}
