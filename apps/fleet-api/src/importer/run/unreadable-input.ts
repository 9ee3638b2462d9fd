import { OperationError } from '@gpu-observatory/service-runtime/process';

/** A file has another format than that of the command. Other files are imported, and then the command fails. */
export class UnreadableInput extends OperationError {}
