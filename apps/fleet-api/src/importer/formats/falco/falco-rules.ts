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
    // Keeps the first entry of a name, and the order of the tables: of the tags of an event, the first in the tables decides.
    const firstByName = <K extends 'rules' | 'tags' | 'sources' | 'priorities'>(part: K) => {
      const entries = new Map<string, Table[K][string]>();
      for (const one of tables)
        for (const [name, entry] of Object.entries(one[part]) as [string, Table[K][string]][])
          if (!entries.has(key(name))) entries.set(key(name), entry);
      return entries;
    };
    this.rules = firstByName('rules');
    this.tags = firstByName('tags');
    this.sources = firstByName('sources');
    this.priorities = firstByName('priorities');
    this.otherwise = tables.find((one) => one.otherwise !== undefined)?.otherwise ?? null;
  }

  /**
   * @param operatorTable the operator's file, and the option or variable that set it
   * @throws {ConfigurationError} with the invalid entries
   */
  static read(operatorTable?: { file: string; name: string }): FalcoRules {
    const shipped = readTableFile(SHIPPED, table, 'the rule table');
    return new FalcoRules(
      operatorTable === undefined
        ? [shipped]
        : [readTableFile(operatorTable.file, table, operatorTable.name), shipped],
    );
  }

  /** @returns the alert type and severity of an event, or why it is not an alert */
  classify(event: FalcoEvent): { type: AlertType; severity: Severity } | { fault: string } {
    const byPriority = this.priorities.get(key(event.priority));
    if (byPriority === undefined) {
      return {
        fault: `priority must be one of ${[...this.priorities.keys()].join(', ')}, got ${event.priority}`,
      };
    }
    const found = this.verdictOf(event);
    if (found === null) return { fault: `the rule table maps "${event.rule}" to no alert` };
    return { type: found.type, severity: found.severity ?? byPriority };
  }

  private verdictOf({ rule, tags, source }: FalcoEvent): Verdict {
    const ofRule = this.rules.get(key(rule));
    if (ofRule !== undefined) return ofRule;
    const eventTags = new Set(tags.map(key));
    for (const [tag, ofTag] of this.tags) if (eventTags.has(tag)) return ofTag;
    const ofSource = this.sources.get(key(source));
    return ofSource === undefined ? this.otherwise : ofSource;
  }
}

function key(name: string): string {
  return name.trim().toLowerCase();
}
