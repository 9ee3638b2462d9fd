import { ConfigurationError, describeSetting } from '@gpu-observatory/service-runtime/process';
import type { z } from 'zod';

/**
 * Returns settings that need each other, or undefined when none is set.
 *
 * @throws {ConfigurationError} when only some are set
 */
export function setTogether<Settings extends object, Name extends keyof Settings & string>(
  settings: Settings,
  ...names: Name[]
): { [Key in Name]: NonNullable<Settings[Key]> } | undefined {
  const given = names.filter((name) => settings[name] !== undefined);
  if (given.length === 0) return undefined;
  if (given.length === names.length) return settings as { [Key in Name]: NonNullable<Settings[Key]> };
  throw new ConfigurationError(`${names.slice(0, -1).join(', ')} and ${names.at(-1)} must be set together`);
}

/** Returns the error of a setting that is missing or invalid because of another one. */
export function settingFault<Name extends string>(
  settings: Readonly<Record<Name, z.ZodType>>,
  name: Name,
  fault: 'is missing' | 'is not valid',
): ConfigurationError {
  return new ConfigurationError(`${name} ${fault}: it should be ${describeSetting(settings[name])}`);
}
