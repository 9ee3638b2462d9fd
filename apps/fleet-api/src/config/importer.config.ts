import { type Environment, readSettings } from '@gpu-observatory/service-runtime/process';
import { importSettings } from './settings.ts';

export interface ImporterConfig {
  databaseUrl: string;
  /** Paths of the operator's tables. */
  xidTableFile: string | undefined;
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
