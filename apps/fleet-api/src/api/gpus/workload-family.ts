import type { GpuProcess } from '@gpu-observatory/domain-types';

/**
 * Suffixes that controllers append to the names of pods: the hash of a ReplicaSet and random characters, or an ordinal
 * (SafeEncodeString of k8s.io/apimachinery/pkg/util/rand has the alphabet).
 */
const SAFE = '[bcdfghjklmnpqrstvwxz2456789]';
const POD_SUFFIX = new RegExp(`^(.+?)(?:(?:-${SAFE}{8,10})?-${SAFE}{5}|-\\d+)$`);

/** Returns the name that the processes or pods of one program share: the name, for a pod without its generated suffix. */
export function workloadFamily({ pid, name }: Pick<GpuProcess, 'pid' | 'name'>): string {
  return pid === '' ? (POD_SUFFIX.exec(name)?.[1] ?? name) : name;
}
