import { readFileSync } from 'node:fs';
import { FRAME_CSS, TOKENS_CSS } from '@gpu-observatory/visual-identity';

const read = (name: string) => readFileSync(new URL(`./files/${name}`, import.meta.url), 'utf8');

/** The complete stylesheet of the page. */
export const REFERENCE_CSS = TOKENS_CSS + FRAME_CSS + read('reference.css');
/** The scripts of the page, modules: search and copy buttons, and requests. */
export const REFERENCE_JS = read('reference.js');
export const SEND_REQUEST_JS = read('send-request.js');
