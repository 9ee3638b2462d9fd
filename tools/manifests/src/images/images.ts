/** Contents of an image in addition to its npm packages. */
export interface Image {
  workspace: string;
  /** Files and folders of the workspace. */
  files: readonly string[];
  /** Whether its files contain the code of its packages, so that the image has none of them. */
  isBundled?: boolean;
  /** Further files, relative to the repository root. */
  repositoryFiles?: readonly string[];
}

/** Images by Dockerfile target. */
export const IMAGES: Record<string, Image> = {
  'fleet-api': { workspace: 'apps/fleet-api', files: ['dist'] },
  'account-service': { workspace: 'apps/account-service', files: ['dist'] },
  'website-api': { workspace: 'apps/website-api', files: ['dist', 'content'] },
  console: {
    workspace: 'apps/console',
    files: ['dist', 'server'],
    isBundled: true,
    // What its server imports.
    repositoryFiles: ['@polka/url', 'mrmime', 'sirv', 'totalist'].map((name) => `node_modules/${name}`),
  },
  demo: { workspace: 'tools/fleet-simulator', files: ['src'] },
  contracts: {
    workspace: 'tools/contracts',
    files: ['src'],
    repositoryFiles: ['fleet-api', 'account-service', 'website-api'].map((app) => `apps/${app}/openapi.json`),
  },
};

/** Files and folders of each of our libraries in an image. */
export const LIBRARY_FILES = ['dist'] as const;
