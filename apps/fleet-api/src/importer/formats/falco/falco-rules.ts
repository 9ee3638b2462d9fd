import { ALERT_TYPES, type AlertType, SEVERITIES, type Severity } from '@gpu-observatory/domain-types';
import { z } from 'zod';
import { readTableFile } from '../../../config/table-file.ts';
import type { FalcoEvent } from './falco-event.ts';

const severity = z.enum(SEVERITIES);
/** Alert type, optionally with a severity; null for no alert. */
const verdict = z.preprocess(
  (value) => (typeof value === 'string' ? { type: value } : value),
  z.strictObject({ type: z.enum(ALERT_TYPES), severity: severity.optional() }).nullable(),
);
const table = z.strictObject({
  priorities: z.record(z.string(), severity).default({}),
  rules: z.record(z.string(), verdict).default({}),
  tags: z.record(z.string(), verdict).default({}),
  sources: z.record(z.string(), verdict).default({}),
  otherwise: verdict.optional(),
});

type Verdict = z.infer<typeof verdict>;
type Table = z.infer<typeof table>;

const BUILT_IN_FILE = new URL('./falco-rules.yaml', import.meta.url);

/**
 * Maps Falco events to alert types and severities, with the built-in table and an operator's table that overrides it. The first
 * match is used: the rule, a tag (in the order of the tables), the source, `otherwise`.
 */
export class FalcoRules {
  private readonly rules: ReadonlyMap<string, Verdict>;
  private readonly tags: ReadonlyMap<string, Verdict>;
  private readonly sources: ReadonlyMap<string, Verdict>;
  private readonly priorities: ReadonlyMap<string, Severity>;
  private readonly otherwise: Verdict;

  /** @param tables an earlier table overrides later ones */
  private constructor(tables: readonly Table[]) {
    this.rules = firstByName(tables.map(({ rules }) => rules));
    this.tags = firstByName(tables.map(({ tags }) => tags));
    this.sources = firstByName(tables.map(({ sources }) => sources));
    this.priorities = firstByName(tables.map(({ priorities }) => priorities));
    this.otherwise = tables.find((one) => one.otherwise !== undefined)?.otherwise ?? null;
  }

  /**
   * @param operatorTable the operator's file, and the option or variable that set it
   * @throws {ConfigurationError} with the invalid entries
   */
  static read(operatorTable?: { file: string; name: string }): FalcoRules {
    const builtIn = readTableFile(BUILT_IN_FILE, table, 'the rule table');
    if (operatorTable === undefined) return new FalcoRules([builtIn]);
    return new FalcoRules([readTableFile(operatorTable.file, table, operatorTable.name), builtIn]);
  }

  /** Returns the alert type and severity of an event, or the reason that it is not an alert. */
  classify(event: FalcoEvent): { type: AlertType; severity: Severity } | { fault: string } {
    const severityOfPriority = this.priorities.get(keyOf(event.priority));
    if (severityOfPriority === undefined) {
      return {
        fault: `priority must be one of ${[...this.priorities.keys()].join(', ')}, got ${event.priority}`,
      };
    }
    const verdictOnEvent = this.verdictOf(event);
    if (verdictOnEvent === null) return { fault: `the rule table maps "${event.rule}" to no alert` };
    return { type: verdictOnEvent.type, severity: verdictOnEvent.severity ?? severityOfPriority };
  }

  private verdictOf({ rule, tags, source }: FalcoEvent): Verdict {
    // A null verdict is a match too.
    const ruleVerdict = this.rules.get(keyOf(rule));
    if (ruleVerdict !== undefined) return ruleVerdict;
    const eventTags = new Set(tags.map(keyOf));
    for (const [tag, tagVerdict] of this.tags) if (eventTags.has(tag)) return tagVerdict;
    const sourceVerdict = this.sources.get(keyOf(source));
    return sourceVerdict === undefined ? this.otherwise : sourceVerdict;
  }
}

/** Merges tables, and keeps the order of their entries. Of several entries with one name, the first is used. */
function firstByName<Entry>(tables: readonly Record<string, Entry>[]): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const [name, entry] of tables.flatMap((table) => Object.entries(table)))
    if (!entries.has(keyOf(name))) entries.set(keyOf(name), entry);
  return entries;
}

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}
