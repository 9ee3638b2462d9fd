/**
 * Waits for all of it. When one fails, the others are told to stop and waited for, so that nothing goes on unseen.
 *
 * @throws what failed first
 */
export async function together<Results extends unknown[]>(
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
