/** The time of every clock, ten seconds after the last record of the data set. */
export const FROZEN_TIME = '2026-11-20T10:40:00.000Z';

// For clock.mjs in this process, which signs tokens for the services.
process.env['FROZEN_TIME'] = FROZEN_TIME;
