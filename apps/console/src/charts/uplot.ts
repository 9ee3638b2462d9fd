// Modules are evaluated in the order of their imports, so this one precedes uPlot.
import './browser-language.ts';
import 'uplot/dist/uPlot.min.css';

export { default } from 'uplot';
