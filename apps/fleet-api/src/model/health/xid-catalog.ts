import { ALERT_TYPES, type AlertType, SEVERITIES, type Severity } from '@gpu-observatory/domain-types';
import { ConfigurationError } from '@gpu-observatory/service-runtime/process';
import { z } from 'zod';
import { readTableFile } from '../../config/table-file.ts';
import { readXidVariant, type XidVariant } from './xid-variant.ts';

/** An entry of the XID catalog. */
export interface XidEntry {
  code: number;
  name: string;
  /** Class of the code in NVIDIA's catalog. */
  class: string;
  /** Immediate action recommended by NVIDIA. */
  action: string;
  /** Health of the GPU for 24 h, unless it is reset; null for no effect. */
  health: 'critical' | 'degraded' | null;
  /** Type of the alert for a kernel log line; null for no alert. */
  alert: AlertType | null;
  severity: Severity;
}

const assessment = {
  action: z.string(),
  health: z.enum(['critical', 'degraded']).nullable(),
  severity: z.enum(SEVERITIES),
};
const xidCode = z.string().regex(/^[1-9]\d{0,4}$/, 'an XID must be a number, such as 79');
const variant = z
  .strictObject({
    unit: z.string(),
    level: z.enum(['Fatal', 'Nonfatal']),
    status: z.array(z.number()),
    recovery: z.string(),
  })
  .partial()
  .extend({ class: z.string() });
const table = z.strictObject({
  classes: z.record(z.string(), z.strictObject(assessment)).default({}),
  xids: z
    .record(
      xidCode,
      z
        .strictObject({
          name: z.string(),
          class: z.string(),
          alert: z.enum(ALERT_TYPES).nullable(),
          ...assessment,
        })
        .partial(),
    )
    .default({}),
  variants: z.record(xidCode, z.array(variant)).default({}),
});
type Table = z.infer<typeof table>;

const BUILT_IN_FILE = new URL('./xid-catalog.yaml', import.meta.url);
/** In NVIDIA's catalog, all codes up to this one that are not in the table have the action `contact support`. */
const LAST_SUPPORT_CODE = 161;
const UNKNOWN: Omit<XidEntry, 'code' | 'name' | 'action'> = {
  class: 'not in the catalog',
  health: null,
  alert: 'gpu_command',
  severity: 'low',
};

/** XIDs of NVIDIA's catalog with the entries of an operator. The importer and the API must use the same file. */
export class XidCatalog {
  private readonly byCode: ReadonlyMap<number, XidEntry>;

  private constructor(
    private readonly table: Table,
    name: string,
  ) {
    this.byCode = entriesOf(table, name);
  }

  /**
   * @param file the operator's table, whose entries override built-in ones
   * @throws {ConfigurationError} with each invalid entry
   */
  static read(file?: string): XidCatalog {
    const builtIn = readTableFile(BUILT_IN_FILE, table, 'the XID catalog');
    if (file === undefined) return new XidCatalog(builtIn, 'the XID catalog');
    const operatorTable = readTableFile(file, table, 'XID_TABLE_FILE');
    return new XidCatalog(mergedTable(builtIn, operatorTable), 'XID_TABLE_FILE');
  }

  /** Returns all entries, by code. */
  entries(): XidEntry[] {
    return [...this.byCode.values()];
  }

  /**
   * Returns the entry of a code. A code that is not in the table has no effect on health.
   *
   * @param message text of the XID, which decides the class of some codes; empty if unknown
   */
  entry(code: number, message = ''): XidEntry {
    const entry = this.byCode.get(code) ?? unknownEntry(code);
    const found = readXidVariant(code, message);
    if (found === null) return entry;
    const { classes, variants } = this.table;
    const match = variants[code]?.find((variant) => isMatch(variant, found));
    const name = `${entry.name}: ${found.words ?? `${found.unit} ${found.level}`}`;
    return match === undefined
      ? { ...entry, name }
      : { ...entry, name, class: match.class, ...classes[match.class] };
  }
}

/** Returns whether an XID has all properties of a variant in the table. */
function isMatch({ unit, level, status, recovery }: z.infer<typeof variant>, found: XidVariant): boolean {
  return (
    (unit === undefined || unit === found.unit) &&
    (level === undefined || level === found.level) &&
    (status === undefined || (found.status !== undefined && status.includes(found.status))) &&
    (recovery === undefined || recovery === found.recovery)
  );
}

/** Merges the tables. Entries of the operator override built-in ones, field by field. */
function mergedTable(builtIn: Table, operatorTable: Table): Table {
  const xids = Object.entries(operatorTable.xids).map(([code, fields]) => [
    code,
    { ...builtIn.xids[code], ...fields },
  ]);
  // An entry of the operator applies to all messages, so variants of the code in the built-in table are dropped.
  const variants = Object.entries(builtIn.variants).filter(([code]) => !(code in operatorTable.xids));
  return {
    classes: { ...builtIn.classes, ...operatorTable.classes },
    xids: { ...builtIn.xids, ...(Object.fromEntries(xids) as Table['xids']) },
    variants: { ...Object.fromEntries(variants), ...operatorTable.variants },
  };
}

/** Returns the entries by code. @throws {ConfigurationError} with an unknown class */
function entriesOf({ classes, xids, variants }: Table, name: string): Map<number, XidEntry> {
  for (const [code, variantsOfCode] of Object.entries(variants)) {
    const unknown = variantsOfCode.find((one) => classes[one.class] === undefined);
    if (unknown !== undefined)
      throw new ConfigurationError(
        `${name}: a variant of XID ${code} has the unknown class ${unknown.class}`,
      );
  }
  const all = Object.entries(xids).map(([text, fields]): XidEntry => {
    const code = Number(text);
    const classFields = fields.class === undefined ? {} : classes[fields.class];
    if (classFields === undefined) {
      throw new ConfigurationError(
        `${name}: XID ${code} has the class ${fields.class}, which must be one of ${Object.keys(classes).join(', ')}`,
      );
    }
    return Object.assign(unknownEntry(code), classFields, fields);
  });
  return new Map(all.sort((a, b) => a.code - b.code).map((entry) => [entry.code, entry]));
}

function unknownEntry(code: number): XidEntry {
  const action = code <= LAST_SUPPORT_CODE ? 'contact support' : 'none listed';
  return { code, name: `XID ${code}`, action, ...UNKNOWN };
}
