/** A part of the console that could not be loaded. */
export class ChunkError extends Error {
  /** Whether the browser was offline; otherwise a deployment has replaced the file. */
  readonly isOffline = !navigator.onLine;
}

/** Messages of Vite, Chromium, Firefox and Safari. */
const FAILED_LOAD =
  /unable to preload css|failed to fetch dynamically imported module|error loading dynamically imported module|importing a module script failed/i;

/** Turns the failure of a dynamic import into a {@link ChunkError}. */
export async function loadChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof Error && FAILED_LOAD.test(error.message)) {
      // The router reloads the page by itself, also offline, for errors with the browser's message.
      throw new ChunkError('A part of the console could not be loaded.', { cause: error });
    }
    throw error;
  }
}
