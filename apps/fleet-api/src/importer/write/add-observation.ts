/** Merges an observation with the earlier one of its key. Of those with the same time, the later one in the batch is used. */
export function addObservation<Observation extends { at: string; first_at: string }>(
  observations: Map<string, Observation>,
  key: string,
  observation: Observation,
): void {
  const earlier = observations.get(key);
  if (earlier === undefined) {
    observations.set(key, observation);
    return;
  }
  const latest = earlier.at > observation.at ? earlier : observation;
  const first_at = earlier.first_at < observation.at ? earlier.first_at : observation.at;
  observations.set(key, { ...latest, first_at });
}
