export const fleetUsage = {
  from: '2026-11-15T17:30:00.000Z',
  to: '2026-11-22T17:30:00.000Z',
  groups: [
    {
      customer_id: 1,
      workspace_id: 3,
      gpu_count: 128,
      busy_gpu_hours: 10987.5,
      idle_gpu_hours: 10496.42,
      missing_gpu_hours: 20.08,
      unmeasured_gpu_hours: 0,
      energy_kwh: 5231.07,
    },
  ],
  total: {
    gpu_count: 312,
    busy_gpu_hours: 22412.36,
    idle_gpu_hours: 29932.64,
    missing_gpu_hours: 71,
    unmeasured_gpu_hours: 0,
    energy_kwh: 12907.4,
  },
  group_count: 3,
};
