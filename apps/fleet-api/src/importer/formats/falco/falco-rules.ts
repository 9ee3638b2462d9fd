import { ALERT_TYPES, type AlertType, SEVERITIES, type Severity } from '@gpu-observatory/domain-types';
import { z } from 'zod';
import { readTableFile } from '../../../config/table-file.ts';
import type { FalcoEvent } from './falco-event.ts';

const severity = z.enum(SEVERITIES);
/** An alert type, or a type with a severity, or null: no alert. */
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

const SHIPPED = new URL('./falco-rules.yaml', import.meta.url);

/**
 * Maps Falco events to alert types and severities, by the built-in table and an operator's table that overrides it. The type is
 * that of the rule, else of the first tag in the tables that the event has, else of the source, else that of `otherwise`.
 */
export class FalcoRules {
  private readonly rules: ReadonlyMap<string, Verdict>;
  private readonly tags: ReadonlyMap<string, Verdict>;
  private readonly sources: ReadonlyMap<string, Verdict>;
  private readonly priorities: ReadonlyMap<string, Severity>;
  private readonly otherwise: Verdict;

  /** @param tables the overriding one first */
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
    const shipped = readTableFile(SHIPPED, table, 'the rule table');
    if (operatorTable === undefined) return new FalcoRules([shipped]);
    return new FalcoRules([readTableFile(operatorTable.file, table, operatorTable.name), shipped]);
  }

  /** @returns the alert type and severity of an event, or why it is not an alert */
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
    const ofRule = this.rules.get(keyOf(rule));
    if (ofRule !== undefined) return ofRule;
    const eventTags = new Set(tags.map(keyOf));
    for (const [tag, ofTag] of this.tags) if (eventTags.has(tag)) return ofTag;
    const ofSource = this.sources.get(keyOf(source));
    return ofSource === undefined ? this.otherwise : ofSource;
  }
}

/**
 * Merges tables. The first entry of a name is used, and the order of the entries stays: of the tags of an event, the first
 * in the tables is used.
 */
function firstByName<Entry>(tables: readonly Record<string, Entry>[]): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const [name, entry] of tables.flatMap((table) => Object.entries(table)))
    if (!entries.has(keyOf(name))) entries.set(keyOf(name), entry);
  return entries;
}

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}
