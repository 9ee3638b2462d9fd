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

/** Maps Falco events to alert types and severities, by the built-in table and an operator's table that overrides it. */
export class FalcoRules {
  private readonly rules: ReadonlyMap<string, Verdict>;
  private readonly tags: ReadonlyMap<string, Verdict>;
  private readonly sources: ReadonlyMap<string, Verdict>;
  private readonly priorities: ReadonlyMap<string, Severity>;
  private readonly otherwise: Verdict;

  private constructor(tables: Table[]) {
    // The operator's entries come first: the first matching tag decides.
    const joined = <K extends 'rules' | 'tags' | 'sources' | 'priorities'>(part: K) => {
      const entries = new Map<string, Table[K][string]>();
      for (const one of tables)
        for (const [name, value] of Object.entries(one[part]) as [string, Table[K][string]][])
          if (!entries.has(key(name))) entries.set(key(name), value);
      return entries;
    };
    this.rules = joined('rules');
    this.tags = joined('tags');
    this.sources = joined('sources');
    this.priorities = joined('priorities');
    this.otherwise = tables.find((one) => one.otherwise !== undefined)?.otherwise ?? null;
  }

  /**
   * @param own the operator's file, and the option or variable that set it
   * @throws {ConfigurationError} with the invalid entries
   */
  static read(own?: { file: string; name: string }): FalcoRules {
    const shipped = readTableFile(SHIPPED, table, 'the rule table');
    return new FalcoRules(
      own === undefined ? [shipped] : [readTableFile(own.file, table, own.name), shipped],
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
    const byName = this.rules.get(key(rule));
    if (byName !== undefined) return byName;
    const own = new Set(tags.map(key));
    for (const [tag, ofTag] of this.tags) if (own.has(tag)) return ofTag;
    const ofSource = this.sources.get(key(source));
    return ofSource === undefined ? this.otherwise : ofSource;
  }
}

function key(name: string): string {
  return name.trim().toLowerCase();
}
