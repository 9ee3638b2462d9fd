export { REFERENCE_CSS, REFERENCE_JS, SEND_REQUEST_JS } from './files.ts';
export { METHODS } from './operation.ts';
export { referenceHtml, type ReferenceLink } from './reference.html.tsx';
export { referenceMarkdown } from './reference.markdown.ts';
export { type Reference, referenceOf } from './reference.ts';
