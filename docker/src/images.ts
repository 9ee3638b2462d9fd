/** What an image runs, and what it holds of our own beside the packages that it needs. */
export interface Image {
  workspace: string;
  /** From the workspace. */
  files: readonly string[];
  /** From the root of the clone. */
  beside?: readonly string[];
}

/** The images that the Dockerfile makes, by target. */
export const IMAGES: Record<string, Image> = {
  'fleet-api': { workspace: 'apps/fleet-api', files: ['dist'] },
  'account-service': { workspace: 'apps/account-service', files: ['dist'] },
  'website-api': { workspace: 'apps/website-api', files: ['dist', 'content'] },
  contracts: {
    workspace: 'tools/contracts',
    files: ['src'],
    beside: ['fleet-api', 'account-service', 'website-api'].map((app) => `apps/${app}/openapi.json`),
  },
};

/** What an image holds of each of the libraries that its workspace needs. */
export const LIBRARY_FILES = ['dist'] as const;
