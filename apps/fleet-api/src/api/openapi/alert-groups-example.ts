export const alertGroups = {
  groups: [
    {
      customer_id: 1,
      hostname: 'research-h100-51',
      count: 31,
      by_severity: { critical: 6, high: 9, medium: 9, low: 5, info: 2 },
      first_at: '2026-11-20T02:41:07.120Z',
      last_at: '2026-11-22T16:41:07.120Z',
    },
  ],
  total: 4111,
  group_count: 87,
};
