import { type Environment, readSettings } from '@gpu-observatory/service-runtime/process';
import { importSettings } from './settings.ts';

interface ImporterConfig {
  databaseUrl: string;
  /** Path of the operator's XID table; undefined for the built-in table. */
  xidTableFile: string | undefined;
  /** Path of the operator's rule table; undefined for the built-in table. */
  falcoRulesFile: string | undefined;
}

/** @throws {ConfigurationError} with each invalid variable */
export function readImporterConfig(environment: Environment): ImporterConfig {
  const settings = readSettings(importSettings, environment);
  return {
    databaseUrl: settings.IMPORTER_DATABASE_URL,
    xidTableFile: settings.XID_TABLE_FILE,
    falcoRulesFile: settings.FALCO_RULES_FILE,
  };
}
