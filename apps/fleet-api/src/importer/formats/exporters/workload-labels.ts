import { clip } from '../../records/clip.ts';
import { NAME_LENGTH } from '../../records/limits.ts';
import type { GpuWorkloadRecord } from '../../records/records.ts';
import type { Labels } from './labels.ts';

export type Workload = Omit<GpuWorkloadRecord, 'kind' | 'at' | 'gpu_id'>;

/** Pod labels that operators of one kind of workload set, with the characters that Prometheus allows. */
const CATEGORY_LABELS: [label: string, usageCategory: string][] = [
  ['training_kubeflow_org_job_name', 'training'],
  ['trainer_kubeflow_org_trainjob_ancestor_step', 'training'],
  ['serving_kserve_io_inferenceservice', 'inference'],
];
/** Labels with the job: those of batch systems, then pod labels of training operators, JobSet, Volcano and Kubernetes itself. */
const JOB_LABELS = [
  'hpc_job',
  'job_id',
  'training_kubeflow_org_job_name',
  'jobset_sigs_k8s_io_jobset_name',
  'volcano_sh_job_name',
  'batch_kubernetes_io_job_name',
];
/** Labels with the user or team: pod labels, and the user of an AMD job. */
const OWNER_LABELS = ['owner', 'team', 'job_user'];
/** Pods of exporters. Without honor_labels, Prometheus sets `pod` to the exporter's own pod and `exported_pod` to the workload. */
const EXPORTER = /(?:dcgm|metrics)-exporter/;

/**
 * Returns the pod or HPC job in a sample's labels
 * (https://github.com/NVIDIA/dcgm-exporter#enabling-hpc-job-mapping-on-dcgm-exporter), null without one.
 */
export function workloadOf(labels: Labels): Workload | null {
  const job = labels.hpc_job || labels.job_id || '';
  const { pod, namespace, container } = podOf(labels);
  const name = pod || (job === '' ? container : `job ${job}`);
  if (name === '') return null;
  const descriptionParts = [
    pod === '' ? '' : 'Kubernetes pod',
    namespace === '' ? '' : `namespace ${namespace}`,
    container === '' || container === name ? '' : `container ${container}`,
    job === '' || pod === '' ? '' : `job ${job}`,
  ];
  const uid = labels.pod_uid ?? '';
  const category =
    labels.usage_category || CATEGORY_LABELS.find(([label]) => Boolean(labels[label]))?.[1] || '';
  return {
    name: storable(name),
    ...(uid === '' ? {} : { uid: storable(uid) }),
    description: storable(descriptionParts.filter((part) => part !== '').join(', ')),
    ...storableTexts({
      usage_category: category,
      namespace,
      pod,
      job: firstOf(labels, JOB_LABELS),
      owner: firstOf(labels, OWNER_LABELS),
    }),
  };
}

/** Returns the texts that are not empty, in the form in which they can be stored. */
function storableTexts(texts: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [name, storable(text)]),
  );
}

function firstOf(labels: Labels, names: readonly string[]): string {
  return names.map((name) => labels[name]).find(Boolean) ?? '';
}

/** Returns the pod of the workload. All texts are empty if the labels have none, or only the exporter's own pod. */
function podOf(labels: Labels): { pod: string; namespace: string; container: string } {
  if (labels.exported_pod || labels.exported_container) {
    const { exported_pod = '', exported_namespace = '', exported_container = '' } = labels;
    return { pod: exported_pod, namespace: exported_namespace, container: exported_container };
  }
  const pod = labels.pod || labels.pod_name || '';
  const namespace = labels.namespace || labels.pod_namespace || '';
  const container = labels.container || labels.container_name || '';
  return EXPORTER.test(pod || container)
    ? { pod: '', namespace: '', container: '' }
    : { pod, namespace, container };
}

function storable(text: string): string {
  return clip(text.replaceAll('\0', '\uFFFD'), NAME_LENGTH);
}
