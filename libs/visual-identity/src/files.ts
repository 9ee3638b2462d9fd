import { readFileSync } from 'node:fs';

const read = (name: string) => readFileSync(new URL(`./files/${name}`, import.meta.url), 'utf8');

/** Colors and fonts of the light and the dark theme, as custom properties. */
export const TOKENS_CSS = read('tokens.css');
/** Text, header and footer of a page. */
export const FRAME_CSS = read('frame.css');
/** Layout of a notice page. */
export const NOTICE_CSS = read('notice.css');
/** The logo, square. */
export const DOME_SVG = read('dome.svg');
