export { DATABASE } from './databases/roles.ts';
export { type FleetSize, type StackOptions } from './options.ts';
export { checkPortsAreFree, portsFrom } from './ports.ts';
export { root } from './root.ts';
export { readSecrets } from './secrets.ts';
export { operationsOf } from './services/services.ts';
export { type RunningStack, startStack } from './stack.ts';
export { type StackFile } from './stack-file.ts';
export { Steps } from './steps.ts';
