/** A GPU that is silent for so many of its reporting intervals, and for so long at least, is missing. */
export const MISSED_REPORTS = 5;
export const LEAST_SILENCE_SECONDS = 300;
