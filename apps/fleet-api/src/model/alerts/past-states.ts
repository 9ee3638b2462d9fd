/** Lifetime of page tokens: they are valid for a day after the hour in which the first page was read. */
export const PAGE_TOKEN_HOURS = 25;

/** Retention of the past states of alerts, as a PostgreSQL interval. It is longer than the lifetime of the tokens that need them. */
export const PAST_STATES_KEPT = `${PAGE_TOKEN_HOURS + 11} hours`;
