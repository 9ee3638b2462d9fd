import { closeSync, openSync, writeSync } from 'node:fs';
import pg from 'pg';

// Loaded into fleet-api with --import: writes each statement that it sends, with its parameters, as a line of JSON.
const file = openSync(process.env['RECORDED_STATEMENTS']!, 'a', 0o600);
process.once('exit', () => closeSync(file));

interface Sent {
  text: string;
  values?: unknown[];
}
// pg has many overloads; statements of fleet-api are objects.
const client = pg.Client.prototype as unknown as {
  query: (sent: Sent | string, ...rest: unknown[]) => unknown;
};
const { query } = client;
client.query = function (sent, ...rest) {
  if (typeof sent === 'object' && 'text' in sent)
    writeSync(file, `${JSON.stringify({ text: sent.text, values: sent.values ?? [] })}\n`);
  return query.call(this, sent, ...rest);
};
