/**
 * Awaits all promises, like `Promise.all`. On the first rejection it aborts the others and waits until they settle, so that
 * no work continues in the background.
 *
 * @throws the first rejection
 */
export async function allOrAbort<Results extends unknown[]>(
  abort: AbortController,
  work: { [Index in keyof Results]: Promise<Results[Index]> },
): Promise<Results> {
  let first: { reason: unknown } | undefined;
  const watched = work.map((each: Promise<unknown>) =>
    each.catch((reason: unknown) => {
      first ??= { reason };
      abort.abort(reason);
    }),
  );
  const results = await Promise.all(watched);
  if (first) throw first.reason;
  return results as Results;
}
