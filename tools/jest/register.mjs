// Preloaded with `node --import`: Node then imports TypeScript with decorators, and workspace packages from their sources, so
// tests never use an outdated build.
import { readFileSync } from 'node:fs';
import { registerHooks, setSourceMapsSupport } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const configFile = fileURLToPath(new URL('../../.swcrc', import.meta.url));

// Stack traces then have the lines of the sources.
setSourceMapsSupport(true, { nodeModules: false, generatedCode: false });

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!specifier.startsWith('@gpu-observatory/')) return nextResolve(specifier, context);
    // The exports of a package name its sources as its types.
    return nextResolve(specifier, { ...context, conditions: ['types', ...context.conditions] });
  },
  load(url, context, nextLoad) {
    const filename = url.startsWith('file:') ? fileURLToPath(url) : '';
    if (!filename.endsWith('.ts')) return nextLoad(url, context);
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      filename,
      configFile,
      sourceMaps: 'inline',
      jsc: { rewriteRelativeImportExtensions: false },
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
