const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Formats a date, for example 9 December 2024. */
export const longDate = (date: Date): string => DATE.format(date);

/** Formats a date, for example 2024-12-09. */
export const isoDate = (date: Date): string => date.toISOString().slice(0, 10);
