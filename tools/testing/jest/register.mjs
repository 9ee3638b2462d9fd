// Preloaded with `node --import`: Node then imports TypeScript with decorators, and workspace packages from their sources, so
// tests never use an outdated build.
import { readFileSync } from 'node:fs';
import { registerHooks, setSourceMapsSupport } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import { createInstrumenter } from 'istanbul-lib-instrument';

const configFile = fileURLToPath(new URL('../../../.swcrc', import.meta.url));

// Stack traces then have the lines of the sources.
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });

/** Counts executed statements for `npm run coverage`. Jest collects the counts from the global object. */
const instrumenter = process.env.COVERAGE && createInstrumenter({ esModules: true });

const clientSources = new URL('../../../clients/typescript/src/index.ts', import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === '@jest/globals') {
      // With the query of the test file: one module per test file.
      const { search } = new URL(context.parentURL);
      return { url: new URL(`globals.mjs${search}`, import.meta.url).href, shortCircuit: true };
    }
    if (!specifier.startsWith('@gpu-observatory/')) return nextResolve(specifier, context);
    // The client is published, so its exports name the build.
    if (specifier === '@gpu-observatory/client') return nextResolve(clientSources, context);
    // The exports of a package name its sources as its types.
    return nextResolve(specifier, { ...context, conditions: ['types', ...context.conditions] });
  },
  load(url, context, nextLoad) {
    const filename = url.startsWith('file:') ? fileURLToPath(url) : '';
    if (!/\.tsx?$/.test(filename)) return nextLoad(url, context);
    const isCounted = instrumenter && filename.includes('/src/');
    const { code, map } = transformSync(readFileSync(filename, 'utf8'), {
      filename,
      configFile,
      sourceMaps: isCounted ? true : 'inline',
      jsc: { rewriteRelativeImportExtensions: false },
    });
    const source = isCounted ? instrumenter.instrumentSync(code, filename, JSON.parse(map)) : code;
    return { format: 'module', source, shortCircuit: true };
  },
});
