/** Merges an observation with the one before of the same key. Of two with the same time, the one that is added last is used. */
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
