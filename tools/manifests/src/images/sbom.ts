import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../root.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { IMAGES } from './images.ts';
import { productionPackages } from './production-packages.ts';

const usage = `npm run sbom [-- --out FOLDER]

Writes the bill of materials (CycloneDX 1.6, JSON) of each image to FOLDER, .local/sbom by default:
${Object.keys(IMAGES).join(', ')}.`;

try {
  const { values } = parseArgs({ options: { out: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
  } else {
    const folder = resolve(process.env['INIT_CWD'] ?? root, values.out ?? join(root, '.local', 'sbom'));
    mkdirSync(folder, { recursive: true });
    for (const [image, { workspace }] of Object.entries(IMAGES)) {
      const packages = productionPackages(root, workspace);
      const file = join(folder, `${image}.cdx.json`);
      writeFileSync(file, billOfMaterials(packages));
      process.stdout.write(`${file}: ${packages.length} packages\n`);
    }
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${usage}\n`);
  process.exitCode = 1;
}
