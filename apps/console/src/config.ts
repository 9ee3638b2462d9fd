/** The addresses of one deployment's services. One build serves every deployment. */
export interface Config {
  fleet_url: string;
  account_url: string;
  site_url: string;
}

/**
 * Reads `/config.json` of the server that delivered the page.
 *
 * @throws {Error} naming what is missing
 */
export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json', { cache: 'no-cache' });
  if (!response.ok) throw new Error(`/config.json: status ${response.status}, expected 200.`);
  const config = (await response.json()) as Partial<Config>;
  for (const name of ['fleet_url', 'account_url', 'site_url'] as const) {
    if (!URL.canParse(config[name] ?? '')) {
      throw new Error(
        `/config.json: "${name}" must be an absolute URL, got ${JSON.stringify(config[name])}.`,
      );
    }
  }
  return config as Config;
}
