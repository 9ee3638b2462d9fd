export { type FleetSize, type StackOptions } from './options.ts';
export { type RunningStack, startStack } from './stack.ts';
export { type StackFile } from './stack-file.ts';
export { Steps } from './steps.ts';
