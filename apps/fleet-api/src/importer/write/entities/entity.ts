import type { ThingKind } from '../../../model/metrics/measures.ts';
import type { Owner } from '../../../model/metrics/rollup-scope.ts';
import type { Counted } from '../rollups/entity-counts.ts';

/** The kinds that are kept in `fleet.entities`; GPUs have a table of their own. */
export type KeptKind = Exclude<ThingKind, 'gpu'>;

/** A row of `fleet.entities`, as the importer keeps it while it writes. Times are RFC 3339 UTC with milliseconds. */
export interface Thing {
  kind: KeptKind;
  id: string;
  owner: Owner;
  /** The time of the newest record about it; null while it is only known from records about others. */
  toldAt: string | null;
  /** The time of the record that said whose it is. */
  homeAt: string;
  firstSeen: string;
  lastSeen: string;
  doc: Record<string, unknown>;
}

/** What a record about a thing says of it. */
export interface Telling {
  kind: KeptKind;
  id: string;
  at: string;
  owner: Owner;
  doc: Record<string, unknown>;
}

/** That a thing was there, by a record about something else. */
export interface Sighting {
  kind: KeptKind;
  id: string;
  firstAt: string;
  lastAt: string;
  owner: Owner;
}

/**
 * Takes what a record about the thing says: the later record wins, field by field, and says whose it is; one that is not
 * later fills what is still empty.
 *
 * @returns the field in which a record of the very same time says something else, or null
 */
export function tell(thing: Thing | null, telling: Telling): { thing: Thing; conflict: string | null } {
  const { kind, id, at, owner, doc } = telling;
  if (thing === null) {
    const fresh = { kind, id, owner, toldAt: at, homeAt: at, firstSeen: at, lastSeen: at, doc };
    return { thing: fresh, conflict: null };
  }
  if (at === thing.toldAt) {
    const conflict = Object.keys(doc).find(
      (field) => field in thing.doc && JSON.stringify(thing.doc[field]) !== JSON.stringify(doc[field]),
    );
    if (conflict !== undefined) return { thing, conflict };
  }
  const seen = sighted(thing, at, at);
  const isNewest = thing.toldAt === null || at > thing.toldAt;
  return {
    thing: isNewest
      ? { ...seen, owner, toldAt: at, homeAt: at, doc: { ...thing.doc, ...doc } }
      : { ...seen, doc: { ...doc, ...thing.doc } },
    conflict: null,
  };
}

/**
 * Takes that the thing was there. Until a record about it comes, it is whose the earliest such record was: in whatever
 * order they come, the same stands at the end.
 */
export function sight(thing: Thing | null, { kind, id, owner, firstAt, lastAt }: Sighting): Thing {
  if (thing === null) {
    return { kind, id, owner, toldAt: null, homeAt: firstAt, firstSeen: firstAt, lastSeen: lastAt, doc: {} };
  }
  const seen = sighted(thing, firstAt, lastAt);
  const isEarlier = firstAt < thing.homeAt || (firstAt === thing.homeAt && precedes(owner, thing.owner));
  return thing.toldAt === null && isEarlier ? { ...seen, owner, homeAt: firstAt } : seen;
}

/** An order of owners, for sightings of the same moment. */
export function precedes(one: Owner, other: Owner): boolean {
  const [a, b] = [one, other].map(({ workspaceId, apiKeyId }) => [workspaceId ?? 0, apiKeyId ?? 0]) as [
    [number, number],
    [number, number],
  ];
  return a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
}

function sighted(thing: Thing, firstAt: string, lastAt: string): Thing {
  return {
    ...thing,
    firstSeen: firstAt < thing.firstSeen ? firstAt : thing.firstSeen,
    lastSeen: lastAt > thing.lastSeen ? lastAt : thing.lastSeen,
  };
}

export function countedThing({ owner, firstSeen, lastSeen }: Thing): Counted {
  return { owner, firstSeen, lastSeen };
}
