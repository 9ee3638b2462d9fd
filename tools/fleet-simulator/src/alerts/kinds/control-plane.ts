import type { AlertTemplate } from '../alert-kind.ts';

/** Alert types about the control plane of a cluster. */
export const controlPlane = {
  controlplane_integrity: {
    frequency: 2,
    severities: [3, 4, 3, 0, 0],
    titles: ['Control plane manifest changed', 'Admission webhook was removed from the cluster'],
    descriptions: [
      'The static manifest of {component} changed on disk without a rollout: an argument that turns off audit was added.',
      '{user} deleted the admission webhook that checks images in namespace {namespace}.',
    ],
    commands: [
      'kubectl delete validatingwebhookconfiguration image-policy',
      'vi /etc/kubernetes/manifests/kube-apiserver.yaml',
    ],
  },
  controlplane_credential_attack: {
    frequency: 3,
    severities: [4, 4, 2, 0, 0],
    titles: ['Credential guessing against the API server', 'Service account token used from outside'],
    descriptions: [
      '{count} rejected authentications a minute from {ip}, each with another name.',
      'The token of a service account in namespace {namespace} was used from {ip}, which is no node of the cluster.',
    ],
    commands: ['kubectl auth can-i --list', 'curl -k https://{ip}:6443/api/v1/secrets'],
  },
  controlplane_saturation: {
    frequency: 3,
    severities: [0, 2, 4, 4, 1],
    titles: ['API server saturated', 'Request queue of {component} is full'],
    descriptions: [
      '{component} rejected {percent} % of requests with status 429 in the last {count} minutes.',
      'A controller in namespace {namespace} lists all pods {count} times a second.',
    ],
    commands: ['kubectl get pods -A --watch', 'gpu-operator --leader-elect'],
    sections: ['workload_details'],
  },
  controlplane_slo: {
    frequency: 3,
    severities: [0, 1, 4, 4, 2],
    titles: ['API latency objective missed', 'Error budget of {component} is burning'],
    descriptions: [
      'The 99th percentile of mutating requests to {component} has been above one second for {count} minutes.',
      '{percent} % of the monthly error budget of {component} is used.',
    ],
    commands: ['kube-apiserver --secure-port=6443', 'kube-scheduler --leader-elect=true'],
    sections: ['workload_details'],
  },
  controlplane_etcd_storage: {
    frequency: 2,
    severities: [1, 3, 4, 2, 0],
    titles: ['etcd database near its quota', 'etcd commits are slow'],
    descriptions: [
      'The etcd database takes {percent} % of its quota. Past it the cluster is read-only.',
      'Fsync of the etcd log takes {count} ms on average; leader elections follow.',
    ],
    commands: ['etcdctl defrag --cluster', 'etcdctl endpoint status'],
    sections: ['memory_details'],
  },
  controlplane_kcm: {
    frequency: 2,
    severities: [0, 2, 4, 3, 1],
    titles: ['Controller manager lags', 'Controller manager lost its lease'],
    descriptions: [
      'The work queue of the controller manager holds {size} items and grows.',
      'kube-controller-manager lost its lease {count} times within the hour.',
    ],
    commands: ['kube-controller-manager --leader-elect=true', 'kubectl get lease -n kube-system'],
  },
} satisfies Record<string, AlertTemplate>;
