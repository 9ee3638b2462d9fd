import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import jestCircus from 'jest-circus/runner';

const require = createRequire(import.meta.url);

/**
 * Jest's test runner, with the module loader of Node in place of Jest's: the test files of a worker share the modules that
 * they import. Jest's own loader evaluates the framework again for each file, which takes longer than most tests.
 *
 * After a file, Jest restores spies and timers, and this function restores the environment variables. Other global state that
 * a test changes, it must restore itself.
 *
 * @type {import('jest-runner').TestRunner}
 */
export default async function runTests(globalConfig, config, environment, runtime, testPath, sendMessage) {
  const { env, exitCode } = process;
  const { console } = globalThis;
  const { prepareStackTrace } = Error;
  process.env = { ...env };
  // Jest's function reads source maps of its own loader only.
  Error.prepareStackTrace = undefined;
  const nativeRuntime = Object.create(runtime, {
    unstable_shouldLoadAsEsm: { value: () => true },
    unstable_importModule: {
      value: (path) => {
        globalThis.jest = runtime.requireModuleOrMock(path, '@jest/globals').jest;
        // Jest runs a file again in watch mode.
        return import(`${pathToFileURL(path)}?run=${performance.now()}`);
      },
    },
    // Loaded again, jest-circus has the state of one test file.
    requireInternalModule: {
      value: (path) => {
        delete require.cache[path];
        return require(path);
      },
    },
  });
  try {
    return await jestCircus.default(globalConfig, config, environment, nativeRuntime, testPath, sendMessage);
  } finally {
    Object.assign(process, { env, exitCode });
    Object.assign(Error, { prepareStackTrace });
    globalThis.console = console;
  }
}
