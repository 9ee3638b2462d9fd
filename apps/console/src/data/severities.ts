/** Most severe first, as the API sorts them. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
