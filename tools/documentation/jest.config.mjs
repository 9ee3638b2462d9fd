import { projectConfig } from '../../jest.project.mjs';

export default projectConfig(import.meta.url);
