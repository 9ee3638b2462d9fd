import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../src/root.ts';

export interface ComposeService {
  image: string;
  build?: { target: string };
  entrypoint?: string[];
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  profiles?: string[];
  networks?: string[];
  ports?: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  mem_limit?: string;
  logging?: object;
  pull_policy?: string;
  restart?: string;
}

export interface ComposeProject {
  name: string;
  services: Record<string, ComposeService>;
}

type Variables = Record<string, string>;
type RawService = ComposeService & { extends?: { service: string } };

/** Returns the text of a file in docker/. */
export const composeText = (file: string): string => readFileSync(join(root, 'docker', file), 'utf8');

/**
 * Loads Compose files like `docker compose -f first -f second`: with variables, `extends` of the first file, and maps of the
 * same service merged.
 *
 * @throws {Error} naming a required variable that is missing
 */
export function loadCompose(files: string[], variables?: Variables): ComposeProject {
  const [base, ...others] = files.map((file) => {
    const text = variables ? interpolate(composeText(file), variables) : composeText(file);
    return parse(text, { merge: true }) as { name: string; services: Record<string, RawService> };
  });
  const services: Record<string, ComposeService> = { ...base!.services };
  for (const file of others) {
    for (const [name, { extends: extended, ...own }] of Object.entries(file.services)) {
      services[name] = merge(services[name] ?? (extended && base!.services[extended.service]), own);
    }
  }
  return { name: base!.name, services };
}

function merge(base: ComposeService | undefined, own: ComposeService): ComposeService {
  const merged = { ...base, ...own };
  for (const key of ['environment', 'depends_on'] as const)
    if (base?.[key]) Object.assign(merged, { [key]: { ...base[key], ...own[key] } });
  return merged;
}

/** Reads a file of variables. Comments and empty values count as unset, as `:-` and `:?` do. */
export function readVariables(text: string): Variables {
  return Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(.+)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
}

function interpolate(text: string, variables: Variables): string {
  return text.replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_all, name: string, form: string, fallback: string) => {
      const value = variables[name];
      if (value === undefined && form === '?') throw new Error(`${name}: ${fallback}`);
      return value ?? fallback ?? '';
    },
  );
}
