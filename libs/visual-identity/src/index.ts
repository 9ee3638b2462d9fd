export { DOME_SVG, FRAME_CSS, TOKENS_CSS } from './files.ts';
export * from './notice-page.ts';
