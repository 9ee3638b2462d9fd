/** Alphabet of generated names, from `SafeEncodeString` of k8s.io/apimachinery/pkg/util/rand. */
const SAFE = '[bcdfghjklmnpqrstvwxz2456789]';
/**
 * Matches the name of a pod with the suffix that its controller appends: the hash of a ReplicaSet and random characters, or an ordinal.
 */
const POD_NAME = new RegExp(`^(.+?)(?:(?:-${SAFE}{8,10})?-${SAFE}{5}|-\\d+)$`);

/** Returns the name that the processes or pods of a program share: the name of a process, or of a pod without the generated suffix. */
export function workloadFamily({ pid, name }: { pid: string; name: string }): string {
  // Only processes have a pid.
  return pid === '' ? (POD_NAME.exec(name)?.[1] ?? name) : name;
}
