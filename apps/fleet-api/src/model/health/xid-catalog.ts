import { ALERT_TYPES, type AlertType, SEVERITIES, type Severity } from '@gpu-observatory/domain-types';
import { ConfigurationError } from '@gpu-observatory/service-runtime';
import { z } from 'zod';
import { readTableFile } from '../../config/table-file.ts';

/** What the table says of an XID. */
export interface XidEntry {
  code: number;
  name: string;
  /** The class of NVIDIA's catalogue that the code belongs to. */
  class: string;
  /** NVIDIA's immediate action. */
  action: string;
  /** What a GPU is for 24 h after it, unless it is reset; null: this code says nothing of the board. */
  health: 'critical' | 'degraded' | null;
  /** The type of the alert that a line of the kernel's log makes; null: none. */
  alert: AlertType | null;
  severity: Severity;
}

const judgement = {
  action: z.string(),
  health: z.enum(['critical', 'degraded']).nullable(),
  severity: z.enum(SEVERITIES),
};
const table = z.strictObject({
  classes: z.record(z.string(), z.strictObject(judgement)).default({}),
  xids: z
    .record(
      z.string().regex(/^[1-9]\d{0,4}$/, 'an XID is a number, such as 79'),
      z
        .strictObject({
          name: z.string(),
          class: z.string(),
          alert: z.enum(ALERT_TYPES).nullable(),
          ...judgement,
        })
        .partial(),
    )
    .default({}),
});
type Table = z.infer<typeof table>;

const SHIPPED = new URL('./xid-catalog.yaml', import.meta.url);
const UNKNOWN: Omit<XidEntry, 'code' | 'name'> = {
  class: 'not in the catalogue',
  action: 'contact support',
  health: null,
  alert: 'gpu_command',
  severity: 'low',
};

const shipped = readTableFile(SHIPPED, table, 'the XID table');
let entries = entriesOf(shipped, 'the XID table');

/** The whole table, by code. */
export function xidCatalog(): XidEntry[] {
  return [...entries.values()];
}

/** The entry of a code; one that the table does not have says nothing of the board and asks to contact support. */
export function xidEntry(code: number): XidEntry {
  return entries.get(code) ?? { code, name: `XID ${code}`, ...UNKNOWN };
}

/**
 * Puts an operator's table before the one that ships, for the whole process: an import and what serves its data should be
 * told of the same one. Without a file the table is the one that ships.
 *
 * @throws {ConfigurationError} naming each entry at fault
 */
export function overrideXids(file: string | undefined): void {
  const own = file === undefined ? { classes: {}, xids: {} } : readTableFile(file, table, 'XID_TABLE_FILE');
  const xids = Object.entries({ ...shipped.xids, ...own.xids }).map(([code, fields]) => [
    code,
    { ...shipped.xids[code], ...fields },
  ]);
  const classes = { ...shipped.classes, ...own.classes };
  entries = entriesOf({ classes, xids: Object.fromEntries(xids) as Table['xids'] }, 'XID_TABLE_FILE');
}

function entriesOf({ classes, xids }: Table, name: string): Map<number, XidEntry> {
  const all = Object.entries(xids).map(([text, fields]): XidEntry => {
    const code = Number(text);
    const ofClass = fields.class === undefined ? {} : classes[fields.class];
    if (ofClass === undefined) {
      throw new ConfigurationError(
        `${name}: XID ${code} is of class ${fields.class}, which should be one of ${Object.keys(classes).join(', ')}`,
      );
    }
    return Object.assign({ code, name: `XID ${code}` }, UNKNOWN, ofClass, fields);
  });
  return new Map(all.sort((a, b) => a.code - b.code).map((entry) => [entry.code, entry]));
}
