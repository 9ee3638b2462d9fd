import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const stackFile =
  process.env.STACK_FILE ?? fileURLToPath(new URL('../../.local/stack.json', import.meta.url));

/** Serves `/config.json` of the running local stack to the development server's page. */
const localStackConfig: Plugin = {
  name: 'local-stack-config',
  configureServer(server) {
    server.middlewares.use('/config.json', (_request, response) => {
      try {
        const stack = JSON.parse(readFileSync(stackFile, 'utf8')) as Record<string, unknown>;
        const { fleet_url, account_url, site_url } = stack;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ fleet_url, account_url, site_url }));
      } catch (error) {
        server.config.logger.error(
          `No stack is running (${(error as Error).message}): run "npm start" first.`,
        );
        response.writeHead(503).end();
      }
    });
  },
};

/** Adds a compressed copy of each text file, which the server sends. After all plugins, since some change the files last. */
const compressedFiles: Plugin = {
  name: 'compressed-files',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /\.(css|js|svg)$/.test(file)))
      writeFileSync(join(dir, `${name}.gz`), gzipSync(readFileSync(join(dir, name)), { level: 9 }));
  },
};

export default defineConfig(async ({ command }) => ({
  // Hot reload. It is a development package, which `npm start` does not install.
  plugins:
    command === 'serve'
      ? [(await import('@vitejs/plugin-react')).default(), localStackConfig]
      : [compressedFiles],
  resolve: {
    // The client from its sources, so that a build needs no other build before it.
    alias: {
      '@gpu-observatory/client': fileURLToPath(
        new URL('../../clients/typescript/src/index.ts', import.meta.url),
      ),
    },
  },
  build: {
    target: 'es2023',
    // Inlined assets would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // "use client" of libraries has no meaning in a bundle.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: { port: 5173, strictPort: true },
}));
