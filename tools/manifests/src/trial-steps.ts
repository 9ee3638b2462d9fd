import { scriptsOf } from './scripts-of.ts';

/** Prints the commands of the trial in k8s/README.md, which the workflow kubernetes.yml runs as they are documented. */
const script = scriptsOf('k8s/README.md').find((each) => each.includes('values-trial.yaml'));
if (script === undefined) throw new Error('k8s/README.md has no commands of a trial');
process.stdout.write(script);
