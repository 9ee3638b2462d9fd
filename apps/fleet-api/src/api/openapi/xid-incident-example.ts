export const xidIncidents = {
  incidents: [
    {
      code: 79,
      name: 'GPU has fallen off the bus',
      severity: 'critical',
      action: 'restart host',
      gpu_id: 'GPU-0a47a8dc-47b8-4583-bcc8-03efb85aa0e7',
      hostname: 'gpu13.inference.internal',
      workspace_id: 3,
      alert_id: '0c5e8f6e-6a3b-4a55-9d52-9f3f4bb7d1aa',
      first_at: '2026-11-22T16:41:07.120Z',
      last_at: '2026-11-22T16:41:07.120Z',
      count: 1,
      message: 'GPU has fallen off the bus.',
      workloads: [
        {
          name: 'llama-7577f87fc7-dhb97',
          description: 'Kubernetes pod, namespace inference',
          usage_category: 'inference',
        },
      ],
    },
  ],
};
