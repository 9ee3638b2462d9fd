import type { AlertItem } from '../data/queries.ts';

const FIELDS = [
  'id',
  'created_at',
  'severity',
  'type',
  'state',
  'title',
  'description',
  'hostname',
  'gpu_model',
  'gpu_serial',
  'workspace_id',
  'api_key_id',
] as const satisfies (keyof AlertItem)[];

/** The texts of several alerts, for a ticket or a spreadsheet. */
export const ALERT_FORMATS = {
  JSON: (alerts: AlertItem[]) => JSON.stringify(alerts, null, 2),
  CSV: (alerts: AlertItem[]) => table(alerts, ',', quoted),
  TSV: (alerts: AlertItem[]) => table(alerts, '\t', (text) => text.replace(/[\t\r\n]+/g, ' ')),
};
export type AlertFormat = keyof typeof ALERT_FORMATS;

function table(alerts: AlertItem[], separator: string, cell: (text: string) => string): string {
  const rows = alerts.map((alert) =>
    FIELDS.map((field) => cell(withoutFormula(String(alert[field] ?? '')))).join(separator),
  );
  return [FIELDS.join(separator), ...rows].join('\n');
}

/** Quotes a field as RFC 4180 does. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Spreadsheets calculate texts that begin like a formula, and these come from monitored machines. */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
