// In place of the package @jest/globals, which works only in Jest's own module loader.
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } = globalThis;

/** The object of the current test file, also for modules that test files share. */
export const jest = new Proxy({}, { get: (_target, name) => globalThis.jest[name] });
